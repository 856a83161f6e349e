import { strFromU8, unzipSync } from 'fflate'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { checkCluster } from '../../../src/app/inspect/check.ts'
import { doctor } from '../../../src/app/inspect/doctor.ts'
import { showChecks } from '../../../src/cli/view/check.ts'
import { viewed } from '../../../src/cli/view/view.ts'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import { redactor, withoutValues } from '../../../src/domain/doctor/redact.ts'
import type { EndpointAnswer } from '../../../src/domain/network/answer.ts'
import { encodeBase64Text } from '../../../src/domain/text/base64.ts'
import type { Network } from '../../../src/ports/network.ts'
import { memoryClock } from '../../memory/clock.ts'
import { memoryCluster } from '../../memory/cluster.ts'
import { memoryFiles } from '../../memory/files.ts'
import { memoryHome } from '../../memory/home.ts'
import { memoryNetwork } from '../../memory/network.ts'
import { diskOf } from '../../support/cli/cli.ts'

const labels = { 'dev.devtool/environment': 'shop', 'dev.devtool/service': 'web' }
const canaries = {
  compose: 'canary-compose-1',
  block: 'canary-block-2',
  env: 'canary-env-3',
  secret: 'canary-secret-4',
  argument: 'canary-argument-5',
  annotation: 'canary-annotation-6',
  token: 'eyJhbGciOiJIUzI1NiJ9.Y2FuYXJ5LTc.c2lnbmF0dXJl',
  url: 'canary-url-8',
  list: 'canary-list-9',
  command: 'canary-command-10',
  comment: 'canary-comment-11',
  trailing: 'canary-trailing-12',
  inText: 'canary-text-13',
  label: 'canary-label-14',
  labelInList: 'canary-label-15',
  extension: 'canary-extension-16',
  composeCommand: 'canary-compose-17',
  entrypoint: 'canary-entrypoint-18',
  healthCheck: 'canary-health-19',
  buildArgument: 'canary-build-20',
  option: 'canary-option-21',
  deployCommand: 'canary-deploy-22',
  destroyCommand: 'canary-destroy-23',
  quotedJson: 'canary-json-24',
  probe: 'canary-probe-25',
  flag: 'canary-flag-26',
  content: 'canary-content-27',
  merged: 'canary-merged-28',
}

const compose = `# ${canaries.comment}
x-common: &common
  PASS: ${canaries.extension}
x-environment: &environment
  OTHER: ${canaries.merged}
services:
  web:
    image: web # ${canaries.trailing}
    command: ["run", "--db-password", ${canaries.composeCommand}]
    entrypoint: run --verbose --pw=${canaries.entrypoint}
    healthcheck:
      test: ["CMD-SHELL", "curl -u me:${canaries.healthCheck} http://localhost"]
    labels:
      traefik.auth: ${canaries.label}
    build:
      context: .
      args: [KEY=${canaries.buildArgument}]
    environment:
      <<: *environment
      KEY: ${canaries.compose}
      TEXT: "# no comment ${canaries.inText}"
      CERT: |
        ${canaries.block}
        more
  db:
    environment: [PASS=${canaries.list}]
    labels: [a=${canaries.labelInList}]
    logging:
      options: {key: ${canaries.option}}
configs:
  app:
    content: |
      key is ${canaries.content}
`

const manifest = `name: shop
deploy:
  - name: migrate
    command: migrate --dsn postgres ${canaries.deployCommand}
destroy: [drop ${canaries.destroyCommand}]
`

const pod: JsonObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'web-1',
    namespace: 'demo',
    uid: 'u1',
    labels,
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': canaries.annotation },
  },
  spec: {
    containers: [
      { name: 'web', env: [{ name: 'KEY', value: canaries.env }], args: ['--db-password', canaries.argument] },
      {
        name: 'db',
        command: ['run', '--password', canaries.command, `--key=${canaries.flag}`],
        livenessProbe: { exec: { command: ['sh', '-c', `check ${canaries.probe}`] } },
      },
    ],
  },
  status: { containerStatuses: [{ name: 'web', restartCount: 1, state: { running: {} } }] },
}

