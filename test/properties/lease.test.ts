/** The lock under delays, lost answers, stalls and crashes of many who want it, on a clock of numbers. */
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Failure } from '../../src/domain/cluster/failure.ts'
import { textAt } from '../../src/domain/cluster/json.ts'
import type { ClusterObject } from '../../src/domain/cluster/live.ts'
import {
  beginClaim,
  type Claim,
  type LeaseEvent,
  type LeaseStep,
  lostLock,
  stepLease,
} from '../../src/domain/environment/lease.ts'

const asked = { verb: 'update', what: 'Lease/x' }
const unanswered: Failure = { _tag: 'Unreachable', asked, server: 's', cause: 'c', mayHaveHappened: true }
const conflict: Failure = { _tag: 'Refused', asked, status: 409, reason: 'Conflict', message: '', causes: [] }

/** The one Lease, as a server keeps it. */
const leaseServer = () => {
  let [live, version]: [ClusterObject | undefined, number] = [undefined, 0]
  const put = (holder: string): ClusterObject => {
    version += 1
    const metadata = { name: 'x', uid: 'u', resourceVersion: String(version) }
    live = { apiVersion: 'v1', kind: 'Lease', metadata, spec: { holderIdentity: holder } }
    return live
  }
  return {
    read: () => live,
    write: (over: ClusterObject | undefined, holder: string): ClusterObject | undefined =>
      over?.metadata.resourceVersion === live?.metadata.resourceVersion ? put(holder) : undefined,
  }
}

/** Of one step: how long the request and its answer are on the way, whether it is lost, and when. */
type Chance = {
  readonly thereMs: number
  readonly backMs: number
  readonly fate: 'fine' | 'lost' | 'answer lost'
  readonly stallMs: number
}

const chance: fc.Arbitrary<Chance> = fc.record({
  thereMs: fc.oneof(fc.nat(50), fc.nat(20_000)),
  backMs: fc.oneof(fc.nat(50), fc.nat(20_000)),
  fate: fc.oneof(
    { weight: 4, arbitrary: fc.constant('fine' as const) },
    fc.constantFrom('lost' as const, 'answer lost' as const),
  ),
  stallMs: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.nat(90_000)),
})

type Actor = { readonly beginMs: number; readonly steps: number; readonly chances: ReadonlyArray<Chance> }

const actor: fc.Arbitrary<Actor> = fc.record({
  beginMs: fc.nat(60_000),
  steps: fc.nat(60),
  chances: fc.array(chance, { minLength: 1, maxLength: 40 }),
})

type Later = { readonly atMs: number; readonly run: (atMs: number) => void }

type World = { readonly actors: ReadonlyArray<Actor>; readonly endMs: number; readonly isOneMachine?: boolean }

/**
 * Runs what is to happen in the order of time. `watch` is called after each of it. On one machine it is known which
 * processes have ended.
 */
const simulate = (
  { actors, endMs, isOneMachine = false }: World,
  watch: (states: ReadonlyArray<LeaseStep>, atMs: number) => void,
) => {
  const server = leaseServer()
  const ended = new Set<string>()
  const queue: Array<Later> = []
  const later = (atMs: number, run: Later['run']): unknown => queue.push({ atMs, run })
  const steps: Array<LeaseStep> = actors.map(() => ({ state: { _tag: 'Released' }, command: { _tag: 'Stop' } }))

  const act = ({ chances, steps: most }: Actor, index: number) => {
    const claim: Claim = { what: 'e', holder: `holder-${index}`, breaks: false, waitsMs: 0 }
    let taken = 0
    const happen = (event: LeaseEvent): void => {
      steps[index] = stepLease(claim, (steps[index] ?? beginClaim(0)).state, event)
      go(event.atMs)
    }
    /** Whoever has no steps left has crashed: it says nothing more. */
    const go = (nowMs: number): void => {
      const command = steps[index]?.command
      const { backMs, fate, stallMs, thereMs } = chances[taken % chances.length] ?? {
        backMs: 0,
        fate: 'fine',
        stallMs: 0,
        thereMs: 0,
      }
      taken += 1
      if (command === undefined || command._tag === 'Stop' || command._tag === 'Remove') return
      if (taken > most) {
        if (!isOneMachine) return
        steps[index] = { state: { _tag: 'Released' }, command: { _tag: 'Stop' } }
        ended.add(claim.holder)
        return
      }
      const base = { isEnding: false }
      if (command._tag === 'Sleep') {
        later(nowMs + command.ms + stallMs, (atMs) => happen({ ...base, _tag: 'Slept', atMs }))
        return
      }
      const isLook = command._tag === 'Look'
      if (fate === 'lost') {
        const _tag = isLook ? 'ReadFailed' : 'WriteFailed'
        later(nowMs + thereMs, (atMs) => happen({ ...base, _tag, failure: unanswered, atMs }))
        return
      }
      later(nowMs + thereMs, (atMs) => {
        const live = isLook ? server.read() : server.write(command.live, command.holder)
        const isAbandoned = ended.has(textAt(live, 'spec', 'holderIdentity') ?? '')
        const answer = (answeredMs: number): void => {
          const at = { ...base, atMs: answeredMs }
          if (fate === 'answer lost')
            happen({ ...at, _tag: isLook ? 'ReadFailed' : 'WriteFailed', failure: unanswered })
          else if (isLook) happen({ ...at, _tag: 'Read', live, isAbandoned })
          else if (live === undefined) happen({ ...at, _tag: 'WriteFailed', failure: conflict })
          else happen({ ...at, _tag: 'Written', live })
        }
        later(atMs + backMs + stallMs, answer)
      })
    }
    later(actors[index]?.beginMs ?? 0, (atMs) => {
      steps[index] = beginClaim(atMs)
      go(atMs)
    })
  }
  for (const [index, one] of actors.entries()) act(one, index)
  for (;;) {
    const first = queue.toSorted((a, b) => a.atMs - b.atMs)[0]
    if (first === undefined || first.atMs > endMs) return
    queue.splice(queue.indexOf(first), 1)
    first.run(first.atMs)
    watch(steps, first.atMs)
  }
}

