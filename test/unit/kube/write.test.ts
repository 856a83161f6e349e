/** What is asked of the API server to write, and what of it may be asked twice. */
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Asker } from '../../../src/adapters/kube/api/request.ts'
import { applying, creating, merging, removing, replacing } from '../../../src/adapters/kube/write.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'

type Ask = Parameters<Asker>[0]

const key = { resource: resources.ConfigMap, namespace: 'dev', name: 'a' }
const manager = { manager: 'test' }
const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', uid: 'u', resourceVersion: '1' } }

/** Keeps what was asked, and answers with an object. */
const asking = () => {
  const asks: Array<Ask> = []
  const ask: Asker = (one) => {
    asks.push(one)
    return TE.right({ status: 200, json: object, warnings: [] })
  }
  const last = (): Ask => {
    const one = asks.at(-1)
    if (one === undefined) throw new Error('nothing was asked')
    return one
  }
  return { ask, last }
}

test('a deletion with a uid may be retried, and one without may not', async () => {
  const { ask, last } = asking()
  await removing(ask)(key, { propagation: 'Foreground', uid: 'u' })()
  assert.equal(JSON.parse(last().body ?? ''), {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    propagationPolicy: 'Foreground',
    preconditions: { uid: 'u' },
  })
  assert.is(last().isRepeatable, true)
  await removing(ask)(key, { propagation: 'Background' })()
  assert.is(JSON.parse(last().body ?? '').preconditions?.uid, undefined)
  assert.is(last().isRepeatable, false)
})

test('an object that no longer exists counts as deleted', async () => {
  const asked = { verb: 'delete', what: 'ConfigMap/a' }
  const refusal = { _tag: 'Refused', asked, reason: '', message: '', causes: [] } as const
  const answered = (status: number): Asker => (() => TE.left({ ...refusal, status })) satisfies Asker
  assert.equal(await removing(answered(404))(key, { propagation: 'Background' })(), E.right('Absent'))
  assert.ok(E.isLeft(await removing(answered(403))(key, { propagation: 'Background' })()))
})

test('an apply with a uid or in a dry run may be retried', async () => {
  const { ask, last } = asking()
  await applying(ask, 'server')(key, JSON.stringify({ metadata: { name: 'a' } }), manager)()
  assert.is(last().isRepeatable, false)
  await applying(ask, 'server')(key, JSON.stringify({ metadata: { name: 'a', uid: 'u' } }), manager)()
  assert.is(last().isRepeatable, true)
  await applying(ask, 'server')(key, '{}', { ...manager, isDryRun: true })()
  assert.is(last().isRepeatable, true)
})

test('every dry run is marked as one for the server', async () => {
  const { ask, last } = asking()
  const trial = { ...manager, isDryRun: true }
  const writes = [
    () => applying(ask, 'server')(key, '{}', trial),
    () => creating(ask)(key, {}, trial),
    () => replacing(ask, 'server')(key, {}, trial),
    () => merging(ask, 'server')(key, {}, trial),
    () => removing(ask)(key, { propagation: 'Background', isDryRun: true }),
  ]
  for (const write of writes) {
    await write()()
    assert.match(last().path, 'dryRun=All')
  }
  await merging(ask, 'server')(key, {}, manager)()
  assert.not.match(last().path, 'dryRun')
})

test('a write with a resourceVersion is not retried, and one without may be', async () => {
  const { ask, last } = asking()
  const versioned = { metadata: { resourceVersion: '1' } }
  for (const write of [replacing(ask, 'server'), merging(ask, 'server')]) {
    await write(key, versioned, manager)()
    assert.equal([last().isRepeatable, last().repeatsStale], [false, false])
    await write(key, {}, manager)()
    assert.equal([last().isRepeatable, last().repeatsStale], [true, true])
  }
})

test.run()
