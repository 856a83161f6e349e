/** `up`: develops a workload in the cluster, with the terminal of this process, until the command in it ends. */
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { SessionNotice } from '../../domain/dev/session.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { DevCommand, DevContainer } from '../../domain/manifest/dev-model.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Result } from '../result.ts'
import { type Activated, type ActivatePorts, activate, holderOf } from './activate.ts'
import { sessionTarget } from './active.ts'
import { attend } from './attend.ts'
import { type DevelopPorts, type DevelopRequest, development } from './develop.ts'
import { type Ran, runIn } from './exec.ts'
import { openForwards, type PortTaken, tryForwards } from './forwards.ts'
import type { DevProgram } from './program-failure.ts'
import { restartMirror } from './restart.ts'
import { sendFiles } from './send-files.ts'
import { type DevSession, openSession } from './session.ts'
import { started } from './started.ts'

/** `command`: instead of that of the section. `environment`: from the command line. */
export type UpProject = DevelopRequest & {
  readonly command: ReadonlyArray<string>
  readonly environment: ReadonlyMap<string, string>
  readonly agentImage: string
  readonly takesOver: boolean
  readonly isRestarting: boolean
  readonly timeoutMs: number | undefined
}

type UpPorts = ActivatePorts & DevelopPorts & Pick<Ports, 'console' | 'links' | 'network' | 'seeds'>

const programOf = ({ args, command }: DevContainer, given: ReadonlyArray<string>): DevProgram => {
  const [only, ...more] = given
  if (only !== undefined) return { command: more.length === 0 ? only : given }
  const words = (one: DevCommand | undefined): ReadonlyArray<string> =>
    one === undefined ? [] : one._tag === 'Words' ? one.words : [one.text]
  if (command === undefined) return {}
  if (command.value._tag === 'Shell' && args === undefined) return { command: command.value.text }
  return { command: [...words(command.value), ...words(args?.value)] }
}

/** What is said of the connection, once the container has been reached. */
const noticeText = (name: string, notice: SessionNotice): string | undefined => {
  switch (notice._tag) {
    case 'Connected': {
      if (notice.afterMs === undefined) return undefined
      const again = notice.isReplaced ? `connected to the new pod ${notice.pod.name}` : 'connected again'
      return `${name}: ${again} after ${(notice.afterMs / 1000).toFixed(1)} s`
    }
    case 'Lost':
      return `${name}: connection lost (${notice.reason}), connecting again`
    case 'Trouble':
      return `${name}: still no connection: ${notice.reason}`
  }
}

type Findings = ReadonlyArray<Diagnostic>

const oneFinding = (found: Diagnostic): Findings => [found]

/** A local port that is taken ends `up` before anything is written. */
const takenPort = ({ forward }: DevContainer, { because, by, port, text }: PortTaken): Diagnostic => {
  const { at, path } = forward.find(({ local }) => local === port) ?? {}
  return because === 'Taken'
    ? error('DT3409', `port ${port} of this machine is in use${by === undefined ? '' : ` by ${by}`}`, {
        at,
        path,
        help: 'end what uses it, or forward another local port',
      })
    : error('DT3410', `this machine cannot listen on port ${port}: ${text}`, { at, path })
}

const takenPorts =
  (dev: DevContainer) =>
  (taken: ReadonlyArray<PortTaken>): Findings =>
    taken.map((one) => takenPort(dev, one))

const forwardTexts = ({ forward, interface: host, reverse }: DevContainer): ReadonlyArray<string> => [
  ...forward.map(({ local, remote, service }) => `forward: ${host}:${local} -> ${service ?? 'container'}:${remote}`),
  ...reverse.map(({ local, remote }) => `reverse: container:${remote} -> localhost:${local}`),
]

