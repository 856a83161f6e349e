/** `up`: develops a workload in the cluster, with the terminal of this process, until the command in it ends. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { LinkKeys } from '../../domain/dev/keys.ts'
import type { DevRecord } from '../../domain/dev/record.ts'
import type { SessionNotice } from '../../domain/dev/session.ts'
import { sshNameOf } from '../../domain/dev/ssh-config.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { DevCommand, DevContainer } from '../../domain/manifest/dev-model.ts'
import type { Console } from '../../ports/console.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Activated, ActivatePorts } from './activate.ts'
import { sessionTarget } from './active.ts'
import { attend } from './attend.ts'
import { sharedFor, unattended, unattendedEnd, unshared, waiting } from './background.ts'
import type { DevelopPorts, DevelopRequest } from './develop.ts'
import { type Ran, runIn } from './exec.ts'
import { openForwards, type PortTaken, withSshForward } from './forwards.ts'
import { runHybrid, withReverses } from './hybrid.ts'
import { runLasting } from './lasting.ts'
import { runLastingProgram } from './program.ts'
import type { DevProgram } from './program-failure.ts'
import { restartMirror } from './restart.ts'
import { type DevSession, openSession } from './session.ts'
import { announceSshAddress } from './ssh-address.ts'
import { started } from './started.ts'
import { type DevSync, startSync } from './sync.ts'

/** `command`: instead of the section's. `environment`: from the command line. */
export type UpProject = DevelopRequest & {
  readonly command: ReadonlyArray<string>
  readonly environment: ReadonlyMap<string, string>
  readonly agentImage: string
  readonly takesOver: boolean
  readonly isRestarting: boolean
  /** Leaves the session to a background process. */
  readonly isDetaching: boolean
  /** Forgets the base of the synchronisation. */
  readonly isReset: boolean
  readonly timeoutMs: number | undefined
  /** Without keyboard input: it is in the background, or one of several in a terminal. */
  readonly isUnattended: boolean
  /** Waits until the others in the terminal are connected, too. */
  readonly together: T.Task<void>
  /** ~/.ssh, where the address for ssh and IDEs is written. */
  readonly sshFolder: string | undefined
}

export type UpPorts = ActivatePorts &
  DevelopPorts &
  Pick<
    Ports,
    | 'background'
    | 'console'
    | 'home'
    | 'links'
    | 'network'
    | 'plainFolders'
    | 'processes'
    | 'sharedConsoles'
    | 'syncedFolders'
    | 'writer'
  >

const programOf = ({ args, command }: DevContainer, given: ReadonlyArray<string>): DevProgram => {
  const [only, ...more] = given
  if (only !== undefined) return { command: more.length === 0 ? only : given }
  const words = (one: DevCommand | undefined): ReadonlyArray<string> =>
    one === undefined ? [] : one._tag === 'Words' ? one.words : [one.text]
  if (command === undefined) return {}
  if (command.value._tag === 'Shell' && args === undefined) return { command: command.value.text }
  return { command: [...words(command.value), ...words(args?.value)] }
}

const whatOf = ({ command }: DevProgram): string => (command === undefined ? 'the shell' : 'the command')

const lastingText = (ms: number): string => (ms < 60_000 ? `${ms / 1000} s` : `${ms / 60_000} min`)

/** The message about the connection, once the container has been reached. */
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
    case 'Lasting':
      return `${name}: no connection for ${lastingText(notice.forMs)}, still trying`
    case 'Killed':
      return `${name}: ${notice.reason}`
  }
}

type Findings = ReadonlyArray<Diagnostic>

const oneFinding = (found: Diagnostic): Findings => [found]

/** A local port that is in use ends `up` before anything is written. */
const takenPort = ({ forward, remote }: DevContainer, { because, by, port, text }: PortTaken): Diagnostic => {
  const { at, path } = forward.find(({ local }) => local === port) ?? remote ?? {}
  return because === 'Taken'
    ? error('DT3409', `port ${port} of this machine is in use${by === undefined ? '' : ` by ${by}`}`, {
        at,
        path,
        help: 'end what uses it, or forward another local port',
      })
    : error('DT3410', `this machine cannot listen on port ${port}: ${text}`, { at, path })
}

export const takenPorts =
  (dev: DevContainer) =>
  (taken: ReadonlyArray<PortTaken>): Findings =>
    taken.map((one) => takenPort(dev, one))

const forwardTexts = ({ forward, interface: host, reverse }: DevContainer): ReadonlyArray<string> => [
  ...forward.map(({ local, remote, service }) => `forward: ${host}:${local} -> ${service ?? 'container'}:${remote}`),
  ...reverse.map(({ local, remote }) => `reverse: container:${remote} -> localhost:${local}`),
]

/** `beside`: the records of its services. */
type Developed = Activated & { readonly beside: ReadonlyArray<DevRecord> }

