/** `logout`: revokes the token and removes it from the store. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { contextName, isPlatformUrl, storedContext, withContext } from '../../domain/context/store.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import type { Ports } from '../../ports/ports.ts'
import { notLoggedIn } from '../login/browser.ts'
import { revokeToken } from '../login/revoke.ts'
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

export const logOut =
  (ports: LogoutPorts) =>
  (given: string | undefined, env: ShellVariables, signal: AbortSignal): Promise<Result<LoggedOut>> => {
    const work = pipe(
      urlOf(ports, given, env),
      TE.bindTo('url'),
      TE.bind('store', () => loadStore(ports)),
      TE.bind('stored', ({ store, url }) => {
        const stored = storedContext(store, url)
        const token = isPlatformUrl(url) ? stored?.token : undefined
        return token === undefined ? TE.left(notLoggedIn(url)) : TE.right({ token, authority: stored?.authority })
      }),
      TE.bind('findings', ({ stored: { authority, token }, url }) =>
        TE.fromTask(revokeToken(ports)({ url, token, ...defined({ authority }) }, signal)),
      ),
      TE.tap(({ url }) => changeStore(ports, (now) => withContext(now, url, { token: '', tokenFrom: '' }))),
      TE.map(({ findings, url }) => ({ findings, value: { url } })),
    )
    return answer(work)
  }
