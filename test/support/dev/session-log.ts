/** Logs of sessions: recorded while a session runs, and replayed with a look at what holds in every one. */
import * as assert from 'uvu/assert'
import {
  beginning,
  type LinkedPod,
  type SessionCommand,
  type SessionEvent,
  type SessionNotice,
  type SessionState,
  step,
} from '../../../src/domain/dev/session.ts'

/** How often it was connected and lost. What is told of a pod that takes long depends on the machine. */
export const changesIn = (told: ReadonlyArray<SessionNotice>): ReadonlyArray<string> =>
  told.map(({ _tag }) => _tag).filter((tag) => tag === 'Connected' || tag === 'Lost')

export type SessionLog = { readonly patienceMs: number; readonly events: ReadonlyArray<SessionEvent> }

/** `step`, and the log of each link that it decided about. */
export const recording = (): { readonly step: typeof step; readonly logs: () => ReadonlyArray<SessionLog> } => {
  const logs: Array<SessionLog & { readonly events: Array<SessionEvent> }> = []
  const byState = new WeakMap<SessionState, (typeof logs)[number]>()
  const begun = ({ patienceMs }: SessionState): (typeof logs)[number] => {
    const log = { patienceMs, events: [] }
    logs.push(log)
    return log
  }
  return {
    step: (state, event) => {
      const log = byState.get(state) ?? begun(state)
      log.events.push(event)
      const stepped = step(state, event)
      byState.set(stepped[0], log)
      return stepped
    },
    logs: () => logs,
  }
}

/** What the commands so far have begun and not given up. */
type Held = Partial<Record<'Dial' | 'Pause' | 'Wait', number>>

const heldAfter = (held: Held, command: SessionCommand): Held => {
  switch (command._tag) {
    case 'Dial':
    case 'Pause':
    case 'Wait':
      return { [command._tag]: command.attempt }
    case 'Drop':
    case 'Over':
      return {}
    case 'Tell':
      return held
  }
}

const checkWait = ({ attempt, missingAtMs, phase, pod }: SessionState, held: Held): void => {
  if (phase === 'Waiting') {
    assert.is(pod, undefined)
    if (missingAtMs !== undefined) assert.is(held.Wait, attempt, 'it waits for a pod')
  }
  if (phase === 'Dialing' || phase === 'Linked') assert.is(held.Dial, attempt, 'it has an attempt')
  if (phase === 'Pausing') assert.is(held.Pause, attempt, 'it has a pause')
}

/** Whatever happened, a session waits for one thing at a time, and its link leads to the pod that there is. */
export const replay = ({ events, patienceMs }: SessionLog): readonly [SessionState, ReadonlyArray<SessionCommand>] => {
  let state = beginning(patienceMs)
  let held: Held = {}
  let latest: LinkedPod | undefined
  let isLostTold = false
  const all: Array<SessionCommand> = []
  for (const event of events) {
    const before = state
    const [next, commands] = step(state, event)
    state = next
    if (event._tag === 'Pod') latest = event.pod
    if (before.phase === 'Dialing' && commands.some(({ _tag }) => _tag === 'Dial')) {
      assert.ok(
        commands.some(({ _tag }) => _tag === 'Drop'),
        'one attempt at a time',
      )
    }
    for (const command of commands) {
      held = heldAfter(held, command)
      if (command._tag !== 'Tell') continue
      if (command.notice._tag === 'Lost') assert.not(isLostTold, 'a loss is told once')
      if (command.notice._tag !== 'Trouble') isLostTold = command.notice._tag === 'Lost'
    }
    all.push(...commands)
    checkWait(state, held)
    if (state.phase === 'Linked') assert.equal(state.linked, latest)
  }
  return [state, all]
}