const secret: JsonObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'shop', namespace: 'demo' },
  data: { key: encodeBase64Text(`${canaries.secret}\n`) },
}

const event: JsonObject = {
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'web-1.1', namespace: 'demo' },
  involvedObject: { kind: 'Pod', name: 'web-1' },
  type: 'Warning',
  reason: 'BackOff',
  message: `cannot connect to postgres://app:${canaries.url}@db/shop`,
  lastTimestamp: '2026-11-21T09:00:00Z',
}

const worldOf = () => {
  const cluster = memoryCluster({ objects: [pod, secret, event] })
  cluster.say('demo/web', 'web', [])
  cluster.say('demo/web-1', 'web', [
    'listening',
    `Authorization: Bearer ${canaries.token}`,
    `key is ${canaries.env}, secret is ${canaries.secret}`,
    `{"body":"{\\"password\\": \\"${canaries.quotedJson}\\"}"}`,
    `started with ${canaries.merged}\u001b[31m\u202e`,
  ])
  cluster.say('demo/web-1', 'web', [`old: token=${canaries.token}`], true)
  const disk = diskOf({ 'compose.yaml': compose, 'other.yml': manifest })
  const files = memoryFiles(disk)
  const home = memoryHome(
    new Map([
      ['log/20261121095900-7.log', `2026-11-21T09:59:00Z cluster GET /api 200 3 ms\ntoken=${canaries.token}\n`],
      ['log/notes.txt', 'not a log of devtool'],
    ]),
  )
  return { cluster, disk, ports: { clock: memoryClock(), files, home, writer: files } }
}

const facts = { version: '1.2.3', node: 'v22.0.0', os: 'linux', arch: 'x64' }
const sessionOf = (cluster: ReturnType<typeof memoryCluster>) => ({
  cluster,
  context: 'lab',
  namespace: 'demo',
  settings: {},
  isNamed: true,
  findings: [],
})

const { signal } = new AbortController()

const report = async () => {
  const { cluster, disk, ports } = worldOf()
  const target = sessionOf(cluster)
  const outcome = await doctor(ports)({
    target,
    environment: 'shop',
    files: ['compose.yaml', 'other.yml'],
    facts,
    signal,
  })
  const zip = disk.get('devtool-doctor-20261121100000.zip')
  const bytes = zip?._tag === 'File' ? zip.bytes : new Uint8Array()
  const texts = Object.fromEntries(Object.entries(unzipSync(bytes)).map(([path, data]) => [path, strFromU8(data)]))
  return { outcome, bytes, texts }
}

test('the report holds the manifest, the objects, the events and the logs', async () => {
  const { outcome, texts } = await report()
  assert.equal(outcome.findings, [])
  assert.equal(outcome.value, {
    file: 'devtool-doctor-20261121100000.zip',
    environment: 'shop',
    objects: 1,
    logs: 2,
  })
  assert.equal(Object.keys(texts), [
    'events.txt',
    'logs/web-1/web-previous.log',
    'logs/web-1/web.log',
    'manifest/compose.yaml',
    'manifest/other.yml',
    'metadata.json',
    'objects/Pod-web-1.json',
    'summary.txt',
    'tool-log/20261121095900-7.log',
  ])
  assert.match(texts['logs/web-1/web.log'] ?? '', /listening/)
  assert.match(texts['events.txt'] ?? '', /BackOff {2}Pod\/web-1/)
  assert.match(texts['manifest/compose.yaml'] ?? '', /KEY: "\*\*\*"/)
  assert.match(texts['metadata.json'] ?? '', /"arch": "x64"/)
})

test('no secret value is in the report, wherever it came from', async () => {
  const { texts } = await report()
  for (const [path, text] of Object.entries(texts)) {
    for (const [name, canary] of Object.entries(canaries)) assert.not.ok(text.includes(canary), `${name} in ${path}`)
  }
})

test('other values stay readable', async () => {
  const { texts } = await report()
  const text = texts['manifest/compose.yaml'] ?? ''
  const lines = ['image: web', '- "--db-password"', 'entrypoint: "run --verbose --pw', '- CMD-SHELL', 'context: "."']
  for (const line of lines) assert.match(text, line)
  assert.match(texts['manifest/other.yml'] ?? '', '- name: migrate\n  command: "migrate --dsn ***"')
})

