/** Which ends of a development container its memory was the cause of. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import type { ClusterObject } from '../../../src/domain/cluster/live.ts'
import { memoryKills } from '../../../src/domain/dev/memory-kills.ts'

const limited = { resources: { limits: { memory: '96Mi' } } }
const killed = { terminated: { exitCode: 137, reason: 'OOMKilled' } }
const running = { running: {} }

const podOf = (status: JsonObject, spec: JsonObject = limited): ReadonlyArray<ClusterObject> => [
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'api-1', uid: 'u1', resourceVersion: '1' },
    spec: { containers: [{ name: 'app', ...spec }] },
    status: { containerStatuses: [{ name: 'app', ...status }] },
  },
]

const keysOf = (status: JsonObject): ReadonlyArray<string> => [...memoryKills(podOf(status), 'app').keys()]

test('an end is the same before and after the container is started again, and the next is another', () => {
  const first = keysOf({ restartCount: 0, state: killed })
  assert.is(first.length, 1)
  assert.equal(keysOf({ restartCount: 1, state: running, lastState: killed }), first)
  assert.not.equal(keysOf({ restartCount: 1, state: killed, lastState: killed }), first)
})

test('the limit is named, if there is one', () => {
  const said = (spec: JsonObject) => [...memoryKills(podOf({ restartCount: 0, state: killed }, spec), 'app').values()]
  assert.equal(said(limited), ['the development container was killed: it exceeded its memory limit of 96Mi'])
  assert.equal(said({}), ['the development container was killed: the node ran out of memory'])
})

test('other ends, and those of other containers, are none of them', () => {
  const failed = { terminated: { exitCode: 1, reason: 'Error' } }
  assert.equal(keysOf({ restartCount: 1, state: running, lastState: failed }), [])
  assert.equal(keysOf({ restartCount: 2, state: failed, lastState: killed }), [])
  assert.equal([...memoryKills(podOf({ restartCount: 0, state: killed }), 'side')], [])
})

test.run()