const run = (
  ports: UpPorts,
  request: UpProject,
  dev: DevContainer,
  activated: Activated,
): TE.TaskEither<Findings, Ran> => {
  const { isRestarting, signal, target } = request
  const { clock, console, progress } = ports
  const ended = new AbortController()
  const attending = AbortSignal.any([signal, ended.signal])
  const world = { ports, target, signal: attending }
  let isReached = false
  const said = new Set<string>()
  const say = (text: string): void => (isReached ? console.say(text) : progress.tell({ _tag: 'Said', text }))
  const sayOnce = (text: string): void => (said.has(text) ? undefined : (said.add(text), say(text)))
  const tell = (notice: SessionNotice): void => {
    const text = noticeText(dev.name, notice)
    if (text !== undefined) say(text)
  }
  const timeoutMs = request.timeoutMs ?? dev.timeoutSeconds.resources * 1000
  const forwarded = (session: DevSession) =>
    pipe(
      openForwards(ports)({ session, ...target, signal: attending, tell: sayOnce }, dev),
      TE.mapLeft(takenPorts(dev)),
    )
  const restarts = async (): Promise<void> => {
    if (isRestarting) await restartMirror(world, activated.record)()
  }
  const within = (session: DevSession): TE.TaskEither<Findings, Ran> =>
    pipe(
      forwarded(session),
      TE.flatMap(({ close }) =>
        pipe(
          started(ports)({ target, record: activated.record, session, signal, timeoutMs }),
          TE.flatMap(() => sendFiles(ports)(session, dev, say)),
          TE.mapLeft(oneFinding),
          TE.flatMap(() => {
            for (const text of forwardTexts(dev)) say(text)
            const step = { id: dev.name, title: dev.name, atMs: clock.now() }
            progress.tell({ _tag: 'Step', ...step, state: 'Done', detail: 'connected' })
            progress.end()
            isReached = true
            attend({ world, activated, session, say, restarts })
            return TE.mapLeft(oneFinding)(runIn(ports, session, dev.name, programOf(dev, request.command)))
          }),
          T.tap(() => close),
        ),
      ),
    )
  return pipe(
    sessionTarget(target, activated.record, signal),
    TE.mapLeft(oneFinding),
    TE.flatMap((to) => within(openSession(ports)(to, attending, tell))),
    T.tapIO(() => () => ended.abort()),
  )
}

const several = error('DT5059', 'several development containers in one terminal are not supported yet', {
  help: 'run one `devtool up NAME` in a terminal each',
})

/** Ends with the command, whose exit status is the value. The development container stays until `down`. */
export const up =
  (ports: UpPorts) =>
  (request: UpProject): Promise<Result<Ran>> => {
    const { agentImage, environment, isYes, project, signal, takesOver, target } = request
    const work = pipe(
      request.names.length > 1 ? TE.left([several]) : development(ports)(request),
      TE.flatMap(([dev]) => {
        if (dev === undefined) return TE.left([several])
        const needs = TE.mapLeft(takenPorts(dev))(tryForwards(ports)(dev))
        const base = {
          needs,
          target,
          dev,
          environment,
          shell: project.wanted.shell,
          agentImage,
          takesOver,
          isYes,
          signal,
        }
        return pipe(
          TE.fromTask<string, Findings>(ports.links.newId),
          TE.flatMap((id) => holderOf(ports, target, id, signal)),
          TE.flatMap((holder) => activate(ports)({ ...base, holder })),
          TE.tap((activated) =>
            pipe(
              dev.services,
              TE.traverseSeqArray((service) =>
                activate(ports)(
                  { ...base, holder: activated.record.holder },
                  { main: activated.record.mirror, service },
                ),
              ),
            ),
          ),
          TE.bindTo('activated'),
          TE.bind('value', ({ activated }) => run(ports, request, dev, activated)),
          TE.map(({ activated, value }): Result<Ran> => ({ findings: activated.findings, value })),
        )
      }),
      TE.getOrElse((findings: Findings) => T.of<Result<Ran>>({ findings, line: project.line })),
    )
    return work()
  }
