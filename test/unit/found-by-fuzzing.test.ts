/** Cases that the properties, the fuzzer and the API server found, shrunk: each was a wrong manifest, a throw or a wrong place. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { faults } from '../support/compose/oracle.ts'
import { type Files, manifestsOf, translateFiles } from '../support/compose/project.ts'

const service = (fields: string): string => `services: {web: {image: nginx, ${fields}}}`

/** What was wrong → the code it has now, and the file. */
const cases: ReadonlyArray<readonly [title: string, code: string, compose: string]> = [
  ['a quote that is open at the end of the file', 'DT1001', 'services: "x'],
  ['a key without a colon at the end of the file', 'DT1001', 'services:\n  web:\n    image: x\n  api'],
  ['a search domain that is none', 'DT1110', service('dns_search: [example.com, "a b", ".."]')],
  ['no search domain', 'DT1110', service('dns_search: "."')],
  ['a resolver option without a name', 'DT1110', service('dns_opt: [":1"]')],
  ['a host name with an underscore', 'DT1110', service('extra_hosts: [my_host=192.0.2.1]')],
  ['a hook with an empty command', 'DT1018', service('pre_stop: [{command: []}]')],
  ['a hook without a command', 'DT1018', service('post_start: [{user: root}]')],
  ['a mount at a path with a colon', 'DT1024', service('tmpfs: [/a], volumes: ["C:\\\\x"]')],
  ['an application protocol that is no name', 'DT1110', service('ports: [{target: 80, app_protocol: -a}]')],
  ['a node label with a prefix in capitals', 'DT1018', service('x-node-selector: {A.b/c: d}')],
  [
    'a sysctl of the network beside host network',
    'DT1110',
    service('network_mode: host, sysctls: {net.ipv4.tcp_syncookies: 1}'),
  ],
  [
    'the name of an external claim that cannot be',
    'DT1103',
    `${service('volumes: ["v:/v"]')}\nvolumes: {v: {external: true, name: "a b"}}`,
  ],
  [
    'the name of an external secret that cannot be',
    'DT1103',
    `${service('secrets: [s]')}\nsecrets: {s: {external: true, name: A_B}}`,
  ],
  [
    'a storage class that is no name',
    'DT1018',
    `${service('volumes: ["v:/v"]')}\nvolumes: {v: {driver_opts: {class: /x}}}`,
  ],
  [
    'a route with dotted parts',
    'DT1033',
    `${service('ports: [80]')}\nendpoints: [{path: /a/../b, service: web, port: 80}]`,
  ],
]

for (const [title, code, compose] of cases) {
  test(`${title}: ${code}`, () => {
    const files: Files = { 'compose.yaml': compose }
    const translation = translateFiles(files)
    assert.ok(
      translation.findings.some((d) => d.code === code && d.at !== undefined),
      JSON.stringify(translation.findings),
    )
    assert.equal(faults(files, translation), [])
  })
}

test('labels with an uppercase prefix become annotations, which Kubernetes accepts', () => {
  assert.match(
    manifestsOf(translateFiles({ 'compose.yaml': service('labels: {Com.Example/Team: a}') })),
    /Com\.Example\/Team: a/,
  )
})

test.run()
