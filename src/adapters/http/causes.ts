/** What exceptions of connections say, in words that follow "cannot be reached:". */
import { type ConnectionCause, connectionCause } from '../../domain/network/causes.ts'

export const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : ''

/** Some versions of Node have one code for all that fails in TLS; what OpenSSL says has the reason at a place of its own. */
const tlsCode = (code: string, message: string): string => {
  const reason = code === 'EPROTO' ? /:error:[0-9A-F]+:SSL routines:[^:]*:([^:]+):/.exec(message)?.[1] : undefined
  return reason === undefined ? code : `ERR_SSL_${reason.toUpperCase().replaceAll(' ', '_')}`
}

/** Of several addresses that were tried one after the other, the first counts. */
export const causeOf = (cause: unknown): ConnectionCause => {
  if (cause instanceof AggregateError && cause.errors.length > 0) return causeOf(cause.errors[0])
  if (!(cause instanceof Error)) return { because: 'Broken', text: String(cause) }
  return connectionCause(tlsCode(codeOf(cause), cause.message), cause.message)
}

export const causeText = (cause: unknown): string => causeOf(cause).text
