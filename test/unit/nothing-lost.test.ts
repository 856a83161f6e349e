/** Values that are easily lost on the way: each is mapped, or somebody is told. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Files, manifestsOf, translateFiles } from '../support/compose/project.ts'

type More = Parameters<typeof translateFiles>[1]

const project = (compose: string, files: Files = {}, more: More = {}) =>
  translateFiles({ ...files, 'compose.yaml': compose }, more)

/** `DT1011 base.env:2` */
const found = (compose: string, files: Files = {}, more: More = {}): ReadonlyArray<string> =>
  project(compose, files, more).findings.map(({ at, code }) => `${code} ${at?.file}:${at?.line}`)

const printed = (compose: string, files: Files = {}, more: More = {}): string =>
  manifestsOf(project(compose, files, more))

const has = (text: string, part: string): void => assert.ok(text.includes(part), `${part} in\n${text}`)
const hasNot = (text: string, part: string): void => assert.not(text.includes(part), `${part} in\n${text}`)

test('an env file sees the variables of the service and of the files before it', () => {
  const files = { 'a.env': 'HOST=db\nNAME=file\n', 'b.env': 'URL=pg://$HOST/$NAME/$MODE\n' }
  const compose =
    'services:\n  web:\n    image: a\n    env_file: [a.env, b.env]\n    environment: {NAME: own, MODE: dev}\n'
  has(printed(compose, files), 'value: pg://db/own/dev')
  assert.equal(found(compose, files), [])
})

test('an env file sees no variables of other services', () => {
  const files = { 'a.env': 'URL=pg://$NAME\n' }
  const service = (name: string) => `  ${name}: {image: a, env_file: a.env, environment: {NAME: of-${name}}}\n`
  const text = printed(`services:\n${service('x')}${service('y')}`, files)
  has(text, 'value: pg://of-x')
  has(text, 'value: pg://of-y')
})

test('an unset variable in an env file is found there', () => {
  assert.equal(found('services: {web: {image: a, env_file: a.env}}', { 'a.env': 'A=1\nB=pa$word\n' }), [
    'DT1011 a.env:2',
  ])
})

test('of two values under one name the last counts, and the other is named', () => {
  const compose =
    'services:\n  web:\n    image: a\n    environment:\n      - A\n      - A=1\n      - B=1\n      - B=2\n'
  const text = printed(compose)
  has(text, 'name: A\n          value: "1"')
  has(text, 'name: B\n          value: "2"')
  assert.equal(found(compose), ['DT1121 compose.yaml:5', 'DT1121 compose.yaml:7'])
})

test('name beside external.name is refused', () => {
  const use = 'services: {web: {image: a, volumes: [data:/data]}}\n'
  assert.equal(found(`${use}volumes:\n  data:\n    name: one\n    external: {name: two}\n`), ['DT1046 compose.yaml:4'])
  assert.equal(found(`${use}volumes:\n  data:\n    name: one\n    external: true\n`), [])
})

test('extra_hosts of two files add up', () => {
  const files = { 'over.yaml': 'services: {web: {extra_hosts: ["a:192.0.2.2", "b=192.0.2.1"]}}' }
  const base = 'services: {web: {image: x, extra_hosts: {a: 192.0.2.1, b: [192.0.2.1]}}}'
  const text = printed(base, files, { files: ['compose.yaml', 'over.yaml'] })
  has(text, '- ip: "192.0.2.1"\n        hostnames:\n        - a\n        - b\n      - ip: "192.0.2.2"')
})

test('a user named root is user 0', () => {
  has(printed('services: {web: {image: a, user: root}}'), 'runAsUser: 0')
  has(printed('services: {web: {image: a, user: "1000:root"}}'), 'runAsGroup: 0')
  assert.equal(found('services: {web: {image: a, user: root}}'), [])
})

test('a numeric user other than 0 sets runAsNonRoot, which restricted namespaces require', () => {
  has(printed('services: {web: {image: a, user: "1000"}}'), 'runAsNonRoot: true')
  hasNot(printed('services: {web: {image: a, user: "0"}}'), 'runAsNonRoot')
})

test('an empty entrypoint with a command runs the command', () => {
  for (const empty of ['""', '[]', '[""]']) {
    const compose = `services: {web: {image: a, entrypoint: ${empty}, command: [serve, now]}}`
    has(printed(compose), 'command:\n        - serve\n        - now')
    hasNot(printed(compose), 'args:')
    assert.equal(found(compose), [])
  }
  assert.equal(found('services: {web: {image: a, entrypoint: ""}}'), ['DT1109 compose.yaml:1'])
})