const holders = (steps: ReadonlyArray<LeaseStep>, atMs: number): number =>
  steps.filter(({ state }) => state._tag === 'Held' && lostLock('e', state, atMs) === undefined).length

test('at most one run holds the lock at a time', () => {
  let held = 0
  fc.assert(
    fc.property(fc.array(actor, { minLength: 2, maxLength: 4 }), fc.boolean(), (actors, isOneMachine) => {
      simulate({ actors, endMs: 600_000, isOneMachine }, (steps, atMs) => {
        const count = holders(steps, atMs)
        held += count
        assert.ok(count <= 1, `${count} hold it at ${atMs}`)
      })
    }),
    { numRuns: 400 },
  )
  assert.ok(held > 1000, 'it was held often')
})

const swift: Chance = { thereMs: 5, backMs: 5, fate: 'fine', stallMs: 0 }

test('the lock of a dead holder is taken over within 34 seconds, and at once on its own machine', () =>
  fc.assert(
    fc.property(fc.integer({ min: 3, max: 20 }), fc.nat(30_000), fc.boolean(), (steps, beginMs, isOneMachine) => {
      const gone: Actor = { beginMs: 0, steps, chances: [swift] }
      const heir: Actor = { beginMs: 300_000 + beginMs, steps: 60, chances: [swift] }
      let gotMs = Number.POSITIVE_INFINITY
      simulate({ actors: [gone, heir], endMs: 400_000, isOneMachine }, ([, second], atMs) => {
        if (second?.state._tag === 'Held') gotMs = Math.min(gotMs, atMs)
      })
      const tookMs = gotMs - heir.beginMs
      assert.ok(isOneMachine ? tookMs < 100 : tookMs >= 30_000 && tookMs <= 34_000, String(tookMs))
    }),
  ))

const isRelease = ({ command }: LeaseStep): boolean => command._tag === 'Remove' || command._tag === 'Write'

test('a release is tried at most four times if the server does not respond', () =>
  fc.assert(
    fc.property(fc.boolean(), (isTaken) => {
      const claim: Claim = { what: 'e', holder: 'me', breaks: false, waitsMs: 0 }
      const live = {
        apiVersion: 'v1',
        kind: 'Lease',
        metadata: { name: 'x', uid: 'u', resourceVersion: '1' },
        spec: { holderIdentity: 'me' },
      }
      let step = stepLease(
        claim,
        { _tag: 'Held', live, renewedMs: 0, sentMs: 0 },
        { _tag: 'Release', atMs: 0, isEnding: false },
      )
      let writes = 0
      for (let turn = 0; turn < 50 && step.command._tag !== 'Stop'; turn += 1) {
        if (isRelease(step)) writes += 1
        const at = { atMs: turn * 1000, isEnding: false }
        const failure = isTaken ? conflict : unanswered
        step = stepLease(
          claim,
          step.state,
          isRelease(step)
            ? { ...at, _tag: 'WriteFailed', failure }
            : step.command._tag === 'Look'
              ? { ...at, _tag: 'Read', live, isAbandoned: false }
              : { ...at, _tag: 'Slept' },
        )
      }
      assert.equal([step.command._tag, writes], ['Stop', 4])
    }),
  ))

test.run()