const runDev = (
  ports: UpPorts,
  request: UpProject,
  dev: DevContainer,
  activated: Developed,
): TE.TaskEither<Findings, Ran> => {
  const { agentImage, isRestarting, signal, sshFolder, target } = request
  const { beside, mounts, record } = activated
  const { background, clock, progress } = ports
  const isUnattended = request.isUnattended || background.given !== undefined
  const console = isUnattended ? unattended(ports.console) : ports.console
  const ended = new AbortController()
  const attending = AbortSignal.any([signal, ended.signal])
  const world = { ports, target, signal: attending }
  let isReached = false
  const said = new Set<string>()
  const isOnScreen = ports.console.terminal() !== undefined
  const say = (text: string): void =>
    isReached && isOnScreen ? console.say(text) : progress.tell({ _tag: 'Said', text })
  const sayOnce = (text: string): void => (said.has(text) ? undefined : (said.add(text), say(text)))
  const tell = (notice: SessionNotice): void => {
    const text = noticeText(dev.name, notice)
    // A log need not say for hours what it says at the beginning and at the end.
    if (text !== undefined && (isOnScreen || notice._tag !== 'Lasting')) say(text)
  }
  const given = programOf(dev, request.command)
  const program = isUnattended && given.command === undefined ? waiting : given
  const timeoutMs = request.timeoutMs ?? dev.timeoutSeconds * 1000
  const forwarded = (session: DevSession) =>
    pipe(
      openForwards(ports)({ session, ...target, signal: attending, tell: sayOnce }, withSshForward(dev, record.port)),
      TE.mapLeft(takenPorts(dev)),
    )
  const restarts = async (changed: DevRecord): Promise<void> => {
    if (!isRestarting) return
    const done = await restartMirror(world, changed)()
    if (E.isLeft(done)) for (const { message } of done.left) say(`${dev.name}: not restarted: ${message}`)
  }
  /** Sends all files again: a new container lacks those that were not on a volume. */
  const again =
    (sync: DevSync) =>
    (because: string): TE.TaskEither<string, void> =>
      pipe(
        sync.settled,
        TE.mapBoth(
          ({ message }) => message,
          () => say(`${dev.name}: ${because}, so ${whatOf(program)} is started again`),
        ),
      )
  const leaving = isUnattended ? 'Never' : 'WhenLost'
  const runThere = (session: DevSession, sync: DevSync, shown: Console) => {
    const lasting = runLastingProgram({ ...ports, console: shown, leaving })
    return runLasting(ports, { run: lasting(session, program), prepare: again(sync) })
  }
  const isHere = dev.mode === 'hybrid' && program !== waiting
  const runHere = (session: DevSession, shown: Console) => {
    const { environment } = activated.request
    const { shell } = request.project.wanted
    return runHybrid({ ...ports, console: shown })({
      session,
      dev,
      program,
      shell,
      environment,
      signal,
      isTyped: !isUnattended,
    })
  }
  const sayItStays = () => () => {
    if (isOnScreen) say(`${dev.name}: its container stays; \`devtool down ${dev.name}\` restores the workload`)
  }
  let forget: T.Task<void> = T.of(undefined)
  const announced =
    (address: { readonly session: DevSession; readonly keys: LinkKeys; readonly port: number }): T.Task<void> =>
    async () => {
      if (sshFolder === undefined) return
      const name = sshNameOf(record, target.namespace)
      forget = await announceSshAddress(ports)({ ...address, ...name, folder: sshFolder, say })()
    }
  const within = (session: DevSession, sync: DevSync, keys: LinkKeys): TE.TaskEither<Findings, Ran> =>
    pipe(
      forwarded(session),
      TE.tapIO(() => () => attend({ world, record, beside, session, say, sayOnce, restarts })),
      TE.flatMap(({ close, ports: listening }) =>
        pipe(
          started(ports)({ target, record, agentImage, session, signal, timeoutMs }),
          TE.tapTask(() => announced({ session, keys, port: listening.at(-1) ?? 0 })),
          TE.flatMap(() => (program.command === undefined && !isUnattended ? sync.begun : sync.settled)),
          TE.mapLeft(oneFinding),
          TE.flatMap(() => {
            for (const text of forwardTexts(dev)) say(text)
            const step = { id: dev.name, title: dev.name, atMs: clock.now() }
            progress.tell({ _tag: 'Step', ...step, state: 'Done', detail: 'connected' })
            return TE.fromTask<void, Findings>(request.together)
          }),
          TE.flatMapTask(() =>
            background.given === undefined || program === waiting
              ? T.of(unshared(console))
              : sharedFor(ports, { target, record, console, say }),
          ),
          TE.flatMap((shared) => {
            progress.end()
            isReached = true
            void background.ready()
            const run = isHere ? runHere(session, shared.console) : runThere(session, sync, shared.console)
            const ran = runIn(session, dev.name, run)
            return pipe(
              isUnattended ? unattendedEnd(dev.name, ran, say, signal) : pipe(ran, TE.tapIO(sayItStays)),
              T.tap((outcome) => () => shared.close(E.isRight(outcome) ? outcome.right.status : undefined)),
              TE.mapLeft(oneFinding),
            )
          }),
          T.tap(() => close),
          T.tap(() => () => forget()),
        ),
      ),
    )
  return pipe(
    sessionTarget(target, record, timeoutMs, signal),
    TE.mapLeft(oneFinding),
    TE.flatMap((to) => {
      const session = openSession(ports)(to, attending, tell)
      const mayAsk = (): boolean => !isReached && !isUnattended
      const sync = startSync(ports, { session, dev, record, mounts, target, isReset: request.isReset, mayAsk, say })
      return pipe(
        within(session, sync, to.keys),
        T.tap(() => sync.stop),
      )
    }),
    T.tapIO(() => () => ended.abort()),
  )
}

/** Ends with the command, whose exit status is the value. The development container stays until `down`. */
export const run = (
  ports: UpPorts,
  request: UpProject,
  dev: DevContainer,
  activated: Developed,
): TE.TaskEither<Findings, Ran> =>
  pipe(
    withReverses(request.target, activated.record, dev, request.signal),
    TE.mapLeft(oneFinding),
    TE.flatMap((whole) => runDev(ports, request, whole, activated)),
  )
