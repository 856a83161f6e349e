/** What a variable without a value leaves behind. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { manifestsOf, translateFiles } from '../../support/compose/project.ts'

const fields = [
  ...['hostname', 'domainname', 'container_name', 'network_mode', 'pid', 'ipc', 'uts', 'userns_mode', 'mac_address'],
  ...['platform', 'runtime', 'user', 'restart', 'stop_signal', 'cpuset', 'cgroup', 'isolation', 'working_dir'],
  ...['dns', 'dns_search', 'tmpfs'],
]

const translated = (web: string) => translateFiles({ 'compose.yaml': `services: {web: {image: nginx${web}}}\n` })

for (const empty of ['""', '"${NOTHING:-}"']) {
  test(`a field that is ${empty} counts as missing`, () => {
    const written = fields.map((field) => `, ${field}: ${empty}`).join('')
    const made = translated(`${written}, deploy: {mode: ${empty}, endpoint_mode: ${empty}}`)
    assert.equal(made.findings, translated('').findings)
    assert.is(manifestsOf(made), manifestsOf(translated('')))
  })
}

test('an empty file is reported once', () => {
  const { findings } = translateFiles({ 'compose.yaml': '' })
  assert.equal(
    findings.map(({ code, message }) => [code, message]),
    [['DT1044', 'compose.yaml is empty']],
  )
})

test.run()
