/** A session against any order of events, and as a world that answers its commands in any way. */
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  beginning,
  type LinkedPod,
  type SessionCommand,
  type SessionEvent,
  type SessionState,
  step,
} from '../../src/domain/dev/session.ts'

const pods: ReadonlyArray<LinkedPod> = ['a', 'b'].map((name) => ({ name, uid: name }))
const pod = fc.constantFrom(...pods, undefined)
const attempt = fc.nat(6)
const atMs = fc.nat(100_000)
const reason = fc.constant('because')

const event: fc.Arbitrary<SessionEvent> = fc.oneof(
  fc.record({ _tag: fc.constant('Pod'), pod, atMs }),
  fc.record({ _tag: fc.constant('Linked'), attempt, atMs }),
  fc.record({ _tag: fc.constant('NotLinked'), attempt, reason }),
  fc.record({ _tag: fc.constant('Lost'), attempt, reason, atMs }),
  fc.record({ _tag: fc.constant('PauseOver'), attempt }),
  fc.record({ _tag: fc.constant('Slept'), atMs }),
)
const end: SessionEvent = { _tag: 'End', end: { _tag: 'Closed', reason: 'it was closed' } }

/** What the commands so far have begun and not given up. */
type Held = { readonly dialled: number | undefined; readonly paused: boolean }

const heldAfter = (held: Held, command: SessionCommand): Held => {
  if (command._tag === 'Dial') return { dialled: command.attempt, paused: false }
  if (command._tag === 'Pause') return { dialled: undefined, paused: true }
  return command._tag === 'Drop' ? { dialled: undefined, paused: false } : held
}

const run = (events: ReadonlyArray<SessionEvent>, look: (state: SessionState, held: Held) => void): SessionState => {
  let state = beginning
  let held: Held = { dialled: undefined, paused: false }
  for (const one of events) {
    const before = state
    const [next, commands] = step(state, one)
    state = next
    for (const command of commands) {
      if (command._tag === 'Dial' && before.phase === 'Dialing') {
        assert.ok(
          commands.some(({ _tag }) => _tag === 'Drop'),
          'one attempt at a time',
        )
      }
      held = heldAfter(held, command)
    }
    look(state, held)
  }
  return state
}

test('a session always waits for something: a pod, an attempt, a pause, or the loss of its link', () => {
  fc.assert(
    fc.property(fc.array(event), (events) => {
      run(events, ({ attempt: last, phase, pod: wanted }, held) => {
        if (phase === 'Waiting') assert.is(wanted, undefined)
        if (phase === 'Dialing' || phase === 'Linked') assert.is(held.dialled, last)
        if (phase === 'Pausing') assert.ok(held.paused)
      })
    }),
  )
})

test('a session is never linked to a pod other than the one that there is', () => {
  fc.assert(
    fc.property(fc.array(event), (events) => {
      let latest: LinkedPod | undefined
      const seen: Array<SessionEvent> = []
      for (const one of events) {
        seen.push(one)
        if (one._tag === 'Pod') latest = one.pod
        const state = run(seen, () => {})
        if (state.phase === 'Linked') assert.equal(state.linked, latest)
      }
    }),
  )
})

test('a session that has ended releases everything and does nothing more', () => {
  fc.assert(
    fc.property(fc.array(event), fc.array(event), (before, after) => {
      const state = run([...before, end], () => {})
      assert.is(state.phase, 'Over')
      for (const one of [...after, end]) assert.equal(step(state, one), [state, []])
    }),
  )
})

test('a link that cannot be made is tried again after pauses that grow to two seconds', () => {
  let [state] = step(beginning, { _tag: 'Pod', pod: { name: 'a', uid: 'a' }, atMs: 0 })
  const pauses: Array<number> = []
  for (let time = 0; time < 40; time += 1) {
    const failed = step(state, { _tag: 'NotLinked', attempt: state.attempt, reason: 'refused' })
    for (const command of failed[1]) if (command._tag === 'Pause') pauses.push(command.ms)
    ;[state] = step(failed[0], { _tag: 'PauseOver', attempt: state.attempt })
  }
  assert.is(pauses[0], 40)
  assert.equal(
    pauses,
    pauses.toSorted((one, other) => one - other),
  )
  assert.is(pauses.at(-1), 2000)
})

test('a lost connection is reported once however long it lasts, and its return with the time it took', () => {
  const first: SessionEvent = { _tag: 'Pod', pod: { name: 'a', uid: 'a' }, atMs: 0 }
  const log: ReadonlyArray<SessionEvent> = [
    first,
    { _tag: 'Linked', attempt: 1, atMs: 100 },
    { _tag: 'Lost', attempt: 1, reason: 'silence', atMs: 1000 },
    { _tag: 'NotLinked', attempt: 2, reason: 'refused' },
    { _tag: 'Pod', pod: undefined, atMs: 1500 },
    { _tag: 'Pod', pod: { name: 'b', uid: 'b' }, atMs: 2000 },
    { _tag: 'Linked', attempt: 3, atMs: 2500 },
  ]
  const told: Array<SessionCommand> = []
  let state = beginning
  for (const one of log) {
    const [next, commands] = step(state, one)
    state = next
    told.push(...commands.filter(({ _tag }) => _tag === 'Tell'))
  }
  const b = { name: 'b', uid: 'b' }
  assert.equal(told, [
    { _tag: 'Tell', notice: { _tag: 'Connected', pod: { name: 'a', uid: 'a' }, isReplaced: false } },
    { _tag: 'Tell', notice: { _tag: 'Lost', reason: 'silence' } },
    { _tag: 'Tell', notice: { _tag: 'Connected', pod: b, isReplaced: true, afterMs: 1500 } },
  ])
})

test.run()
