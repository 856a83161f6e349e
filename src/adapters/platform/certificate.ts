/** The certificate of a server, for a person to compare. */
import { type DetailedPeerCertificate, TLSSocket } from 'node:tls'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { error } from '../../domain/diagnostic/diagnostic.ts'
import type { Platforms, ServerCertificate } from '../../ports/platforms.ts'
import type { PlatformClientOptions } from './client.ts'

const pemOf = ({ raw }: DetailedPeerCertificate): string => {
  const lines = raw.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

/** The topmost certificate that the server sent: an authority outlives the certificates that it signs. */
const topOf = (certificate: DetailedPeerCertificate): DetailedPeerCertificate => {
  let top = certificate
  const seen = new Set([top.fingerprint256])
  for (let next = top.issuerCertificate; next?.raw !== undefined; next = next.issuerCertificate) {
    if (seen.has(next.fingerprint256)) return top
    seen.add(next.fingerprint256)
    top = next
  }
  return top
}

const shownBy = (socket: unknown): ServerCertificate | undefined => {
  if (!(socket instanceof TLSSocket)) return undefined
  const certificate = socket.getPeerCertificate(true)
  if (certificate.raw === undefined) return undefined
  const top = topOf(certificate)
  const { CN: name = '' } = top.subject
  return { authority: pemOf(top), fingerprint: top.fingerprint256, subject: String(name) }
}

const longestMs = 20_000

export const certificateOf =
  ({ client, clock }: PlatformClientOptions): Platforms['certificate'] =>
  (url, signal) =>
    pipe(
      client.open(
        { method: 'HEAD', url: new URL(url), isLenient: true },
        AbortSignal.any([signal, clock.timeout(longestMs)]),
      ),
      TE.mapLeft(({ text }) => error('DT2110', `the platform ${url} cannot be reached: ${text}`)),
      TE.flatMapEither((response) => {
        const shown = shownBy(response.socket)
        response.destroy()
        return shown === undefined ? E.left(error('DT2110', `${url} shows no certificate`)) : E.right(shown)
      }),
    )
