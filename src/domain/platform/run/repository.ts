/** Which repositories runs clone: only by HTTPS, since anything else could reach files or programs of the pod. */

/** Where the credentials of a host are, among the variables of a namespace. */
export const gitTokenVariable = (host: string): string =>
  `DEVTOOL_GIT_TOKEN_${host.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`

/** Certificates that verify servers of repositories, as PEM, beside those of the image. */
export const GIT_AUTHORITY_VARIABLE = 'DEVTOOL_GIT_CA'

/** Credentials are not part of an address: it is shown to everybody in the namespace. */
const ADDRESS = /^https:\/\/([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::\d{1,5})?\/[\w.~%+@/-]{1,500}$/i

/** `undefined` for an address that is not cloned. */
export const repositoryHost = (address: string): string | undefined => ADDRESS.exec(address)?.[1]?.toLowerCase()

/** As git takes them (git-check-ref-format), and never like a flag. */
export const isBranch = (name: string): boolean =>
  /^[A-Za-z0-9_][\w./+#@=-]{0,199}$/.test(name) &&
  !/\.\.|\/\/|\/\.|@\{|\.lock(?:\/|$)/.test(name) &&
  !name.endsWith('.') &&
  !name.endsWith('/')
