/** Attempts to connect to an agent that takes its time, and what is said about them. */
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type DialFailure, dialAgent } from '../../../src/app/dev/dial.ts'
import { healing } from '../../../src/app/dev/healing.ts'
import type { Link, LinkFailure, Links } from '../../../src/ports/link.ts'
import { memoryClock } from '../../memory/clock.ts'
import { memoryPods } from '../../memory/pods.ts'

const name = 'api-1'
const link: Link = {
  run: () => () => new Promise(() => {}),
  forward: () => () => new Promise(() => {}),
  subsystem: () => () => new Promise(() => {}),
  listen: () => () => new Promise(() => {}),
  closed: () => new Promise(() => {}),
  close: () => {},
}

/** The API server always connects; the agent answers after `needs` ms. `dialled`: how an attempt ends then. */
const world = () => {
  const clock = memoryClock()
  const { control, pods } = memoryPods('memory', () => undefined)
  control.serve(`demo/${name}`, 2222, () => {})
  let needsMs = 0
  const limits: Array<number> = []
  const connect: Links['connect'] = (bytes, _keys, limitMs) => async () => {
    limits.push(limitMs)
    const givenUp = new AbortController()
    if ('once' in bytes) bytes.once('close', () => givenUp.abort())
    await clock.sleep(Math.min(needsMs, limitMs), givenUp.signal)
    const isInTime = needsMs < limitMs && !givenUp.signal.aborted
    return isInTime ? E.right(link) : E.left<LinkFailure>({ _tag: 'Lost', reason: 'it took too long' })
  }
  const target = {
    cluster: { pods },
    namespace: 'demo',
    container: 'app',
    port: 2222,
    keys: { client: 'c', host: 'h' },
  }
  const dial = dialAgent({ clock, links: { connect } }, target)
  const dialled = async (ms: number): Promise<E.Either<DialFailure, Link>> => {
    needsMs = ms
    const ended = dial(name, new AbortController().signal)()
    const later = async (): Promise<void> => {
      for (let left = 200; left > 0; left -= 1) await clock.advance(250)
    }
    const [result] = await Promise.all([ended, later()])
    return result
  }
  const needs = (ms: number): void => {
    needsMs = ms
  }
  return { clock, dial, dialled, limits, needs }
}

test('the time limit for an agent grows with each attempt, and starts over after a success', async () => {
  const { dialled, limits } = world()
  const results: Array<boolean> = []
  for (let time = 0; time < 3; time += 1) results.push(E.isRight(await dialled(8000)))
  assert.equal(results, [false, false, true])
  assert.equal([...new Set(limits)], [3000, 6000, 12_000])
  limits.length = 0
  await dialled(100)
  assert.equal(limits, [3000])
})

test('no attempt lasts longer than twelve seconds, so that trouble is reported soon', async () => {
  const { dialled, limits } = world()
  for (let time = 0; time < 6; time += 1) assert.ok(E.isLeft(await dialled(60_000)))
  assert.is(Math.max(...limits), 12_000)
})

test('an agent that accepts connections and does not answer is reported within six seconds, and tried with growing limits', async () => {
  const { clock, dial, limits, needs } = world()
  const told: Array<string> = []
  const healed = healing({ clock }, { dial, patienceMs: 600_000 }, ({ _tag }) => told.push(`${_tag} ${clock.now()}`))
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 250) await clock.advance(250)
  }
  needs(60_000)
  healed.send({ _tag: 'Pod', pod: { name, uid: 'one' }, atMs: clock.now() })
  await pass(6000)
  assert.equal(told, ['Trouble 3000'])
  await pass(60_000)
  assert.is(told.length, 1, 'it is said once')
  assert.is(Math.max(...limits), 12_000)
  needs(5000)
  await pass(20_000)
  assert.match(told[1] ?? '', /^Connected /)
  assert.is(told.length, 2)
  healed.send({ _tag: 'End', end: { _tag: 'Closed', reason: 'the test is over' } })
})

test.run()
