/** What exceptions of sockets, TLS and HTTP/2 say, in words that follow "cannot be reached:". */
import { connectionCauses } from '../../../domain/network/causes.ts'

const causes: ReadonlyMap<string, string> = new Map([
  ...connectionCauses,
  ['ENOENT', 'there is no such socket'],
  ['ENOTSOCK', 'the file is not a socket'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['CERT_NOT_YET_VALID', 'its certificate is not valid yet'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is self-signed, and not the one in the CA file'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'its certificate is signed by an authority that is not in the CA file'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its certificate is signed by an authority that is not in the CA file'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'its certificate is signed by an authority that is not in the CA file'],
  ['CERT_SIGNATURE_FAILURE', 'its certificate is signed by an authority that is not in the CA file'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'it does not speak TLS'],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'it does not speak TLS'],
  ['ERR_SSL_HTTP_REQUEST', 'it does not speak TLS'],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'it requires a client certificate'],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'it does not know the authority of the client certificate'],
  ['ERR_SSL_TLSV1_ALERT_DECRYPT_ERROR', 'it does not accept the client certificate'],
  ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', 'it does not accept the client certificate'],
  ['ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE', 'it does not accept the client certificate'],
  ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', 'the client certificate has expired'],
  ['ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED', 'the client certificate has expired'],
  ['ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL', 'it speaks TLS, but not HTTP/2'],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'it speaks another version of TLS'],
  ['ERR_HTTP2_GOAWAY_SESSION', 'the builder is shutting down'],
  ['ERR_HTTP2_INVALID_SESSION', 'the connection is gone'],
])

export const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : ''

/** Of several addresses that were tried one after the other, the first counts. */
export const causeText = (cause: unknown): string => {
  if (cause instanceof AggregateError && cause.errors.length > 0) return causeText(cause.errors[0])
  if (!(cause instanceof Error)) return String(cause)
  return causes.get(codeOf(cause)) ?? (cause.message === '' ? codeOf(cause) : cause.message)
}
