/** Why a registry refused to serve or accept an image, according to the error message. */
import { splitReference } from './reference.ts'

/** Denied: credentials are missing or insufficient. Unreached: no response, or not from a trusted server. */
type Trouble = 'Denied' | 'Unreached' | 'Missing' | 'Other'

const forms: ReadonlyArray<readonly [RegExp, Trouble]> = [
  [
    /no such host|connection refused|connection reset|i\/o timeout|network is unreachable|no route to host|server misbehaving|TLS handshake|x509:|HTTP response to HTTPS client|deadline exceeded|\bEOF\b|Client\.Timeout|50[234] (?:Bad Gateway|Service Unavailable|Gateway)/i,
    'Unreached',
  ],
  [
    /\b40[13]\b|unauthorized|denied|forbidden|insufficient[_ ]scope|authorization failed|authentication required|no basic auth|failed to authorize/i,
    'Denied',
  ],
  [/not found|manifest unknown|name unknown|\b404\b/i, 'Missing'],
]

export const troubleOf = (message: string): Trouble => forms.find(([form]) => form.test(message))?.[1] ?? 'Other'

/** The end of a chain of causes is what happened; the parts before it are URLs of requests. */
export const shortCause = (message: string): string => {
  const [, lookup] = /(lookup \S+)(?: on \S+)?: no such host/.exec(message) ?? []
  if (lookup !== undefined) return `no such host ${lookup.slice('lookup '.length)}`
  const [, dial] = /dial tcp \S+: (?:connect: )?(.*)/s.exec(message) ?? []
  if (dial !== undefined) return dial.trim()
  const [, status] =
    /(?:unexpected status from \w+ request to \S+|failed with status code \[[^[\]]*\]): (.*)/s.exec(message) ?? []
  return (status ?? message).trim()
}

/** The registry to `docker login` to for an image (`docker.io` when it names no registry). */
export const registryOf = (image: string): string => splitReference(image).registry || 'docker.io'

/** What the user can do about it. */
export const adviceOn = (trouble: Trouble, host: string, message: string): string => {
  if (/HTTP response to HTTPS client/i.test(message)) {
    return `${host} does not use TLS: configure it as an insecure registry in the builder`
  }
  if (/x509:/.test(message)) return `give the builder the certificate authority of ${host}`
  switch (trouble) {
    case 'Denied':
      return `log in with \`docker login ${host}\`, or ask for permission`
    case 'Unreached':
      return `check that the builder (not this machine) can reach ${host}`
    case 'Missing':
      return 'check the name and the tag'
    case 'Other':
      return `check what ${host} reports about it`
  }
}
