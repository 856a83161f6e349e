/** Which names a namespace may have. */
import { isDnsLabel } from '../../text/dns-name.ts'

/** Names that environments, or the first labels of hosts, often have. */
const reserved: ReadonlySet<string> = new Set([
  ...['default', 'dev', 'test', 'stage', 'prod', 'main', 'app', 'api', 'web', 'www'],
])
const reservedPrefixes = ['kube-', 'openshift-', 'devtool-']

export const WRONG_FORM = 'must be lower-case letters, digits and dashes, begin with a letter, and have at most 63'

/** `undefined` for an allowed name. */
export const nameFault = (name: string): string | undefined => {
  if (!isDnsLabel(name)) return WRONG_FORM
  if (reserved.has(name)) return 'is reserved'
  const prefix = reservedPrefixes.find((one) => name.startsWith(one))
  return prefix === undefined ? undefined : `begins with ${prefix}, which is reserved`
}

/**
 * A namespace whose host names could clash: `<environment>-<namespace>` is one label, so members of `c` could take
 * hosts of `b-c`. It does not help that both have the same owner: their members differ, and owners change.
 */
export const rivalOf = (name: string, others: ReadonlyArray<string>): string | undefined =>
  others.find((other) => name.endsWith(`-${other}`) || other.endsWith(`-${name}`))
