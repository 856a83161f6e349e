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

for (const empty of ['""', '"${NOTHING:-}"']) {
  const same = (written: string, without: string): void => {
    const [made, wanted] = [translated(written), translated(without)]
    assert.is(manifestsOf(made), manifestsOf(wanted))
    assert.is(made.findings.length, wanted.findings.length)
  }
  test(`${empty} counts as missing in a port, a mount and a build`, () => {
    same(
      `, ports: [{target: 80, published: 80, mode: ${empty}, protocol: ${empty}}]`,
      ', ports: [{target: 80, published: 80}]',
    )
    same(`, volumes: [{type: volume, source: ${empty}, target: /t}]`, ', volumes: [{type: volume, target: /t}]')
    same(`, build: {context: ., network: ${empty}, provenance: ${empty}, sbom: ${empty}}`, ', build: {context: .}')
  })

  test(`a config of ${empty} has no content`, () => {
    for (const from of ['file', 'environment']) {
      const { findings } = translateFiles({
        'compose.yaml': `services: {web: {image: nginx, configs: [c]}}\nconfigs: {c: {${from}: ${empty}}}\n`,
      })
      assert.equal(
        findings.filter(({ severity }) => severity === 'error').map(({ code }) => code),
        ['DT1041'],
      )
    }
  })
}

test('a field of no effect without a value causes no warning', () => {
  assert.equal(translated(', ulimits: , devices: , oom_kill_disable: ').findings, translated('').findings)
})

test('an empty file is reported once', () => {
  const { findings } = translateFiles({ 'compose.yaml': '' })
  assert.equal(
    findings.map(({ code, message }) => [code, message]),
    [['DT1044', 'compose.yaml is empty']],
  )
})

test.run()
