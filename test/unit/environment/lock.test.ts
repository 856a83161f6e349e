/** The lock of an environment against an API server in memory, on a clock that the test turns. */
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { acquire, type Lock } from '../../../src/app/environment/lock.ts'
import { textAt } from '../../../src/domain/cluster/json.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import type { Diagnostic } from '../../../src/domain/diagnostic/diagnostic.ts'
import { type MemoryClock, memoryClock } from '../../memory/clock.ts'
import { type MemoryCluster, memoryCluster } from '../../memory/cluster.ts'
import { memoryMachine } from '../../memory/machine.ts'
import { memoryProgress } from '../../memory/progress.ts'
import type { ScriptedFailure } from '../../memory/script.ts'

const name = 'devtool-env-shop'
const key = { resource: resources.Lease, namespace: 'dev', name }
const what = `Lease/${name}`

const leaseOf = (holderIdentity: string, renewTime = '1', process = '') => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name, namespace: 'dev', annotations: { 'dev.devtool/process': process } },
  spec: { holderIdentity, renewTime },
})

type Scene = { readonly cluster: MemoryCluster; readonly clock: MemoryClock }

const scene = (...objects: ReadonlyArray<ReturnType<typeof leaseOf>>): Scene => ({
  cluster: memoryCluster({ objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'dev' } }, ...objects] }),
  clock: memoryClock(),
})

const claim = ({ clock, cluster }: Scene, holder = 'me', signal = new AbortController().signal, waitsMs = 0) =>
  acquire({ clock, machine: memoryMachine(holder), progress: memoryProgress() })(
    { cluster, namespace: 'dev' },
    'shop',
    { breaks: false, signal, waitsMs },
  )()

/** What became of it, once it has. */
const outcomeOf = (claimed: Promise<E.Either<Diagnostic, Lock>>): (() => string) => {
  let outcome = 'waiting'
  const follow = async (): Promise<void> => {
    const result = await claimed
    outcome = E.isLeft(result) ? result.left.code : 'held'
  }
  void follow()
  return () => outcome
}

const held = async (world: Scene, holder = 'me'): Promise<Lock> => {
  const claimed = claim(world, holder)
  await world.clock.advance(0)
  const lock = await claimed
  if (E.isLeft(lock)) throw new Error(lock.left.message)
  return lock.right
}

const holderIn = async ({ cluster }: Scene): Promise<string | undefined> => {
  const read = await cluster.get(key)()
  return E.isRight(read) ? textAt(read.right, 'spec', 'holderIdentity') : undefined
}

const unanswered: ScriptedFailure = { verb: 'update', what, status: 0, mayHaveHappened: true }

/** What the lock says once it has been waited for, and how long that took. */
const checked = async ({ clock }: Scene, lock: Lock): Promise<{ readonly message?: string; readonly ms: number }> => {
  const begin = clock.now()
  const state = { isOver: false }
  const check = async () => {
    const lost = await lock.check()
    state.isOver = true
    return { ...(lost === undefined ? {} : { message: lost.message }), ms: clock.now() - begin }
  }
  const checking = check()
  await clock.advance(0)
  while (!state.isOver) await clock.advance(200)
  return checking
}

test('a lock that was not renewed for 20 seconds holds up the next write, and is given up after 20 more', async () => {
  const world = scene()
  const lock = await held(world)
  world.cluster.fail(unanswered)
  await world.clock.advance(20_000)
  assert.equal(await checked(world, lock), { ms: 0 })
  await world.clock.advance(1)
  const { message = '', ms } = await checked(world, lock)
  assert.match(message, 'it could not be renewed')
  assert.is(ms, 20_000)
  assert.is((await checked(world, lock)).ms, 0)
})

test('a write that was held up goes on once the lock is renewed', async () => {
  const world = scene()
  const lock = await held(world)
  world.cluster.fail({ ...unanswered, times: 11 })
  await world.clock.advance(25_000)
  assert.equal(await checked(world, lock), { ms: 7000 })
})

