/** `login`: `context use` of a platform, with a new token. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { resolveContext } from '../../domain/context/resolve.ts'
import { contextName, isPlatformUrl, type Store } from '../../domain/context/store.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { Ports } from '../../ports/ports.ts'
import type { LoginPorts } from '../login/session.ts'
import { answer, type Result } from '../result.ts'
import { type ContextUsed, useContext } from './contexts.ts'
import { loadStore, type ShellVariables } from './locate.ts'

const noPlatform = (name: string | undefined): Diagnostic =>
  error('DT2001', name === undefined ? 'no platform is selected' : `${name} is not the URL of a platform`, {
    help: 'name it: `devtool login https://devtool.example.com`',
  })

/** Without a name, the platform that commands use. */
export const logIn =
  (ports: LoginPorts & Pick<Ports, 'clusters' | 'home'>) =>
  (name: string | undefined, env: ShellVariables, signal: AbortSignal): Promise<Result<ContextUsed>> => {
    const urlIn = (store: Store): E.Either<Diagnostic, string> => {
      const current = resolveContext({ variable: env['DEVTOOL_CONTEXT'], hasFile: false }, store, undefined)?.name
      const wanted = name === undefined ? current : contextName(name)
      return wanted !== undefined && isPlatformUrl(wanted) ? E.right(wanted) : E.left(noPlatform(wanted))
    }
    const work = pipe(
      loadStore(ports),
      TE.flatMapEither(urlIn),
      TE.flatMapTask(
        (url) => () =>
          useContext(ports)({ name: url, fields: {}, isAgain: true, isNamed: name !== undefined }, { env }, signal),
      ),
    )
    return answer(work)
  }
