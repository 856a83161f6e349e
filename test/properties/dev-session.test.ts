/** A session against any order of events, and against events that were recorded with a cluster. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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
import { replay, type SessionLog } from '../support/dev/session-log.ts'

const patienceMs = 60_000
const beginning = beginningWith(patienceMs)

const pods: ReadonlyArray<LinkedPod> = ['a', 'b'].map((name) => ({ name, uid: name }))
const pod = fc.constantFrom(...pods, undefined)
const attempt = fc.nat(6)
const atMs = fc.nat(100_000)
const reason = fc.constant('because')

const event: fc.Arbitrary<SessionEvent> = fc.oneof(
  fc.record({ _tag: fc.constant('Pod'), pod, atMs }),
  fc.record({ _tag: fc.constant('PodWaits'), reason, atMs }),
  fc.record({ _tag: fc.constant('Linked'), attempt, atMs }),
  fc.record({ _tag: fc.constant('NotLinked'), attempt, reason, atMs }),
  fc.record({ _tag: fc.constant('Lost'), attempt, reason, atMs }),
  fc.record({ _tag: fc.constant('PauseOver'), attempt }),
  fc.record({ _tag: fc.constant('WaitOver'), attempt }),
  fc.record({ _tag: fc.constant('Slept'), atMs }),
  fc.record({ _tag: fc.constantFrom('NetworkChanged', 'Tick'), atMs }),
)
const end: SessionEvent = { _tag: 'End', end: { _tag: 'Closed', reason: 'it was closed' } }

test('a session always waits for something, and is never linked to a pod that is gone', () => {
  fc.assert(fc.property(fc.array(event), (events) => void replay({ patienceMs, events })))
})

const folder = 'test/support/dev/session-logs'
for (const name of readdirSync(folder)) {
  const logs: ReadonlyArray<SessionLog> = JSON.parse(readFileSync(join(folder, name), 'utf8'))

  test(`the laws of every session hold in a recorded one: ${name}`, () => {
    for (const log of logs) {
      const [state, commands] = replay(log)
      assert.is(state.phase, 'Over')
      const made = commands.filter(({ _tag }) => _tag === 'Dial').length
      const heard = log.events.filter(({ _tag }) => _tag === 'Linked' || _tag === 'NotLinked').length
      assert.ok(made >= heard, 'only what was dialled is answered')
    }
  })

  test(`the laws hold when events of a recorded session come twice, late, or never: ${name}`, () => {
    const change = fc.record({ at: fc.nat(40), what: fc.constantFrom('twice', 'late', 'never') })
    fc.assert(
      fc.property(fc.constantFrom(...logs), fc.array(change, { maxLength: 6 }), ({ events, ...log }, changes) => {
        const changed = [...events]
        for (const { at, what } of changes) {
          const [one] = changed.splice(at, what === 'twice' ? 0 : 1)
          const again = what === 'twice' ? changed[at] : what === 'late' ? one : undefined
          if (again !== undefined) changed.splice(at + 1, 0, again)
        }
        replay({ ...log, events: changed })
      }),
    )
  })
}

test('a session that has ended releases everything and does nothing more', () => {
  fc.assert(
    fc.property(fc.array(event), fc.array(event), (before, after) => {
      const [state] = replay({ patienceMs, events: [...before, end] })
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

test('why the next pod does not run is told after five seconds, and again when it changes', () => {
  const waits = (why: string, since: number): SessionEvent => ({ _tag: 'PodWaits', reason: why, atMs: since })
  const gone: SessionEvent = { _tag: 'Pod', pod: undefined, atMs: 2000 }
  const told = (...events: ReadonlyArray<SessionEvent>): ReadonlyArray<SessionCommand> =>
    step(after([...linkedOnce, gone, ...events.slice(0, -1)]), events.at(-1) ?? gone)[1]
  const telling = (why: string): ReadonlyArray<SessionCommand> => [
    { _tag: 'Tell', notice: { _tag: 'Trouble', reason: `the new pod waits: ${why}` } },
  ]
  assert.equal(told(waits('no suitable node', 6000)), [])
  assert.equal(told(waits('no suitable node', 7000)), telling('no suitable node'))
  assert.equal(told(waits('no suitable node', 7000), waits('no suitable node', 9000)), [])
  assert.equal(told(waits('no suitable node', 7000), waits('pulling image', 9000)), telling('pulling image'))
})

test('how long a connection is lost is told after 10 s, 30 s, and every minute, but not again once it is back', () => {
  const told = (moments: ReadonlyArray<number>, from: SessionState): ReadonlyArray<number> => {
    let state = from
    return moments.flatMap((moment) => {
      const [next, commands] = step(state, { _tag: 'Tick', atMs: moment })
      state = next
      return commands.flatMap((command) =>
        command._tag === 'Tell' && command.notice._tag === 'Lasting' ? [command.notice.forMs] : [],
      )
    })
  }
  const lostAt = 1000
  const eachSecond = Array.from({ length: 200 }, (_, index) => lostAt + index * 1010)
  assert.equal(told(eachSecond, after(linkedOnce)), [10_000, 30_000, 60_000, 120_000, 180_000])
  assert.equal(told([lostAt + 9999, lostAt + 400_000, lostAt + 401_000], after(linkedOnce)), [360_000])
  assert.equal(told(eachSecond, after(linkedOnce.slice(0, 2))), [])
  assert.equal(told(eachSecond, after(linkedOnce.slice(0, 1))), [])
  const [lasting] = step(after(linkedOnce), { _tag: 'Tick', atMs: lostAt + 70_000 })
  const again: ReadonlyArray<SessionEvent> = [
    { _tag: 'Linked', attempt: 2, atMs: 80_000 },
    { _tag: 'Lost', attempt: 2, reason: 'silence', atMs: 90_000 },
  ]
  const second = again.reduce((state, one) => step(state, one)[0], lasting)
  assert.equal(told([99_000, 101_000], second), [10_000])
})

test('a lost link is tried again after at most half a second, even after hours', () => {
  let state = after(linkedOnce)
  for (let time = 0; time < 10_000; time += 1) {
    const [failed, commands] = step(state, { _tag: 'NotLinked', attempt: state.attempt, reason: 'refused', atMs: 2000 })
    const pauses = commands.flatMap((command) => (command._tag === 'Pause' ? [command.ms] : []))
    assert.ok(pauses.length === 1 && pauses.every((ms) => ms <= 500))
    ;[state] = step(failed, { _tag: 'PauseOver', attempt: failed.attempt })
  }
})

test('when the addresses of the machine change, a lost link is tried at once, and a working one stays', () => {
  const changed: SessionEvent = { _tag: 'NetworkChanged', atMs: 5000 }
  const tags = (events: ReadonlyArray<SessionEvent>) => step(after(events), changed)[1].map(({ _tag }) => _tag)
  const failed: SessionEvent = { _tag: 'NotLinked', attempt: 2, reason: 'no route', atMs: 2000 }
  assert.equal(tags(linkedOnce), ['Drop', 'Dial'])
  assert.equal(tags([...linkedOnce, failed]), ['Drop', 'Dial'])
  assert.equal(tags(linkedOnce.slice(0, 2)), [])
  assert.equal(tags([]), [])
})

test('a lost connection is reported once, however long it lasts, and its return with the duration', () => {
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

test('the wait for a pod has a limit, however often pods come and go without a link', () => {
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

test('a pod that has never answered has a time limit, one that has answered before is tried again', () => {
  const seen: SessionEvent = { _tag: 'Pod', pod: { name: 'a', uid: 'a' }, atMs: 0 }
  const late: SessionEvent = { _tag: 'NotLinked', attempt: 1, reason: 'refused', atMs: patienceMs + 1 }
  assert.is(after([seen, late]).phase, 'Over')
  const linked: SessionEvent = { _tag: 'Linked', attempt: 1, atMs: 100 }
  const lost: SessionEvent = { _tag: 'Lost', attempt: 1, reason: 'silence', atMs: 1000 }
  assert.is(after([seen, linked, lost, { ...late, attempt: 2 }]).phase, 'Pausing')
})

test.run()