test('a renamed service is found in URLs, lists, commands and health checks', () => {
  const users = [
    'environment: {A: "http://my_db/x"}',
    'environment: {A: "one,my_db"}',
    'environment: {A: "u:p@tcp(my_db:3306)/x"}',
    'environment: {API_BASE: "http://my_db/x"}',
    'environment: {DATABASE: "my_db:5432"}',
    'command: ["--host", "my_db"]',
    'command: nc -z my_db 5432',
    'healthcheck: {test: curl -f http://my_db:80}',
  ]
  for (const user of users) {
    const compose = `services:\n  my_db: {image: a}\n  web:\n    image: a\n    ${user}\n`
    const renamed = translateFiles({ 'compose.yaml': compose }).findings.filter(({ code }) => code === 'DT1103')
    const lines = renamed.map(({ at, related = [] }) => [at?.line, ...related.map((one) => one.at.line)])
    assert.equal(lines, [[2, 5]], user)
  }
})

test('the variable of an image or a version holds no address, unless it is a URL', () => {
  const portsFor = (environment: string): ReadonlyArray<string> =>
    translateFiles({
      'compose.yaml': `services:\n  node: {image: a}\n  web: {image: a, environment: {${environment}}}\n`,
    }).findings.flatMap(({ code, message }) => (code === 'DT1201' ? [message] : []))
  for (const name of ['IMAGE', 'NODE_IMAGE', 'node.version', 'TAG', 'BUILD-BASE']) {
    assert.is(portsFor(`${name}: "node:2000"`).length, 0, name)
    assert.is(portsFor(`${name}: "x, http://node:2000"`).length, 1, name)
  }
  for (const name of ['DATABASE', 'STAGE', 'CONVERSION', 'IMAGES', 'IMAGE_HOST'])
    assert.is(portsFor(`${name}: "node:2000"`).length, 1, name)
})

test('a mistake in an x-devtool key is an error at its place', () => {
  const wrong = [
    'healthcheck: {test: a, x-devtool-livenes: true}',
    'x-devtool-liveness: true',
    'x-node-selectors: {a: b}',
  ]
  for (const one of wrong) assert.equal(found(`services: {web: {image: a, ${one}}}`), ['DT1004 compose.yaml:1'], one)
  assert.equal(found('x-devtool-common: {}\nservices: {web: {image: a, x-other: 1}}'), [])
})

test('nothing is copied from the image into a mount with nocopy', () => {
  const inits = (mount: string): number =>
    manifestsOf(
      translateFiles({
        'compose.yaml': `services: {web: {image: a, volumes: [${mount}]}}\nvolumes: {v: {x-devtool-volume-init: true}}\n`,
      }),
    ).split('initContainers').length - 1
  for (const mount of ['v:/t', '{type: volume, source: v, target: /t}']) assert.is(inits(mount), 1, mount)
  for (const mount of ['"v:/t:nocopy"', '{type: volume, source: v, target: /t, volume: {nocopy: true}}'])
    assert.is(inits(mount), 0, mount)
})

test('an option for a mount of another type is found', () => {
  const lost = {
    tmpfs: ['source: v', 'volume: {nocopy: true}', 'bind: {propagation: shared}', 'image: {subpath: a}'],
    volume: ['bind: {propagation: shared}', 'tmpfs: {size: 64m}'],
    image: ['source: b, tmpfs: {size: 64m}', 'source: b, bind: {selinux: z}'],
  }
  for (const [type, options] of Object.entries(lost))
    for (const option of options) {
      const codes = found(
        `services:\n  web:\n    image: a\n    volumes:\n    - {type: ${type}, target: /t, ${option}}\n`,
      )
      assert.equal(
        codes.filter((code) => code.startsWith('DT1102')),
        ['DT1102 compose.yaml:5'],
        `${type} ${option}`,
      )
    }
})

test('a volume, config or secret that no service mounts causes a warning', () => {
  const compose =
    'services:\n  web: {image: a, profiles: [p], volumes: [kept:/a], secrets: [kept]}\n  b: {image: a}\n' +
    'volumes:\n  kept:\n  lost:\nsecrets:\n  kept: {content: a}\n  lost: {content: a}\nconfigs:\n  lost: {content: a}\n'
  assert.equal(found(compose), ['DT1120 compose.yaml:6', 'DT1120 compose.yaml:9', 'DT1120 compose.yaml:11'])
})

test('an anonymous volume beneath a host volume is mentioned in the warning about the host volume', () => {
  const [finding] = project(
    'services:\n  web:\n    image: a\n    volumes:\n      - .:/app\n      - /app/lib\n',
  ).findings
  assert.equal(
    finding?.related?.map(({ at }) => at.line),
    [6],
  )
})

test('pid or ipc of an unknown service is an error', () => {
  assert.equal(found('services: {web: {image: a, ipc: "service:db"}}'), ['DT1013 compose.yaml:1'])
  assert.equal(found('services: {web: {image: a, pid: "service:db"}}'), ['DT1013 compose.yaml:1'])
})

