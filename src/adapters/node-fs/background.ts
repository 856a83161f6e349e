/** The port `Background`, with its logs in devtool's folder. */
import { ftruncateSync, openSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { Background } from '../../ports/background.ts'
import type { Clock } from '../../ports/clock.ts'
import { nodeBackground } from '../process/background.ts'
import { reasonOf } from './files.ts'
import { privatePath } from './home.ts'

const unwritable = (path: string, cause: unknown): Diagnostic =>
  error('DT2104', `cannot write ${path}: ${reasonOf(cause)}`, { help: 'set DEVTOOL_HOME to a writable folder' })

type Environment = Readonly<Record<string, string | undefined>>

/** Empties the file and opens it for appending, so that writing continues at its end even after it was shortened. */
const openLog = (env: Environment, path: string): E.Either<Diagnostic, number> =>
  pipe(
    privatePath(env, path),
    E.flatMap((file) =>
      E.tryCatch(
        () => {
          const log = openSync(file, 'a+', 0o600)
          ftruncateSync(log, 0)
          return log
        },
        (cause) => unwritable(file, cause),
      ),
    ),
  )

export const loggedBackground = (env: Environment, cwd: string, clock: Pick<Clock, 'every'>): Background =>
  nodeBackground({ clock, cwd, env, openLog: (path) => openLog(env, path) })