test('no text in the report can control a terminal', async () => {
  const { texts } = await report()
  // oxlint-disable-next-line no-control-regex
  for (const [path, text] of Object.entries(texts)) assert.not.match(text, /[\u0000-\u0008\u000b-\u001f\u202e]/, path)
})

test('the same state gives the same report', async () => {
  assert.equal((await report()).bytes, (await report()).bytes)
})

test('the logs of devtool itself are in the report, and nothing else of their folder', async () => {
  const { texts } = await report()
  const names = Object.keys(texts).filter((name) => name.includes('tool-log/'))
  assert.equal(names, ['tool-log/20261121095900-7.log'])
  assert.match(texts['tool-log/20261121095900-7.log'] ?? '', 'cluster GET /api 200 3 ms\n')
})

test('unreadable kinds are listed, and the rest is reported', async () => {
  const { cluster, disk, ports } = worldOf()
  cluster.fail({ verb: 'list', what: '*', status: 0 })
  const target = sessionOf(cluster)
  const outcome = await doctor(ports)({ target, environment: 'shop', files: [], facts, signal })
  assert.ok(outcome.findings.every(({ code, severity }) => code === 'DT3408' && severity === 'warning'))
  assert.ok(outcome.findings.length > 5)
  assert.ok(disk.has('devtool-doctor-20261121100000.zip'))
})

test('credentials are recognised by their form and masked', () => {
  const redact = redactor([])
  assert.is(redact('password=hunter2 user=me'), 'password=*** user=me')
  assert.is(redact('{"apiKey": "abc def"}'), '{"apiKey": ***}')
  assert.is(redact('redis://:hunter2@cache:6379'), 'redis://:***@cache:6379')
  assert.is(redact('GET /index.html 200'), 'GET /index.html 200')
  assert.not.match(redact('-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----'), /MIIE/)
})

const answering = (answer: EndpointAnswer): Network =>
  memoryNetwork({ ask: () => () => Promise.resolve(answer), reach: () => () => Promise.resolve({ _tag: 'Open' }) })

test('checks report what is missing and how to fix it', async () => {
  const cluster = memoryCluster({
    denied: ['create ingresses'],
    objects: [
      {
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata: { name: 'q', namespace: 'demo' },
        status: { hard: { pods: '10', 'limits.memory': '1Gi' }, used: { pods: '10', 'limits.memory': '500Mi' } },
      },
      {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'StorageClass',
        metadata: { name: 'fast', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      },
    ],
  })
  const target = { ...sessionOf(cluster), settings: { domain: 'apps.test', registry: 'registry.test/team' } }
  const silent: EndpointAnswer = { _tag: 'Silent', because: 'UnknownName', text: 'ENOTFOUND' }
  const outcome = await checkCluster({ network: answering(silent) })({
    target,
    builder: 'tcp://b:1234',
  })
  const { output = '' } = viewed(outcome, (list) => showChecks('text', list))
  const text = typeof output === 'string' ? output : ''
  assert.equal(
    outcome.findings.map(({ code, message }) => [code, message]),
    [['DT3405', 'not ready for deploy: rights, quota, domain, registry']],
  )
  assert.match(text, /rights +failed +not allowed: create ingresses\.networking\.k8s\.io/)
  assert.match(text, /quota +failed +used up: pods 10 of 10/)
  assert.match(text, /storage +ok +default class fast/)
  assert.match(text, /builder +ok/)
  assert.match(text, /\ndomain: point \*\.apps\.test/)
})

test('objects in the report have names of variables and annotations, but no values', () => {
  const shown = withoutValues({
    metadata: { annotations: { note: 'canary' }, managedFields: [{ manager: 'canary' }] },
    spec: {
      env: [
        { name: 'KEY', value: 'canary' },
        { name: 'REF', valueFrom: { fieldRef: {} } },
      ],
    },
  })
  assert.equal(shown, {
    metadata: { annotations: ['note'] },
    spec: {
      env: [
        { name: 'KEY', value: '***' },
        { name: 'REF', valueFrom: { fieldRef: {} } },
      ],
    },
  })
})

test.run()
