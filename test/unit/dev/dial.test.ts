/** Attempts to connect to an agent that takes its time, and what is said about them. */
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type AgentTarget, type DialFailure, dialAgent } from '../../../src/app/dev/dial.ts'
import { healing } from '../../../src/app/dev/healing.ts'
import type { ApiRequest, Failure } from '../../../src/domain/cluster/failure.ts'
import type { Link, LinkFailure, Links } from '../../../src/ports/link.ts'
import type { Pods } from '../../../src/ports/pods.ts'
import { memoryClock, settle } from '../../memory/clock.ts'
import { memoryPods } from '../../memory/pods.ts'

const name = 'api-1'
const link: Link = {
  run: () => () => new Promise(() => {}),
  forward: () => () => new Promise(() => {}),
  subsystem: () => () => new Promise(() => {}),
  listen: () => () => new Promise(() => {}),
  closed: () => new Promise(() => {}),
  close: () => {},
  drop: () => {},
}

const targetIn = (pods: Pods): AgentTarget => ({
  cluster: { pods },
  namespace: 'demo',
  container: 'app',
  port: 2222,
  keys: { client: 'c', host: 'h' },
})

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
  const dial = dialAgent({ clock, links: { connect } }, targetIn(pods))
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

const forbidden = (asked: ApiRequest): Failure => ({
  _tag: 'Refused',
  asked,
  status: 403,
  reason: 'Forbidden',
  message: 'pods "api-1" is forbidden',
  causes: [],
})

/** Ports may not be forwarded. Agents that run as commands are counted until their connections end. */
const commandWorld = ({ isAnswering, needsMs }: { readonly isAnswering: boolean; readonly needsMs: number }) => {
  const clock = memoryClock()
  const { control, pods } = memoryPods('memory', (_pod, asked) =>
    asked.verb === 'forward ports of' ? forbidden(asked) : undefined,
  )
  const counted = { started: 0, running: 0 }
  control.runs(`demo/${name}`, (_command, { stdin }) => {
    counted.started += 1
    counted.running += 1
    return new Promise((resolve) =>
      stdin.once('close', () => {
        counted.running -= 1
        resolve(0)
      }),
    )
  })
  let lose = (): void => {}
  const connect: Links['connect'] = (_bytes, _keys, limitMs) => async () => {
    await clock.sleep(Math.min(needsMs, limitMs))
    if (!isAnswering || needsMs >= limitMs) return E.left<LinkFailure>({ _tag: 'Lost', reason: 'no answer' })
    const closed = new Promise<string>((resolve) => {
      lose = () => resolve('it was cut')
    })
    return E.right({ ...link, closed: () => closed })
  }
  return { clock, counted, dial: dialAgent({ clock, links: { connect } }, targetIn(pods)), lose: () => lose() }
}

test('an agent that runs as a command is started once for each attempt, and its connection ends with the attempt or the link', async () => {
  const given = {
    isAnswering: fc.boolean(),
    needsMs: fc.integer({ min: 0, max: 5000 }),
    abortAtMs: fc.option(fc.integer({ min: 0, max: 5000 }), { nil: undefined }),
  }
  await fc.assert(
    fc.asyncProperty(fc.record(given), async ({ abortAtMs, ...about }) => {
      const { clock, counted, dial, lose } = commandWorld(about)
      const stop = new AbortController()
      if (abortAtMs !== undefined) clock.after(abortAtMs, () => stop.abort())
      const dialling = dial(name, stop.signal)()
      for (let left = 24; left > 0; left -= 1) await clock.advance(250)
      const dialled = await dialling
      assert.is(counted.started, 1)
      if (E.isRight(dialled) && !stop.signal.aborted) assert.is(counted.running, 1)
      lose()
      await settle()
      assert.is(counted.running, 0)
    }),
    { numRuns: 50 },
  )
})

test('why the agent could not be run as a command is the reason of the failure', async () => {
  const { control, pods } = memoryPods('memory', (_pod, asked) =>
    asked.verb === 'forward ports of' ? forbidden(asked) : undefined,
  )
  control.runs(`demo/${name}`, async () => undefined)
  const connect: Links['connect'] = (bytes) => async () => {
    if ('stdin' in bytes) await new Promise((resolve) => bytes.stdin.once('close', resolve))
    return E.left<LinkFailure>({ _tag: 'Lost', reason: 'the connection was closed before it was ready' })
  }
  const clock = memoryClock()
  const dialling = dialAgent({ clock, links: { connect } }, targetIn(pods))(name, new AbortController().signal)()
  for (let left = 4; left > 0; left -= 1) await clock.advance(250)
  const dialled = await dialling
  assert.match(E.isLeft(dialled) ? dialled.left.reason : '', 'executable file not found')
})

test.run()
