/** `down`, and the session in the background that ends because of it. */
import { readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type JsonObject, objectAt, textAt } from '../../src/domain/cluster/json.ts'
import { buildWorld } from '../support/build/world.ts'

const PID = 77

const developed = (): ReadonlyArray<JsonObject> =>
  JSON.parse(
    readFileSync('test/golden/codes/DT5058/cluster.json', 'utf8')
      .replaceAll('"namespace": "default"', '"namespace": "demo"')
      .replace(String.raw`\"machine\": \"laptop\"`, String.raw`\"isDetached\": true, \"machine\": \"desk\"`),
  ).objects

/** `looks`: how often it is seen running. */
const down = (looks: number) => {
  let left = looks
  const isRunning = (pid: number): boolean => {
    assert.is(pid, PID)
    left -= 1
    return left >= 0
  }
  const memory = { namespace: 'demo', cluster: { objects: developed() }, ports: { thisProcess: { pid: 1, isRunning } } }
  return buildWorld({ files: {}, memory }).run('down', 'api', '--take-over')
}

test('while a background session takes long to end, down reports what it waits for', async () => {
  const { status, stderr } = await down(300)
  assert.is(status, 0, stderr)
  assert.match(stderr, `waiting for its session in the background to end, process ${PID}`)
  assert.match(stderr, 'Deployment/api is restored')
  assert.not.match(stderr, 'has not ended')
})

test('the wait for a session that never ends has a limit, after which the session is named', async () => {
  const { status, stderr } = await down(Number.POSITIVE_INFINITY)
  assert.is(status, 0, stderr)
  assert.match(stderr, `api: process ${PID} has not ended yet`)
  assert.match(stderr, 'Deployment/api is restored')
})

test('a session that has already ended is not mentioned', async () => {
  const { stderr } = await down(1)
  assert.not.match(stderr, 'session')
})

test('by its name, a development container is ended whatever the files of the folder are', async () => {
  for (const text of ['services: [', 'name: other\nservices: { api: { image: nginx } }\n']) {
    const memory = { namespace: 'demo', cluster: { objects: developed() } }
    const world = buildWorld({ files: { 'compose.yaml': text }, memory })
    const { status, stderr } = await world.run('down', 'api', '--take-over')
    assert.is(status, 0, stderr)
    assert.match(stderr, 'Deployment/api is restored')
  }
})

const scaledObjects = {
  group: 'keda.sh',
  version: 'v1alpha1',
  plural: 'scaledobjects',
  kind: 'ScaledObject',
  isNamespaced: true,
}

const withScaler = (object: JsonObject): JsonObject => {
  const record = textAt(object, 'data', 'record')
  if (record === undefined) return object
  const touched = [{ resource: scaledObjects, name: 'queue', uid: 's1', changes: [] }]
  return {
    ...object,
    data: { ...objectAt(object, 'data'), record: JSON.stringify({ ...JSON.parse(record), touched }) },
  }
}

test('nothing is restored by somebody who may not see or change all that was changed', async () => {
  for (const verb of ['list', 'patch']) {
    const cluster = { objects: developed().map(withScaler), denied: [`${verb} scaledobjects`] }
    const world = buildWorld({ files: {}, memory: { namespace: 'demo', cluster } })
    for (let times = 0; times < 2; times += 1) {
      const { status, stderr } = await world.run('down', 'api', '--take-over')
      assert.is(status, 4, stderr)
      assert.match(stderr, `DT5054: not allowed in namespace demo: ${verb} scaledobjects.keda.sh`)
      assert.match(stderr, 'ScaledObject/queue would stay unchanged')
    }
  }
})

const claim = (name: string, dev: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: {
    name,
    namespace: 'demo',
    labels: { 'dev.devtool/kind': 'up', 'dev.devtool/mirror': name, ...more },
    annotations: { 'dev.devtool/dev': dev },
  },
})

test('with --volumes, the volume of an earlier session is deleted, and no other', async () => {
  const left = 'devtool-up-deployment-web'
  const foreign = claim('data', 'web', { 'dev.devtool/kind': 'other' })
  const objects = [...developed(), claim(left, 'web'), claim('devtool-up-deployment-db', 'db'), foreign]
  const world = buildWorld({ files: {}, memory: { namespace: 'demo', cluster: { objects } } })
  const plain = await world.run('down', 'web')
  assert.match(plain.stderr, 'nothing to do here')
  const { status, stderr } = await world.run('down', 'web', '--volumes')
  assert.is(status, 0, stderr)
  assert.equal(stderr.match(/^PersistentVolumeClaim.*$/gm), [`PersistentVolumeClaim/${left} is deleted`])
})

test("the volume of another developer's session is not deleted", async () => {
  const objects = [...developed(), claim('devtool-up-deployment-api', 'web')]
  const { stderr } = await buildWorld({ files: {}, memory: { namespace: 'demo', cluster: { objects } } }).run(
    'down',
    'web',
    '--volumes',
  )
  assert.match(stderr, 'nothing to do here')
})

test.run()
