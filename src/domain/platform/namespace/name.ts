/** Which names a namespace may have. */
import { isDnsLabel } from '../../text/dns-name.ts'

/** Names that environments, or the first label of a host, often have. */
const reserved: ReadonlySet<string> = new Set([
  ...['default', 'dev', 'test', 'stage', 'prod', 'main', 'app', 'api', 'web', 'www'],
])
const reservedPrefixes = ['kube-', 'openshift-', 'devtool-']

export const WRONG_FORM = 'must be lower-case letters, digits and dashes, begin with a letter, and have at most 63'

/** `undefined` for a name that a namespace may have. */
export const nameFault = (name: string): string | undefined => {
  if (!isDnsLabel(name)) return WRONG_FORM
  if (reserved.has(name)) return 'is reserved'
  const prefix = reservedPrefixes.find((one) => name.startsWith(one))
  return prefix === undefined ? undefined : `begins with ${prefix}, which is reserved`
}

/**
 * A namespace whose hosts could be the same: `<environment>-<namespace>` is one label, so members of `c` could take hosts
 * of `b-c`. That both have the same owner does not matter: their members differ, and owners change.
 */
export const rivalOf = (name: string, others: ReadonlyArray<string>): string | undefined =>
  others.find((other) => name.endsWith(`-${other}`) || other.endsWith(`-${name}`))
