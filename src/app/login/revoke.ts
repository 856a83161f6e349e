/** Tokens that this machine needs no more are revoked. */
import { pipe } from 'fp-ts/lib/function.js'
import type { Task } from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { isPlatformUrl, type StoredContext } from '../../domain/context/store.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import type { PlatformLogin } from '../../ports/platforms.ts'
import type { Ports } from '../../ports/ports.ts'

type RevokePorts = Pick<Ports, 'platforms'>

/** A token that is not valid any more need not be revoked. What cannot be revoked now is a warning: it ends by itself. */
export const revokeToken =
  ({ platforms }: RevokePorts) =>
  (login: PlatformLogin, signal: AbortSignal): Task<ReadonlyArray<Diagnostic>> =>
    pipe(
      platforms.send(login, 'endSession', {}, signal),
      TE.match(
        (failure): ReadonlyArray<Diagnostic> =>
          failure.code === 'DT6002'
            ? []
            : [
                {
                  ...failure,
                  severity: 'warning',
                  help: `the token was not revoked: it ends by itself, or revoke it on ${login.url}`,
                },
              ],
        () => [],
      ),
    )

/** Only a token that a login made for this machine: one that was given may be in use elsewhere. */
export const revokeOwn =
  (ports: RevokePorts) =>
  (stored: StoredContext | undefined, signal: AbortSignal): Task<ReadonlyArray<Diagnostic>> => {
    const { authority, name = '', token, tokenFrom } = stored ?? {}
    return token === undefined || tokenFrom !== 'login' || !isPlatformUrl(name)
      ? async () => []
      : revokeToken(ports)({ url: name, token, ...defined({ authority }) }, signal)
  }
