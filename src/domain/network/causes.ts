/** Why connections fail, by the error codes of systems and libraries, as phrases that follow "cannot be reached:". */

/**
 * `UnknownName`: the name does not resolve. `Refused`: nothing listens there. `NotTls`: it responds, but does not use
 * TLS. `Untrusted`: its certificate was issued by an unknown authority. `BadCertificate`: expired, or for another name.
 * `Proxy`: a proxy failed; the server may be up. `Aborted`: by our own signal.
 */
type Because =
  | 'UnknownName'
  | 'Refused'
  | 'TimedOut'
  | 'NotTls'
  | 'Untrusted'
  | 'BadCertificate'
  | 'Proxy'
  | 'Aborted'
  | 'Broken'

export type ConnectionCause = { readonly because: Because; readonly text: string }

type KnownCause = readonly [because: Because, text: string]

const reset: KnownCause = ['Broken', 'the connection was reset']
const notTls: KnownCause = ['NotTls', 'it does not use TLS']
const unknownAuthority: KnownCause = ['Untrusted', 'its certificate is signed by an unknown authority']
const badClient: KnownCause = ['Broken', 'it does not accept the client certificate']
const expiredClient: KnownCause = ['Broken', 'the client certificate has expired']

const known: ReadonlyMap<string, KnownCause> = new Map([
  ['ECONNREFUSED', ['Refused', 'connection refused']],
  ['ECONNRESET', reset],
  ['EPIPE', reset],
  ['ETIMEDOUT', ['TimedOut', 'the connection timed out']],
  ['EHOSTUNREACH', ['Broken', 'no route to the host']],
  ['ENETUNREACH', ['Broken', 'no route to the network']],
  ['ENOTFOUND', ['UnknownName', 'its name cannot be resolved']],
  ['ENODATA', ['UnknownName', 'its name cannot be resolved']],
  ['EAI_AGAIN', ['UnknownName', 'its name cannot be resolved at the moment']],
  ['ENOENT', ['Refused', 'there is no such socket']],
  ['ENOTSOCK', ['Broken', 'the file is not a socket']],
  ['EACCES', ['Broken', 'permission denied']],
  ['EPERM', ['Broken', 'permission denied']],
  ['ABORT_ERR', ['Aborted', 'interrupted']],
  ['CERT_HAS_EXPIRED', ['BadCertificate', 'its certificate has expired']],
  ['CERT_NOT_YET_VALID', ['BadCertificate', 'its certificate is not valid yet']],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', ['Untrusted', 'its certificate is self-signed']],
  ['SELF_SIGNED_CERT_IN_CHAIN', unknownAuthority],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', unknownAuthority],
  ['UNABLE_TO_GET_ISSUER_CERT', unknownAuthority],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', unknownAuthority],
  ['CERT_SIGNATURE_FAILURE', unknownAuthority],
  ['ERR_SSL_WRONG_VERSION_NUMBER', notTls],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', notTls],
  ['ERR_SSL_HTTP_REQUEST', notTls],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', ['Broken', 'it requires a client certificate']],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', ['Broken', 'it does not know the authority of the client certificate']],
  ['ERR_SSL_TLSV1_ALERT_DECRYPT_ERROR', badClient],
  ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', badClient],
  ['ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE', badClient],
  ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', expiredClient],
  ['ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED', expiredClient],
  ['ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL', ['Broken', 'it uses TLS, but not HTTP/2']],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', ['Broken', 'it uses a different TLS version']],
  ['ERR_HTTP2_GOAWAY_SESSION', ['Broken', 'it is shutting down']],
  ['ERR_HTTP2_INVALID_SESSION', ['Broken', 'the connection is gone']],
])

/** For codes that are not in the table; the text is then the original message. */
const kinds: ReadonlyArray<readonly [form: RegExp, because: Because]> = [
  [/^ERR_PROXY_/, 'Proxy'],
  [/^ERR_LATE$/, 'TimedOut'],
  [/^(?:CERT_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_EXCEEDED)/, 'BadCertificate'],
]

/** `message`: the original message, used for unknown codes. */
export const connectionCause = (code: string, message: string): ConnectionCause => {
  const [because, text] = known.get(code) ?? []
  if (because !== undefined && text !== undefined) return { because, text }
  if (code.startsWith('ERR_TLS_CERT_ALTNAME')) {
    return { because: 'BadCertificate', text: `its certificate is for a different name (${message})` }
  }
  if (code.startsWith('HPE_')) return { because: 'Broken', text: 'its response is not valid HTTP' }
  const [, kind = 'Broken'] = kinds.find(([form]) => form.test(code)) ?? []
  return { because: kind, text: message === '' ? code : message }
}
