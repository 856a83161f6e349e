import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { translateFiles } from '../../support/compose/project.ts'

const findings = (text: string) => translateFiles({ 'compose.yaml': text }).findings

/** The findings of a file, each as its severity, code, message and further places. */
const findingsOf = (text: string): ReadonlyArray<string> =>
  findings(text).map(({ code, message, related = [], severity }) =>
    [severity, code, message, ...related.map(({ at }) => `${at.line}:${at.col}`)].join(' '),
  )

const services = (lines: ReadonlyArray<string>): string => `services:\n${lines.join('\n')}\n`

test('a key without effect is reported once per file, with its other places', () => {
  const lines = ['a', 'b', 'c'].flatMap((name) => [
    `  ${name}:`,
    '    image: nginx',
    '    mac_address: 02:42:ac:11:65:43',
  ])
  assert.equal(findingsOf(services(lines)), [
    'warning DT1102 services.a: mac_address has no effect on Kubernetes: the cluster assigns addresses (and 2 more places) 7:5 10:5',
  ])
})

test('keys of one mapping without effect for one reason are one finding, with all their places', () => {
  const text = `${services(['  a: {image: nginx, volumes: ["data:/data", "more:/more"]}'])}volumes:
  data: {driver_opts: {type: none, device: /srv/data, o: bind}}
  more: {driver_opts: {type: none, device: /srv/more, o: bind}}
`
  assert.equal(findingsOf(text), [
    'warning DT1102 volumes.data.driver_opts: type, device and o have no effect on Kubernetes: the storage class decides (and 1 more place) 5:24 4:36 4:55 5:36 5:55',
  ])
})

test('a definition with a mistake is not called undefined too', () => {
  const one = '  a: {image: nginx, volumes: ["data:/data"]}'
  for (const volumes of ['4', '{data: 4}', '[data]']) {
    const errors = findings(`${services([one])}volumes: ${volumes}\n`).filter(({ severity }) => severity === 'error')
    assert.equal(
      errors.map(({ code }) => code),
      ['DT1002'],
      volumes,
    )
  }
})

test('what a finding quotes has an end, and its length is said', () => {
  const long = 'n'.repeat(1_000_000)
  for (const more of [`${long}: 1`, `restart: ${long}`, `networks: [${long}]`]) {
    const [found] = findings(services([`  a: {image: nginx, ${more}}`])).filter(({ severity }) => severity === 'error')
    assert.ok((found?.message.length ?? 0) < 10_000)
    assert.match(found?.message ?? '', /^services\.a.* … \(1000\d\d\d characters\) … n*/)
  }
})

test('a volume in an invalid mount is not reported as unused', () => {
  const found = findingsOf(`${services(['  a: {image: nginx, volumes: ["data:data"]}'])}volumes: {data: }\n`)
  assert.equal(
    found.map((line) => line.split(' ').slice(0, 2)),
    [['error', 'DT1024']],
  )
})

test('a finding repeated by an anchor is reported once', () => {
  const text = `x-common: &common\n  image: nginx\n  mac_address: 02:42:ac:11:65:43\n${services(['  a: *common', '  b: *common'])}`
  assert.equal(findingsOf(text), [
    'warning DT1102 services.a: mac_address has no effect on Kubernetes: the cluster assigns addresses (and 1 more service)',
  ])
})

test('host volumes, credentials and private ports are listed completely, once per file', () => {
  const lines = ['a', 'b'].flatMap((name, i) => [
    `  ${name}:`,
    '    image: nginx',
    `    volumes: ["./${name}:/var/lib/${name}"]`,
    `    environment: { ${name.toUpperCase()}_PASSWORD: x }`,
    `    ports: ["${5432 + i * 947}:${5432 + i * 947}"]`,
  ])
  assert.equal(findingsOf(services(lines)), [
    'warning DT1101 the host volumes ./a and ./b are not mounted: what is written to /var/lib/a and /var/lib/b is lost with the pod 9:15',
    'warning DT1104 A_PASSWORD and B_PASSWORD look like credentials, and their values appear in the manifests in plain text 10:20',
    'warning DT1105 usual ports of databases and debuggers stay private: 5432 of a (PostgreSQL) and 6379 of b (Redis) 11:13',
  ])
})

test('a difference without visible effect is a note', () => {
  const text = `${services(['  a:', '    image: nginx', '    init: true', '    logging: {}'])}networks:\n  default:\n    ipam: {}\n`
  assert.equal(
    findingsOf(text).map((line) => line.slice(0, 11)),
    ['note DT1102', 'note DT1102', 'note DT1102'],
  )
})

test('errors at different places are reported separately', () => {
  const lines = ['a', 'b'].flatMap((name) => [`  ${name}:`, '    image: nginx', '    nothing: 1'])
  assert.is(findingsOf(services(lines)).length, 2)
})

test('findings with one code at one place are one finding', () => {
  const several = findings(`services:
  web: {image: nginx, environment: {X: "tcp://redis:4444,tcp://redis:5555,tcp://db:5432"}}
  redis: {image: redis}
  db: {image: postgres}
`)
  assert.equal(
    several.map(({ help, message }) => [message, help]),
    [
      [
        'services.web.environment.X: redis gets the private ports 4444 and 5555: "redis:4444" and "redis:5555" are named here; db gets the private port 5432: "db:5432" is named here',
        'expose: ["4444", "5555"] gives redis one stable address; expose: ["5432"] gives db one stable address',
      ],
    ],
  )
})

test('a text that is invalid because a variable is not set is one finding', () => {
  const unset = (yaml: string) =>
    findings(yaml).map(({ at, code, related = [] }) => [code, at?.col, related.map((one) => [one.message, one.at.col])])
  assert.equal(unset('services: {web: {image: "${X}"}}'), [['DT1026', 25, [['this variable is not set', 26]]]])
  assert.equal(unset('services: {web: {image: "${X}", environment: {A: "${X}"}}}'), [
    ['DT1026', 25, [['this variable is not set', 26]]],
    ['DT1011', 51, []],
  ])
})

test('line breaks of a name are shown as such', () => {
  const [found] = findings('services: {web: {image: nginx, environment: ["A\\nerror DT1001: B=c"]}}')
  assert.is(found?.message, 'services.web.environment[0]: "A\\nerror DT1001: B" cannot be the name of a variable')
})

test('the effect of a setting is not described where it has none', () => {
  const joined = 'image: a, network_mode: service:vpn, pid: host, runtime: kata, dns: [192.0.2.1, 192.0.2.2, 192.0.2.3]'
  const found = findingsOf(services(['  vpn: {image: vpn}', `  a: {${joined}}`]))
  assert.equal(found, [
    'warning DT1110 services.a: pid, runtime and dns of "a" have no effect: it runs in the pod of "vpn" 3:64 3:75',
  ])
})

test('parts of a setting without effect are not reported in addition', () => {
  const config = '{order: start-first, failure_action: pause, monitor: 5s}'
  const found = findingsOf(services([`  a: {image: a, restart: "no", deploy: {update_config: ${config}}}`]))
  assert.equal(found, ['warning DT1153 services.a: update_config has no effect: a Job is not updated, it runs again'])
})

test.run()
