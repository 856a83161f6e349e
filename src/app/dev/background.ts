/** `up --detach`: the session goes on in a process of its own until `down`, and `up` connects to that session. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { DevRecord, Holder } from '../../domain/dev/record.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { sha256 } from '../../domain/text/sha256.ts'
import type { Console } from '../../ports/console.ts'
import type { Ports } from '../../ports/ports.ts'
import type { SharedConsole } from '../../ports/shared-consoles.ts'
import type { Target } from '../context/target.ts'
import { isRunningHere } from './activate.ts'
import type { Ran } from './exec.ts'
import type { DevProgram } from './program-failure.ts'

type BackgroundPorts = Pick<Ports, 'background' | 'clock' | 'home' | 'machine' | 'progress' | 'thisProcess'>

type Place = Pick<Target, 'context' | 'namespace'>

const idOf = ({ context, namespace }: Place, { mirror }: Pick<DevRecord, 'mirror'>): string =>
  sha256(JSON.stringify([context, namespace, mirror])).slice(0, 8)

/** In devtool's folder. The same file for each session of a development container. */
const sessionLog = (place: Place, record: Pick<DevRecord, 'dev' | 'mirror'>): string =>
  `up/${record.dev.replace(/[^\w.-]/g, '_')}-${idOf(place, record)}.log`

/** Where the command of the session in the background is attached to. Paths of sockets have to be short. */
export const sessionSocket = (place: Place, record: Pick<DevRecord, 'mirror'>): string =>
  `up/${idOf(place, record)}.sock`

const LAST_LINES = 10

const ended = (dev: string, log: string, text: string): Diagnostic =>
  error(
    'DT5031',
    [`${dev}: its session in the background has ended`, ...text.trimEnd().split('\n').slice(-LAST_LINES)].join('\n'),
    {
      help: `its log is ${log}`,
    },
  )

/** What the background process is given. */
const handedOn = (session: string, dev: string): string => `${session} ${dev}`

export const takenOver = (given: string): { readonly session: string; readonly dev: string } => {
  const space = given.indexOf(' ')
  return { session: given.slice(0, space), dev: given.slice(space + 1) }
}

/** Finds DT5030 and DT5031. */
export const startInBackground =
  ({ background, clock, home, progress }: BackgroundPorts) =>
  (target: Target, record: DevRecord, signal: AbortSignal): TE.TaskEither<Diagnostic, Ran> => {
    const { dev, holder } = record
    const path = sessionLog(target, record)
    const log = home.where(path)
    const step = { id: dev, title: dev }
    progress.tell({ _tag: 'Step', ...step, state: 'Running', detail: 'starting', atMs: clock.now() })
    return pipe(
      background.start(handedOn(holder.session, dev), path, signal),
      TE.flatMap(({ pid, status }) => {
        if (status !== undefined) {
          return pipe(
            home.read(path),
            TE.flatMapEither((text = '') => E.left(ended(dev, log, text))),
          )
        }
        const detail = `runs in the background, process ${pid}`
        progress.tell({ _tag: 'Step', ...step, state: 'Done', detail, atMs: clock.now() })
        progress.tell({
          _tag: 'Said',
          text: `${dev}: \`devtool up ${dev}\` connects, \`devtool down ${dev}\` ends it; its log is ${log}`,
        })
        return TE.of({ status: 0 })
      }),
    )
  }

/** Whether it is the user's own session, in the background of this machine. */
export const isSessionHere = (
  ports: Pick<Ports, 'machine' | 'thisProcess'>,
  { holder }: DevRecord,
  me: Holder,
): boolean => holder.isDetached === true && holder.user === me.user && isRunningHere(ports, holder)

/** Keeps a session without a command waiting: it needs no program of the image, and ends with its terminal. */
export const waiting: DevProgram = { command: 'while read -r line; do :; done' }

/** A command in the background has a terminal, so that it survives lost connections. */
export const unattended = (console: Console): Console => ({
  ...console,
  terminal: () => ({ columns: 80, rows: 24, type: 'dumb' }),
})

export const unshared = (console: Console): SharedConsole => ({ console, close: () => Promise.resolve() })

type Sharing = {
  readonly target: Place
  readonly record: DevRecord
  readonly console: Console
  readonly say: (text: string) => void
}

/** Lets later runs of `up` attach to the command. Without that it still runs. */
export const sharedFor = (
  { home, sharedConsoles }: Pick<Ports, 'home' | 'sharedConsoles'>,
  { console, record, say, target }: Sharing,
): T.Task<SharedConsole> =>
  pipe(
    sharedConsoles.share(home.where(sessionSocket(target, record)), console),
    TE.getOrElse((reason) => {
      say(`${record.dev}: nobody can attach to the command: ${reason}`)
      return T.of(unshared(console))
    }),
  )

/** The log tells how the session ended. A signal is a normal end. */
export const unattendedEnd = (
  dev: string,
  ran: TE.TaskEither<Diagnostic, Ran>,
  say: (text: string) => void,
  signal: AbortSignal,
): TE.TaskEither<Diagnostic, Ran> =>
  pipe(
    ran,
    TE.tapIO(
      ({ status }) =>
        () =>
          say(`${dev}: the command has ended with status ${status}`),
    ),
    TE.orElse((found) => (signal.aborted ? TE.of({ status: 143 }) : TE.left(found))),
  )
