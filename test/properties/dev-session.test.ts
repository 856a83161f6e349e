/** A session against any order of events, and as a world that answers its commands in any way. */
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  beginning as beginningWith,
  type LinkedPod,
  type SessionCommand,
  type SessionEvent,
  type SessionState,
  step,
} from '../../src/domain/dev/session.ts'

const patienceMs = 60_000
const beginning = beginningWith(patienceMs)

const pods: ReadonlyArray<LinkedPod> = ['a', 'b'].map((name) => ({ name, uid: name }))
const pod = fc.constantFrom(...pods, undefined)
const attempt = fc.nat(6)
const atMs = fc.nat(100_000)
const reason = fc.constant('because')

const event: fc.Arbitrary<SessionEvent> = fc.oneof(
  fc.record({ _tag: fc.constant('Pod'), pod, atMs }),
  fc.record({ _tag: fc.constant('Linked'), attempt, atMs }),
  fc.record({ _tag: fc.constant('NotLinked'), attempt, reason, atMs }),
  fc.record({ _tag: fc.constant('Lost'), attempt, reason, atMs }),
  fc.record({ _tag: fc.constant('PauseOver'), attempt }),
  fc.record({ _tag: fc.constant('WaitOver'), attempt }),
  fc.record({ _tag: fc.constant('Slept'), atMs }),
  fc.record({ _tag: fc.constant('NetworkChanged'), atMs }),
)
const end: SessionEvent = { _tag: 'End', end: { _tag: 'Closed', reason: 'it was closed' } }

/** What the commands so far have begun and not given up. */
type Held = Partial<Record<'Dial' | 'Pause' | 'Wait', number>>

const heldAfter = (held: Held, command: SessionCommand): Held => {
  switch (command._tag) {
    case 'Dial':
    case 'Pause':
    case 'Wait':
      return { [command._tag]: command.attempt }
    case 'Drop':
      return {}
    case 'Tell':
    case 'Over':
      return held
  }
}

const run = (events: ReadonlyArray<SessionEvent>, look: (state: SessionState, held: Held) => void): SessionState => {
  let state = beginning
  let held: Held = {}
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
      run(events, ({ attempt: last, missingAtMs, phase, pod: wanted }, held) => {
        if (phase === 'Waiting') {
          assert.is(wanted, undefined)
          if (missingAtMs !== undefined) assert.is(held.Wait, last)
        }
        if (phase === 'Dialing' || phase === 'Linked') assert.is(held.Dial, last)
        if (phase === 'Pausing') assert.is(held.Pause, last)
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
    const failed = step(state, { _tag: 'NotLinked', attempt: state.attempt, reason: 'refused', atMs: 0 })
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

const linkedOnce: ReadonlyArray<SessionEvent> = [
  { _tag: 'Pod', pod: { name: 'a', uid: 'a' }, atMs: 0 },
  { _tag: 'Linked', attempt: 1, atMs: 100 },
  { _tag: 'Lost', attempt: 1, reason: 'silence', atMs: 1000 },
]
const after = (events: ReadonlyArray<SessionEvent>): SessionState =>
  events.reduce((state, one) => step(state, one)[0], beginning)

test('a lost link is tried again after half a second at most, even after hours', () => {
  let state = after(linkedOnce)
  for (let time = 0; time < 10_000; time += 1) {
    const [failed, commands] = step(state, { _tag: 'NotLinked', attempt: state.attempt, reason: 'refused', atMs: 2000 })
    const pauses = commands.flatMap((command) => (command._tag === 'Pause' ? [command.ms] : []))
    assert.ok(pauses.length === 1 && pauses.every((ms) => ms <= 500))
    ;[state] = step(failed, { _tag: 'PauseOver', attempt: failed.attempt })
  }
})

test('when the addresses of the machine change, a lost link is tried at once, and one that there is stays', () => {
  const changed: SessionEvent = { _tag: 'NetworkChanged', atMs: 5000 }
  const tags = (events: ReadonlyArray<SessionEvent>) => step(after(events), changed)[1].map(({ _tag }) => _tag)
  const failed: SessionEvent = { _tag: 'NotLinked', attempt: 2, reason: 'no route', atMs: 2000 }
  assert.equal(tags(linkedOnce), ['Drop', 'Dial'])
  assert.equal(tags([...linkedOnce, failed]), ['Drop', 'Dial'])
  assert.equal(tags(linkedOnce.slice(0, 2)), [])
  assert.equal(tags([]), [])
})

test('a lost connection is reported once however long it lasts, and its return with the time it took', () => {
  const first: SessionEvent = { _tag: 'Pod', pod: { name: 'a', uid: 'a' }, atMs: 0 }
  const log: ReadonlyArray<SessionEvent> = [
    first,
    { _tag: 'Linked', attempt: 1, atMs: 100 },
    { _tag: 'Lost', attempt: 1, reason: 'silence', atMs: 1000 },
    { _tag: 'NotLinked', attempt: 2, reason: 'refused', atMs: 1400 },
    { _tag: 'Pod', pod: undefined, atMs: 1500 },
    { _tag: 'Pod', pod: { name: 'b', uid: 'b' }, atMs: 2000 },
    { _tag: 'Linked', attempt: 4, atMs: 2500 },
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

test('a session waits for a pod only so long, however often pods come and go without a link', () => {
  fc.assert(
    fc.property(fc.array(pod, { minLength: 1 }), fc.nat(1000), (seen, everyMs) => {
      let state = beginning
      seen.forEach((one, index) => {
        const nowMs = index * everyMs
        const [next, commands] = step(state, { _tag: 'Pod', pod: one, atMs: nowMs })
        state = next
        for (const command of commands) {
          if (command._tag === 'Wait') assert.is(nowMs + command.ms, Math.max(patienceMs, nowMs))
        }
      })
      if (state.phase !== 'Waiting') return
      const [over, commands] = step(state, { _tag: 'WaitOver', attempt: state.attempt })
      assert.is(over.phase, 'Over')
      assert.ok(commands.some((one) => one._tag === 'Over' && one.end._tag === 'NotReached'))
    }),
  )
})

test('a pod that has never answered is given up, and one that has is hoped for', () => {
  const seen: SessionEvent = { _tag: 'Pod', pod: { name: 'a', uid: 'a' }, atMs: 0 }
  const late: SessionEvent = { _tag: 'NotLinked', attempt: 1, reason: 'refused', atMs: patienceMs + 1 }
  assert.is(after([seen, late]).phase, 'Over')
  const linked: SessionEvent = { _tag: 'Linked', attempt: 1, atMs: 100 }
  const lost: SessionEvent = { _tag: 'Lost', attempt: 1, reason: 'silence', atMs: 1000 }
  assert.is(after([seen, linked, lost, { ...late, attempt: 2 }]).phase, 'Pausing')
})

test.run()
