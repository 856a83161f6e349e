/** Explains connection errors as phrases that follow "cannot be reached:". */
import { type ConnectionCause, connectionCause } from '../../domain/network/causes.ts'

export const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : ''

/** Some versions of Node use one code for all TLS errors; OpenSSL's reason is in another property. */
const tlsCode = (code: string, message: string): string => {
  const reason = code === 'EPROTO' ? /:error:[0-9A-F]+:SSL routines:[^:]*:([^:]+):/.exec(message)?.[1] : undefined
  return reason === undefined ? code : `ERR_SSL_${reason.toUpperCase().replaceAll(' ', '_')}`
}

/** When several addresses were tried, the first error counts. */
export const causeOf = (cause: unknown): ConnectionCause => {
  if (cause instanceof AggregateError && cause.errors.length > 0) return causeOf(cause.errors[0])
  if (!(cause instanceof Error)) return { because: 'Broken', text: String(cause) }
  return connectionCause(tlsCode(codeOf(cause), cause.message), cause.message)
}

export const causeText = (cause: unknown): string => causeOf(cause).text
