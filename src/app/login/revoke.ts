/** Revokes tokens that this machine does not need any more. */
import { pipe } from 'fp-ts/lib/function.js'
import type { Task } from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { isPlatformUrl, type StoredContext } from '../../domain/context/store.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import type { PlatformLogin } from '../../ports/platforms.ts'
import type { Ports } from '../../ports/ports.ts'

type RevokePorts = Pick<Ports, 'platforms'>

/** An invalid token need not be revoked. A failure is a warning: the token expires by itself. */
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

/** Revokes only a token that a login created for this machine: a token that the user gave may be in use elsewhere. */
export const revokeOwn =
  (ports: RevokePorts) =>
  (stored: StoredContext | undefined, signal: AbortSignal): Task<ReadonlyArray<Diagnostic>> => {
    const { authority, name = '', token, tokenFrom } = stored ?? {}
    return token === undefined || tokenFrom !== 'login' || !isPlatformUrl(name)
      ? async () => []
      : revokeToken(ports)({ url: name, token, ...defined({ authority }) }, signal)
  }
