/**
 * Whether the certificate of a platform is trusted: one that this machine cannot verify is confirmed by the user, once.
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { PlatformLogin, ServerCertificate } from '../../ports/platforms.ts'
import type { Ports } from '../../ports/ports.ts'

type TrustPorts = Pick<Ports, 'platforms' | 'prompt'>

const question = ({ authority, url }: PlatformLogin, { fingerprint, subject }: ServerCertificate): string => {
  const what = authority === undefined ? 'is not known to this machine' : 'has changed'
  return `the certificate of ${url} ${what} (${subject}, SHA-256 ${fingerprint}): trust it from now on?`
}

/** Without a terminal nobody can compare the fingerprint. */
const confirmed = (
  { platforms, prompt }: TrustPorts,
  login: PlatformLogin,
  untrusted: Diagnostic,
  signal: AbortSignal,
): TE.TaskEither<Diagnostic, PlatformLogin> =>
  pipe(
    platforms.certificate(login.url, signal),
    TE.bindTo('shown'),
    TE.bind('isTrusted', ({ shown }) =>
      prompt.confirm({ text: question(login, shown), flag: 'SSL_CERT_FILE', signal }),
    ),
    TE.mapLeft((failure) => (failure.code === 'DT2101' ? untrusted : failure)),
    TE.filterOrElse(
      ({ isTrusted }) => isTrusted,
      () => untrusted,
    ),
    TE.map(({ shown }) => ({ ...login, authority: shown.authority })),
  )

/** The same login, with the certificate to trust in future. Fails with DT2110 and DT2111. */
export const trusting =
  (ports: TrustPorts) =>
  (login: PlatformLogin, signal: AbortSignal): TE.TaskEither<Diagnostic, PlatformLogin> => {
    const greet = (as: PlatformLogin) => ports.platforms.send(as, 'meta', {}, signal)
    return pipe(
      greet(login),
      TE.map(() => login),
      TE.orElse((failure) =>
        failure.code === 'DT2111' ? pipe(confirmed(ports, login, failure, signal), TE.tap(greet)) : TE.left(failure),
      ),
    )
  }
