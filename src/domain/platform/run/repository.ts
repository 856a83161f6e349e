/** Which repositories runs clone: only by HTTPS, since other protocols could reach files or programs of the pod. */

/** The variable of a namespace with the token for a host. */
export const gitTokenVariable = (host: string): string =>
  `DEVTOOL_GIT_TOKEN_${host.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`

/** The variable with certificates (PEM) that verify servers of repositories, in addition to those of the image. */
export const GIT_AUTHORITY_VARIABLE = 'DEVTOOL_GIT_CA'

/** Addresses with credentials are refused: addresses are shown to everybody in the namespace. */
const ADDRESS = /^https:\/\/([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::\d{1,5})?\/[\w.~%+@/-]{1,500}$/i

/** `undefined` for an address that runs do not clone. */
export const repositoryHost = (address: string): string | undefined => ADDRESS.exec(address)?.[1]?.toLowerCase()

/** A valid name for git (git-check-ref-format) that does not look like a flag. */
export const isBranch = (name: string): boolean =>
  /^[A-Za-z0-9_][\w./+#@=-]{0,199}$/.test(name) &&
  !/\.\.|\/\/|\/\.|@\{|\.lock(?:\/|$)/.test(name) &&
  !name.endsWith('.') &&
  !name.endsWith('/')
