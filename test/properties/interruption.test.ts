/** No lock is left behind, whenever a run is interrupted, however long requests and their answers are on the way. */

import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { atMost, leavingMs } from '../../src/app/concurrency/deadline.ts'
import { acquire } from '../../src/app/environment/lock.ts'
import type { Failure } from '../../src/domain/cluster/failure.ts'
import { resources } from '../../src/domain/cluster/resources.ts'
import type { Cluster } from '../../src/ports/cluster.ts'
import { type MemoryClock, memoryClock } from '../memory/clock.ts'
import { memoryCluster } from '../memory/cluster.ts'
import { memoryMachine } from '../memory/machine.ts'
import { memoryProgress } from '../memory/progress.ts'

/** Of one request. `isLost`: the answer of a write never comes; reads are repeated until theirs does. */
type RequestDelays = { readonly thereMs: number; readonly backMs: number; readonly isLost: boolean }

const way: fc.Arbitrary<RequestDelays> = fc.record({
  thereMs: fc.nat(1500),
  backMs: fc.nat(1500),
  isLost: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
})

const asked = { verb: 'update', what: 'Lease/devtool-env-shop' }
const aborted: Failure = { _tag: 'Aborted', asked }
const lost: Failure = { _tag: 'Unreachable', asked, server: 'test', cause: 'reset', mayHaveHappened: true }

/** What has been sent reaches the server, also when the sender has gone. */
const distant = (cluster: Cluster, clock: MemoryClock, ways: ReadonlyArray<RequestDelays>): Cluster => {
  let sent = 0
  const slowly =
    <A>(request: TaskEither<Failure, A>, signal: AbortSignal | undefined, isWrite = true): TaskEither<Failure, A> =>
    async () => {
      const isAborted = (): boolean => signal?.aborted === true
      if (isAborted()) return E.left(aborted)
      const { backMs, isLost, thereMs } = ways[sent++ % ways.length] ?? { backMs: 0, isLost: false, thereMs: 0 }
      const answer = clock.sleep(thereMs).then(request)
      await clock.sleep(thereMs + backMs, signal)
      if (isAborted()) return E.left(aborted)
      return isLost && isWrite ? E.left(lost) : answer
    }
  return {
    ...cluster,
    get: (key, signal) => slowly(cluster.get(key), signal, false),
    create: (selection, body, options) => slowly(cluster.create(selection, body, options), options.signal),
    replace: (key, body, options) => slowly(cluster.replace(key, body, options), options.signal),
    remove: (key, options) => slowly(cluster.remove(key, options), options.signal),
  }
}

const hurried = fc.record({ endsMs: fc.nat(25_000), ways: fc.array(way, { minLength: 1, maxLength: 12 }) })

test('an interruption at any moment leaves no lock behind', async () => {
  let held = 0
  await fc.assert(
    fc.asyncProperty(hurried, async ({ endsMs, ways }) => {
      const clock = memoryClock()
      const near = memoryCluster({ objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'dev' } }] })
      const target = { cluster: distant(near, clock, ways), namespace: 'dev' }
      const machine = memoryMachine('me')
      const stop = new AbortController()
      const { signal } = stop
      let isOver = false
      const run = async (): Promise<void> => {
        const locking = { breaks: false, waitsMs: 0, signal }
        const lock = await acquire({ clock, machine, progress: memoryProgress() })(target, 'shop', locking)()
        if (E.isRight(lock)) {
          held += 1
          await clock.sleep(20_000, signal)
          await atMost(clock, leavingMs(signal), lock.right.release)
        }
        isOver = true
      }
      clock.after(endsMs, () => stop.abort('SIGINT'))
      void run()
      await clock.advance(90_000)
      assert.ok(isOver, 'the run has ended')
      const left = await near.get({ resource: resources.Lease, namespace: 'dev', name: 'devtool-env-shop' })()
      assert.equal(left, E.right(undefined))
    }),
    { numRuns: 150 },
  )
  assert.ok(held > 100, 'most runs held the lock')
})

test.run()
