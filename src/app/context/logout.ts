/** `logout`: the token is revoked, and no longer stored. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { contextName, isPlatformUrl, storedContext, withContext } from '../../domain/context/store.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import type { Ports } from '../../ports/ports.ts'
import { notLoggedIn } from '../login/browser.ts'
import { answer, type Result } from '../result.ts'
import { changeStore } from './contexts.ts'
import { loadStore, type ShellVariables } from './locate.ts'
import { platformOf } from './platform-of.ts'

type LogoutPorts = Pick<Ports, 'clusters' | 'home' | 'platforms'>

export type LoggedOut = { readonly url: string }

const only = { what: 'logout', instead: 'name the platform: `devtool logout URL`' }

const urlOf = (ports: LogoutPorts, url: string | undefined, env: ShellVariables): TE.TaskEither<Diagnostic, string> =>
  url === undefined
    ? pipe(
        platformOf(ports)(only, { isYes: false }, env),
        TE.map(({ platform }) => platform.url),
      )
    : TE.of(contextName(url))

/** A token that is not valid any more need not be revoked. What cannot be revoked now is a warning: it is forgotten anyway. */
export const logOut =
  (ports: LogoutPorts) =>
  (given: string | undefined, env: ShellVariables, signal: AbortSignal): Promise<Result<LoggedOut>> => {
    const revoke = (url: string, token: string, authority: string | undefined) =>
      pipe(
        ports.platforms.send({ url, token, ...defined({ authority }) }, 'endSession', {}, signal),
        TE.match(
          (failure): ReadonlyArray<Diagnostic> =>
            failure.code === 'DT6002'
              ? []
              : [
                  {
                    ...failure,
                    severity: 'warning',
                    help: `the token was not revoked: it ends by itself, or revoke it on ${url}`,
                  },
                ],
          () => [],
        ),
      )
    const work = pipe(
      urlOf(ports, given, env),
      TE.bindTo('url'),
      TE.bind('store', () => loadStore(ports)),
      TE.bind('stored', ({ store, url }) => {
        const stored = storedContext(store, url)
        const token = isPlatformUrl(url) ? stored?.token : undefined
        return token === undefined ? TE.left(notLoggedIn(url)) : TE.right({ token, authority: stored?.authority })
      }),
      TE.bind('findings', ({ stored: { authority, token }, url }) => TE.fromTask(revoke(url, token, authority))),
      TE.tap(({ url }) => changeStore(ports, (now) => withContext(now, url, { token: '' }))),
      TE.map(({ findings, url }) => ({ findings, value: { url } })),
    )
    return answer(work)
  }