test('a lock that was renewed after a write was given up holds up a later write as long as the first', async () => {
  const world = scene()
  const lock = await held(world)
  world.cluster.fail({ ...unanswered, times: 25 })
  await world.clock.advance(25_000)
  assert.is((await checked(world, lock)).ms, 20_000)
  await world.clock.advance(40_000)
  world.cluster.fail(unanswered)
  await world.clock.advance(31_000)
  const { message = '', ms } = await checked(world, lock)
  assert.match(message, 'it could not be renewed')
  assert.is(ms, 20_000)
})

test('a write that was held up while somebody else took the lock is not done', async () => {
  const world = scene()
  const lock = await held(world)
  world.cluster.fail({ ...unanswered, times: 8 })
  await world.clock.advance(25_000)
  world.cluster.put(leaseOf('thief'))
  assert.match((await checked(world, lock)).message ?? '', 'thief took it')
})

test('a run that is asked to end does not wait for the lock', async () => {
  const world = scene()
  const ends = new AbortController()
  const claimed = claim(world, 'me', ends.signal)
  await world.clock.advance(0)
  const lock = await claimed
  if (E.isLeft(lock)) throw new Error(lock.left.message)
  world.cluster.fail(unanswered)
  await world.clock.advance(25_000)
  ends.abort()
  assert.is((await lock.right.check())?.code, 'DT3111')
})

test('a lock is renewed every 10 seconds, and writes are allowed as long as that succeeds', async () => {
  const world = scene()
  const lock = await held(world)
  for (let second = 1; second <= 120; second += 1) {
    await world.clock.advance(1000)
    assert.is(await lock.check(), undefined)
  }
  assert.is(world.cluster.asked().filter(({ verb }) => verb === 'update').length, 12)
})

test('a renewal whose response was lost keeps the lock', async () => {
  const world = scene()
  const lock = await held(world)
  world.cluster.fail({ ...unanswered, isDone: true, times: 1 })
  await world.clock.advance(60_000)
  assert.is(await lock.check(), undefined)
  await lock.release()
  assert.is(await holderIn(world), undefined)
})

test('a failed renewal is retried after 2 seconds', async () => {
  const world = scene()
  const lock = await held(world)
  world.cluster.fail({ ...unanswered, times: 3 })
  await world.clock.advance(16_000)
  assert.is(world.cluster.asked().filter(({ verb }) => verb === 'update').length, 4)
  await world.clock.advance(20_000)
  assert.is(await lock.check(), undefined)
})

test('the new holder of a lock is named, and the Lease is not overwritten', async () => {
  const world = scene()
  const lock = await held(world)
  world.cluster.put(leaseOf('thief'))
  await world.clock.advance(10_000)
  assert.match((await lock.check())?.message ?? '', 'thief took it')
  await lock.release()
  assert.is(await holderIn(world), 'thief')
})

test('a deleted lock is lost and not recreated', async () => {
  const world = scene()
  const lock = await held(world)
  world.cluster.take('Lease', name, 'dev')
  await world.clock.advance(10_000)
  assert.match((await lock.check())?.message ?? '', 'it was deleted')
  await lock.release()
  assert.is(await holderIn(world), undefined)
})

test('the lock of a dead holder is taken after 30 seconds and not before', async () => {
  const world = scene(leaseOf('gone'))
  const outcome = outcomeOf(claim(world))
  await world.clock.advance(29_999)
  assert.is(outcome(), 'waiting')
  await world.clock.advance(2_001)
  assert.is(outcome(), 'held')
  assert.is(await holderIn(world), 'me')
})

test('the lock of a process of this machine that has ended is taken at once', async () => {
  const world = scene(leaseOf('gone', '1', 'gone'))
  const ports = { clock: world.clock, progress: memoryProgress() }
  const machine = memoryMachine('me', 'me', { mark: 'mine', hasEnded: (mark) => mark === 'gone' })
  const options = { breaks: false, waitsMs: 0, signal: new AbortController().signal }
  const target = { cluster: world.cluster, namespace: 'dev' }
  const outcome = outcomeOf(acquire({ ...ports, machine })(target, 'shop', options)())
  await world.clock.advance(0)
  assert.is(outcome(), 'held')
  const read = await world.cluster.get(key)()
  const mark = E.isRight(read) ? textAt(read.right, 'metadata', 'annotations', 'dev.devtool/process') : undefined
  assert.is(mark, 'mine')
})

