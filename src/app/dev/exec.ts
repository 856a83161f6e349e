/** `exec`: runs a command in an active development container, with the terminal or the pipes of this process. */
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { Ports } from '../../ports/ports.ts'
import { answer, type Result } from '../result.ts'
import { type ActiveRequest, oneActive, sessionTarget } from './active.ts'
import { runProgram } from './program.ts'
import { developmentEnded, type ProgramFailure } from './program-failure.ts'
import { type DevSession, openSession } from './session.ts'
import { whileDeveloped } from './watch-record.ts'

export type ExecRequest = ActiveRequest & { readonly command: ReadonlyArray<string> }

/** For a pod that is still starting. */
const patienceMs = 60_000

/** `status`: of the command. */
export type Ran = { readonly status: number }

type ExecPorts = Pick<Ports, 'clock' | 'console' | 'files' | 'links' | 'machine' | 'progress' | 'prompt'>

const noCommand = error('DT5057', 'there is no command', { help: 'write it behind `--`: `devtool exec -- npm test`' })

export const connectionFailure = (name: string, { _tag, reason }: ProgramFailure): Diagnostic =>
  error(
    'DT5055',
    `${name}: ${_tag === 'Refused' ? 'the command was not started' : 'the connection ended'}: ${reason}`,
    {
      help: `\`devtool status ${name}\` shows how it is`,
    },
  )

/** A session that was ended from outside has its own reason. */
const failureOf = async (name: string, session: DevSession, failure: ProgramFailure): Promise<Diagnostic> => {
  const over =
    failure._tag === 'Over' ? await session.ended : await Promise.race([session.ended, Promise.resolve(undefined)])
  if (over === undefined) return connectionFailure(name, failure)
  return over._tag === 'RecordGone'
    ? developmentEnded(name, over.reason)
    : connectionFailure(name, { _tag: 'Over', reason: over.reason })
}

/** The session ends with the program. */
export const runIn = (
  session: DevSession,
  name: string,
  run: TE.TaskEither<Diagnostic | ProgramFailure, number>,
): TE.TaskEither<Diagnostic, Ran> =>
  pipe(
    run,
    TE.orElse((failure) =>
      'code' in failure ? TE.left(failure) : TE.leftTask(() => failureOf(name, session, failure)),
    ),
    T.tapIO(() => () => session.end({ _tag: 'Closed', reason: 'the command has ended' })),
    TE.map((status) => ({ status })),
  )

/** Finds DT5050, DT5053, DT5055 and DT5057. */
export const execInDev =
  (ports: ExecPorts) =>
  (request: ExecRequest): Promise<Result<Ran>> => {
    const { command, signal, target } = request
    const work = pipe(
      command.length === 0 ? TE.left(noCommand) : oneActive(ports)(request),
      TE.bind('to', ({ found }) => sessionTarget(target, found.record, patienceMs, signal)),
      TE.flatMap(({ found, to }) => {
        ports.progress.end()
        const session = openSession(ports)(to, signal)
        const { record } = found
        const ran = runIn(session, record.dev, runProgram(ports)(session, { command }))
        return whileDeveloped({ ports, target, signal }, record, session)(ran)
      }),
      TE.map((value) => ({ findings: [], value })),
    )
    return answer(work)
  }
