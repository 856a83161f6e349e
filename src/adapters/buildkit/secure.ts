/** TLS on an existing stream. */
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { checkServerIdentity, connect } from 'node:tls'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Clock } from '../../ports/clock.ts'
import { causeText, codeOf } from '../http/causes.ts'
import type { Tls } from './rpc/dial.ts'

const handshakeMs = 10_000

const noTls = 'it closed the connection during the TLS handshake; it may not use TLS'

const explain = (cause: Error): string => {
  return codeOf(cause) === 'ECONNRESET' ? noTls : causeText(cause)
}

/**
 * A forwarded port is on this machine, so the certificate has to be valid for that unless `serverName` says otherwise.
 */
export const securePipe =
  (
    pipe: Duplex,
    { serverName = '127.0.0.1', ...pem }: Tls,
    clock: Pick<Clock, 'after'>,
  ): TE.TaskEither<string, Duplex> =>
  () =>
    new Promise((resolve) => {
      const socket = connect({
        ...pem,
        socket: pipe,
        ALPNProtocols: ['h2'],
        ...(isIP(serverName) === 0 ? { servername: serverName } : {}),
        checkServerIdentity: (_host, certificate) => checkServerIdentity(serverName, certificate),
      })
      const refuse = (cause: string): void => {
        cancel()
        socket.destroy()
        pipe.destroy()
        resolve(E.left(cause))
      }
      const closed = (): void => refuse(noTls)
      const failed = (cause: Error): void => refuse(explain(cause))
      const cancel = clock.after(handshakeMs, () => refuse(`no TLS handshake within ${handshakeMs / 1000} s`))
      // Removed when the connection has a listener of its own.
      socket.on('error', failed)
      pipe.once('close', closed)
      socket.once('secureConnect', () => {
        cancel()
        pipe.off('close', closed)
        resolve(E.right(socket))
      })
    })
