/** What codes of systems say of connections, in words that follow "cannot be reached:". */

export const connectionCauses: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'connection refused'],
  ['ECONNRESET', 'the connection was reset'],
  ['EPIPE', 'the connection was reset'],
  ['ETIMEDOUT', 'the connection timed out'],
  ['EHOSTUNREACH', 'no route to the host'],
  ['ENETUNREACH', 'no route to the network'],
  ['ENOTFOUND', 'its name cannot be resolved'],
  ['EAI_AGAIN', 'its name cannot be resolved now'],
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
])
