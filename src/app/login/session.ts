/** A working login at a platform: its certificate is trusted, and its token is valid. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { PlatformLogin, PlatformSaid } from '../../ports/platforms.ts'
import type { Ports } from '../../ports/ports.ts'
import { type BrowserPorts, newToken } from './browser.ts'
import { trusting } from './trust.ts'

export type LoginPorts = BrowserPorts & Pick<Ports, 'prompt'>

/** `given`: a token of a flag or variable, which no login replaces. `isAgain`: ignores the stored token. */
export type WantedLogin = {
  readonly url: string
  readonly given?: string | undefined
  readonly stored?: string | undefined
  readonly authority?: string | undefined
  readonly isAgain?: boolean
}

/** `isNew`: this login created the token. */
export type LoggedIn = { readonly login: PlatformLogin; readonly me: PlatformSaid<'me'>; readonly isNew: boolean }

const meAs =
  ({ platforms }: LoginPorts, signal: AbortSignal) =>
  (login: PlatformLogin, isNew = false): TE.TaskEither<Diagnostic, LoggedIn> =>
    pipe(
      platforms.send(login, 'me', {}, signal),
      TE.map((me) => ({ login, me, isNew })),
    )

/** Fails with DT2110, DT2111, and with DT6001, DT6002 and DT6012 when no valid token was obtained. */
export const loggedIn =
  (ports: LoginPorts) =>
  (
    { authority, given, isAgain = false, stored, url }: WantedLogin,
    signal: AbortSignal,
  ): TE.TaskEither<Diagnostic, LoggedIn> => {
    const as = meAs(ports, signal)
    const anew = (login: PlatformLogin) =>
      pipe(
        newToken(ports)(login, signal),
        TE.flatMap((token) => as({ ...login, token }, true)),
      )
    const enter = (login: PlatformLogin): TE.TaskEither<Diagnostic, LoggedIn> => {
      if (given !== undefined) return as({ ...login, token: given })
      if (stored === undefined || isAgain) return anew(login)
      return pipe(
        as({ ...login, token: stored }),
        TE.orElse((failure) => (failure.code === 'DT6002' ? anew(login) : TE.left(failure))),
      )
    }
    return pipe(trusting(ports)({ url, authority }, signal), TE.flatMap(enter))
  }
