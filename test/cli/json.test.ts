/** What commands print with `-o json` is what docs/json.md says: each document is read by the codec it is published with. */
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { documents } from '../../scripts/json-reference.ts'
import { emptyRecord, recordBody } from '../../src/domain/environment/record.ts'
import { printJson } from '../../src/domain/print/json.ts'
import { buildWorld } from '../support/build/world.ts'

const team = 'registry.example.com/team'
const files = {
  'compose.yaml': `name: shop
services:
  web:
    build: web
    ports: ["80"]
    secrets: [key]
secrets: { key: { environment: KEY } }
`,
  'web/Dockerfile': 'FROM scratch\nCOPY page /\n',
  'web/page': 'one',
}
const workload = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'demo', labels: { 'dev.devtool/environment': 'shop' } },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: {}, spec: { containers: [] } },
  },
}
const record = E.toUnion(recordBody('demo', { ...emptyRecord('shop'), status: 'deployed' }))
const ingress = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { name: 'web', namespace: 'demo', labels: { 'dev.devtool/environment': 'shop' } },
  spec: { rules: [{ host: 'shop.test', http: { paths: [{ path: '/', backend: { service: { name: 'web' } } }] } }] },
}

/** By the name of the document: the command lines that print it. */
const commands: Readonly<Record<string, ReadonlyArray<string>>> = {
  deploy: ['deploy', '--yes', '--registry', team, '-f', 'compose.yaml'],
  'deploy --dry-run': ['deploy', '--dry-run', '--registry', team],
  'deploy --diff, deploy --dry-run=server': ['deploy', '--diff', '--registry', team],
  build: ['build', '--registry', team],
  destroy: ['destroy', '--dry-run'],
  why: ['why'],
  list: ['list'],
  'list ENVIRONMENT': ['list', 'shop'],
  endpoints: ['endpoints'],
  'doctor --check': ['doctor', '--check'],
  validate: ['validate'],
  'context list': ['context', 'list'],
  'context show': ['context', 'show'],
  'explain CODE': ['explain', 'DT1012'],
  'explain FIELD': ['explain', 'services.web.image'],
  explain: ['explain'],
  version: ['version'],
  analytics: ['analytics'],
}

for (const { codec, name } of documents) {
  const argv = commands[name]
  test(`${name} prints the document that is published for it, and nothing more`, async () => {
    if (argv === undefined) throw new Error(`there is no command line for ${name}`)
    const objects = name.startsWith('deploy') ? [] : [workload, ingress, JSON.parse(printJson(record))]
    const { run } = buildWorld({ files, env: { KEY: 'secret' }, memory: { namespace: 'demo', cluster: { objects } } })
    const { stderr, stdout } = await run(...argv, '-o', 'json')
    assert.is.not(stdout, '', stderr)
    const printed: unknown = JSON.parse(stdout)
    const read = codec.decode(printed)
    assert.ok(E.isRight(read), `${stdout}\n${JSON.stringify(E.isLeft(read) ? read.left.slice(0, 2) : [])}`)
    assert.equal(JSON.parse(JSON.stringify(codec.encode(printed))), printed)
  })
}

test.run()
