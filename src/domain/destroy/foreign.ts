/**
 * Objects that commands created outside the environment's namespace: they are never deleted, only listed with the
 * command that does it.
 */

import type { Resource } from '../cluster/resources.ts'
import { type Diagnostic, warning } from '../diagnostic/diagnostic.ts'
import { type EnvironmentRecord, type InventoryEntry, unionOf } from '../environment/record.ts'
import type { Release } from '../environment/release.ts'
import { membersOf } from './releases.ts'

export const foreignIn = ({ foreign, inventory }: EnvironmentRecord): ReadonlyArray<InventoryEntry> =>
  unionOf(
    foreign,
    inventory.filter(({ namespace }) => namespace !== undefined),
  )

/** Objects of Helm releases in other namespaces. `resources`: the kinds that the cluster serves. */
export const foreignOf = (
  releases: ReadonlyArray<Release>,
  namespace: string,
  resources: ReadonlyArray<Resource>,
): ReadonlyArray<InventoryEntry> =>
  releases.flatMap((release) =>
    membersOf(release).flatMap(({ apiVersion, kind, name, namespace: where = namespace }) => {
      const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : ''
      const resource = resources.find((one) => one.kind === kind && one.group === group)
      if (resource === undefined || (resource.isNamespaced && where === namespace)) return []
      const { isNamespaced, plural, version } = resource
      return [
        { group: resource.group, version, plural, kind, name, uid: '', ...(isNamespaced ? { namespace: where } : {}) },
      ]
    }),
  )

const quoted = (word: string): string => (/^[\w.:/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)

/** `kubectl delete clusterroles.rbac.authorization.k8s.io/web`. */
export const removalOf = ({ group, name, namespace, plural }: InventoryEntry): string => {
  const what = quoted(`${plural}${group === '' ? '' : `.${group}`}/${name}`)
  return `kubectl delete ${what}${namespace === undefined ? '' : ` --namespace ${quoted(namespace)}`}`
}

/** DT3305. */
export const foreignFindings = (entries: ReadonlyArray<InventoryEntry>): ReadonlyArray<Diagnostic> => {
  if (entries.length === 0) return []
  const names = entries.map(({ kind, name, namespace }) => {
    return namespace === undefined ? `${kind}/${name}` : `${kind}/${name} in namespace ${namespace}`
  })
  return [
    warning('DT3305', `kept, since it is outside the namespace: ${names.join(', ')}`, {
      help: entries.map((entry) => `\`${removalOf(entry)}\``).join('\n'),
    }),
  ]
}
