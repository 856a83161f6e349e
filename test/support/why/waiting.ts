/** A wait, from what is seen over time to how it ends. */
import {
  type AwaitedObject,
  beginWaiting,
  type Sight,
  stepWaiting,
  type WaitCommand,
} from '../../../src/domain/why/waiting.ts'

export const wanted = (kind = 'Deployment', condition: AwaitedObject['condition'] = 'available'): AwaitedObject => ({
  ref: { kind, name: 'web' },
  condition,
  service: 'web',
})

/** `open`: the ports that accept connections; `undefined`: we may not ask. `ends`: logs do when they are followed. */
export type Moment = {
  readonly atMs: number
  readonly open?: ReadonlyArray<number> | undefined
  readonly ends?: boolean
} & Partial<Sight>

/** The commands after each look, without those that only ask for ports and logs. */
export const commandsAfter = (asked: AwaitedObject, moments: ReadonlyArray<Moment>): ReadonlyArray<WaitCommand> => {
  let state = beginWaiting
  return moments.map(({ atMs, ends = false, open, ...more }) => {
    const seen: Sight = { publicPorts: [], isUnchanged: false, isBlocked: false, observed: new Map(), ...more }
    for (let turn = 0; ; turn += 1) {
      const step = stepWaiting(asked, state, { _tag: 'Looked', atMs, seen })
      state = step.state
      if (step.command._tag === 'FollowLogs') {
        const logs = new Map(step.command.runs.map(({ key }) => [key, !ends]))
        state = stepWaiting(asked, state, { _tag: 'Followed', logs }).state
        continue
      }
      if (step.command._tag !== 'ProbePorts' || turn > 2) return step.command
      const { pod: name, ports } = step.command
      const found = open === undefined ? undefined : ports.filter((port) => open.includes(port))
      const probed =
        found === undefined
          ? stepWaiting(asked, state, { _tag: 'Forbidden', pod: name, port: ports[0] ?? 0 })
          : stepWaiting(asked, state, { _tag: 'Probed', pod: name, ports, open: found })
      state = probed.state
      if (probed.command._tag !== 'Look') return probed.command
    }
  })
}

const show = (command: WaitCommand): string => {
  if (command._tag !== 'End') return command._tag === 'Watch' ? `look after ${command.ms}` : command._tag
  const { waited } = command
  if (waited._tag === 'Failed') return `failed ${waited.causes.map(({ code }) => code).join(', ')}`
  if (waited._tag === 'Aborted') return 'aborted'
  return ['done', ...waited.findings.map(({ code }) => code)].join(' ')
}

export const outcomes = (asked: AwaitedObject, moments: ReadonlyArray<Moment>): ReadonlyArray<string> =>
  commandsAfter(asked, moments).map(show)