test('a renewal by the holder is respected as soon as it is seen', async () => {
  const world = scene(leaseOf('other'))
  const outcome = outcomeOf(claim(world))
  await world.clock.advance(5_000)
  world.cluster.put(leaseOf('other', '2'))
  await world.clock.advance(2_000)
  assert.is(outcome(), 'DT3110')
  assert.is(await holderIn(world), 'other')
})

test('a claim whose response was lost is found on the next read', async () => {
  const world = scene()
  world.cluster.fail({ ...unanswered, verb: 'create', what: 'leases.coordination.k8s.io', isDone: true, times: 1 })
  const outcome = outcomeOf(claim(world))
  await world.clock.advance(2_000)
  assert.is(outcome(), 'held')
})

test('of two runs that want a free lock one gets it and the other is refused', async () => {
  const world = scene()
  const outcomes = [outcomeOf(claim(world, 'a')), outcomeOf(claim(world, 'b'))]
  await world.clock.advance(60_000)
  assert.equal(outcomes.map((outcome) => outcome()).toSorted(), ['DT3110', 'held'])
})

test('waiting for a lock stops when the run ends', async () => {
  const world = scene(leaseOf('other'))
  const stop = new AbortController()
  const claimed = claim(world, 'me', stop.signal)
  await world.clock.advance(3_000)
  stop.abort()
  assert.ok(E.isLeft(await claimed))
  assert.is(await holderIn(world), 'other')
})

test('a release without response is tried four times, and never fails', async () => {
  const world = scene()
  const lock = await held(world)
  world.cluster.fail({ ...unanswered, verb: 'delete' })
  const released = lock.release()
  await world.clock.advance(10_000)
  await released
  assert.is(world.cluster.asked().filter(({ verb }) => verb === 'delete').length, 4)
})

test('without permission to delete the Lease, a release removes its holder', async () => {
  const world = scene()
  const lock = await held(world)
  world.cluster.fail({ verb: 'delete', what, status: 403 })
  assert.equal(await lock.release(), ['devtool-env-shop'])
  assert.is(await holderIn(world), '')
})

test('a run that waits for the lock gets it when it is released, and prints its holder and age', async () => {
  const world = scene()
  const other = await held(world, 'other')
  const said = memoryProgress()
  const outcome = outcomeOf(
    acquire({
      clock: world.clock,
      machine: memoryMachine('me'),
      progress: said,
    })({ cluster: world.cluster, namespace: 'dev' }, 'shop', {
      breaks: false,
      waitsMs: 60_000,
      signal: new AbortController().signal,
    })(),
  )
  await world.clock.advance(50_000)
  assert.is(outcome(), 'waiting')
  assert.equal(said.events(), [{ _tag: 'Said', text: 'waiting for the lock of other since 2026-11-21T10:00:00Z' }])
  await other.release()
  await world.clock.advance(2_000)
  assert.is(outcome(), 'held')
})

test('a run that waited for the lock until its limit is refused', async () => {
  const world = scene()
  await held(world, 'other')
  const outcome = outcomeOf(claim(world, 'me', new AbortController().signal, 60_000))
  await world.clock.advance(59_000)
  assert.is(outcome(), 'waiting')
  await world.clock.advance(3_000)
  assert.is(outcome(), 'DT3110')
})

test('a lock that somebody else took meanwhile is not released', async () => {
  const world = scene()
  const lock = await held(world)
  world.cluster.put(leaseOf('thief'))
  await lock.release()
  assert.is(await holderIn(world), 'thief')
})

test('a release succeeds though the last renewal was lost', async () => {
  const world = scene()
  const lock = await held(world)
  world.cluster.fail({ ...unanswered, isDone: true, times: 1 })
  await world.clock.advance(10_000)
  await lock.release()
  assert.is(await holderIn(world), undefined)
})

test('a release looks again when it could not see who changed the lock', async () => {
  const world = scene()
  const lock = await held(world)
  world.cluster.fail({ verb: 'delete', what, status: 409, times: 1 })
  world.cluster.fail({ verb: 'get', what, status: 500, times: 1 })
  const released = lock.release()
  await world.clock.advance(10_000)
  await released
  assert.is(await holderIn(world), undefined)
})

test.run()