test('cpu_period without cpu_quota causes a warning', () => {
  assert.equal(found('services: {web: {image: a, cpu_period: 50000}}'), ['DT1102 compose.yaml:1'])
  assert.equal(found('services: {web: {image: a, cpu_period: 50000, cpu_quota: 25000}}'), [])
})

test('an image that is not built for the platform of its service is refused', () => {
  const service = (platforms: string) =>
    `services: {web: {platform: linux/arm64, build: {context: ., platforms: [${platforms}]}}}`
  assert.equal(found(service('linux/amd64')), ['DT1038 compose.yaml:1'])
  assert.equal(found(service('linux/amd64, linux/arm64')), [])
})

test('volumes_from of host volumes, or of none, is named', () => {
  const from = (service: string) => `services:\n  a: {image: a${service}}\n  b:\n    image: a\n    volumes_from: [a]\n`
  assert.equal(found(from(', volumes: [".:/app"]')), ['DT1101 compose.yaml:2', 'DT1101 compose.yaml:5'])
  assert.equal(found(from('')), ['DT1102 compose.yaml:5'])
})

test('service_healthy without a health check or a TCP port causes a warning', () => {
  const wait = (db: string) =>
    `services:\n  web:\n    image: a\n    depends_on: {db: {condition: service_healthy}}\n  db: {image: a${db}}\n`
  assert.equal(found(wait('')), ['DT1122 compose.yaml:4'])
  assert.equal(found(wait(', expose: [5432]')), [])
  assert.equal(found(wait(', expose: ["53/udp"]')), ['DT1122 compose.yaml:4'])
  assert.equal(found(wait(', healthcheck: {test: a}')), [])
})

test('an implausibly small size causes a warning', () => {
  const volume = 'services: {web: {image: a, volumes: [data:/data]}}\nvolumes: {data: {driver_opts: {size: 2}}}'
  assert.equal(found(volume), ['DT1123 compose.yaml:2'])
  for (const field of [
    'resources: {limits: {memory: 64m}}',
    'mem_limit: 512',
    'shm_size: 64',
    'resources: {limits: {cpu: 500}}',
  ])
    assert.equal(found(`services: {web: {image: a, ${field}}}`), ['DT1123 compose.yaml:1'], field)
  for (const field of [
    'resources: {limits: {memory: 64Mi}}',
    'mem_limit: 64m',
    'shm_size: 64m',
    'resources: {limits: {cpu: 500m}}',
  ])
    assert.equal(found(`services: {web: {image: a, ${field}}}`), [], field)
})

test('hooks run where and with what the file says, one after the other', () => {
  const hook = '{command: [./say, "it\'s up"], working_dir: /app, environment: {A: "b c"}}'
  const text = printed(`services:\n  web:\n    image: a\n    post_start:\n      - ${hook}\n      - {command: ./next}\n`)
  has(text, "(cd '/app' && 'env' 'A=b c' './say' 'it'\\\\''s up') && './next'")
})

test('a Service whose health check names it publishes pods that are not ready, and its Ingress another Service', () => {
  const compose = (check: string) =>
    `services:\n  web:\n    image: a\n    ports: ["8080:8080"]\n    healthcheck: {test: ${check}}\n` +
    '  front: {image: a, depends_on: [web], expose: [80]}\n'
  for (const check of ['curl -f http://web:8080/', 'curl -f http://front/web', '[CMD, ping, -h, web]']) {
    assert.equal(found(compose(check)), ['DT1124 compose.yaml:5'], check)
    const text = printed(compose(check))
    has(
      text,
      '  publishNotReadyAddresses: true\n  selector:\n    dev.devtool/environment: shop\n    dev.devtool/service: web\n  ports:',
    )
    has(text, 'kind: Service\nmetadata:\n  name: web-ready')
    has(text, 'service:\n            name: web-ready')
  }
  for (const check of ['curl -f http://localhost:8080/', '[CMD, pg_isready, -U, web]']) {
    assert.equal(found(compose(check)), [], check)
    hasNot(printed(compose(check)), 'web-ready')
  }
})

test('a URL in place of a file or a mount keeps its credentials to itself', () => {
  const url = 'https://user:canary@example.com/x?sig=canary'
  const service = (field: string): string => `services: {web: {image: a, ${field}}}`
  const cases = [
    service(`volumes: ["${url}"]`),
    service(`extends: {file: "${url}", service: web}`),
    service(`env_file: "${url}"`),
    `include: ["${url}"]\n${service('init: true')}`,
  ]
  for (const compose of cases) {
    const { findings } = project(compose)
    assert.ok(findings.length > 0, compose)
    hasNot(JSON.stringify(findings), 'canary')
  }
})

test.run()
