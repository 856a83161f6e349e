/** The port `Background`: a process with a session of its own, which outlives the terminal. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { isSea } from 'node:sea'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { Background, BackgroundProcess } from '../../ports/background.ts'
import type { Clock } from '../../ports/clock.ts'
import { keepLogShort } from './short-log.ts'

/** Set only for processes started by `start`. */
const GIVEN = 'DEVTOOL_BACKGROUND'

/** `openLog`: a file descriptor for a path in devtool's folder. */
type BackgroundWorld = {
  readonly clock: Pick<Clock, 'every'>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly openLog: (path: string) => E.Either<Diagnostic, number>
}

const noStart = (cause: unknown): Diagnostic =>
  error(
    'DT5030',
    `no process can be started in the background: ${cause instanceof Error ? cause.message : String(cause)}`,
  )

const begin = ({ cwd, env }: BackgroundWorld, given: string, log: number): E.Either<Diagnostic, ChildProcess> =>
  E.tryCatch(() => {
    try {
      return spawn(process.execPath, [...process.execArgv, ...process.argv.slice(isSea() ? 2 : 1)], {
        cwd,
        detached: true,
        windowsHide: true,
        stdio: ['ignore', log, log, 'ipc'],
        env: { ...env, [GIVEN]: given, NO_COLOR: '1' },
      })
    } finally {
      closeSync(log)
    }
  }, noStart)

/** Waits until the process reports that it is ready, or ends. From then on it runs independently. */
const settled =
  (child: ChildProcess, signal: AbortSignal): TE.TaskEither<Diagnostic, BackgroundProcess> =>
  () =>
    new Promise((resolve) => {
      const interrupt = (): void => void child.kill('SIGTERM')
      const end = (result: E.Either<Diagnostic, BackgroundProcess>): void => {
        signal.removeEventListener('abort', interrupt)
        if (child.connected) child.disconnect()
        child.unref()
        resolve(result)
      }
      const { pid = 0 } = child
      child.once('error', (cause) => end(E.left(noStart(cause))))
      child.once('message', () => end(E.right({ pid })))
      child.once('exit', (status) => end(E.right({ pid, status: status ?? 143 })))
      signal.addEventListener('abort', interrupt, { once: true })
      if (signal.aborted) interrupt()
    })

export const nodeBackground = (world: BackgroundWorld): Background => ({
  given: world.env[GIVEN],
  ready: async () => {
    if (!process.connected) return
    keepLogShort(world.clock, process.stdout.fd)
    process.send?.('ready')
    process.disconnect()
  },
  start: (given, log, signal) =>
    pipe(
      TE.fromIOEither(() => world.openLog(log)),
      TE.flatMapEither((file) => begin(world, given, file)),
      TE.flatMap((child) => settled(child, signal)),
    ),
})
