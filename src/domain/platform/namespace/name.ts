/** Which names a namespace may have. */
import { isDnsLabel } from '../../text/dns-name.ts'

/** Names that environments, or the first label of a host, often have. */
const reserved: ReadonlySet<string> = new Set([
  ...['default', 'dev', 'test', 'stage', 'prod', 'main', 'app', 'api', 'web', 'www'],
])
const reservedPrefixes = ['kube-', 'openshift-', 'devtool-']

/** `undefined` for a name that a namespace may have. */
export const nameFault = (name: string): string | undefined => {
  if (!isDnsLabel(name))
    return 'must be lower-case letters, digits and dashes, begin with a letter, and have at most 63'
  if (reserved.has(name)) return 'is reserved'
  const prefix = reservedPrefixes.find((one) => name.startsWith(one))
  return prefix === undefined ? undefined : `begins with ${prefix}, which is reserved`
}

export type OwnedName = { readonly name: string; readonly owner: string }

/**
 * A namespace of somebody else whose hosts could be the same: `<environment>-<namespace>` is one label, so the hosts of
 * `c` and `b-c` can meet.
 */
export const rivalOf = ({ name, owner }: OwnedName, others: Iterable<OwnedName>): OwnedName | undefined => {
  for (const other of others) {
    const canMeet = name.endsWith(`-${other.name}`) || other.name.endsWith(`-${name}`)
    if (canMeet && other.owner !== owner) return other
  }
  return undefined
}
