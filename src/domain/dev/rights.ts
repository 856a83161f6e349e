/** The permissions that `up` requires in a namespace. */

import type { ClusterObject, Observed } from '../cluster/live.ts'
import { type Right, rightsOn, showRights } from '../cluster/rights.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { defined } from '../object/defined.ts'
import { grouped } from '../object/grouped.ts'
import { listed } from '../text/listed.ts'
import { unseenScalers } from './controllers.ts'
import type { Touched } from './record.ts'

const changes = ['get', 'list', 'watch', 'create', 'patch', 'delete']

/**
 * Both verbs: older servers ask for `get` when a connection is upgraded, newer ones for `create`. One of the two
 * subresources is enough.
 */
const portForward = rightsOn({ group: '', resource: 'pods', subresource: 'portforward' }, ['get', 'create'])
const exec = rightsOn({ group: '', resource: 'pods', subresource: 'exec' }, ['get', 'create'])

export const developmentRights: ReadonlyArray<Right> = [
  ...rightsOn({ group: 'apps', resource: 'deployments' }, changes),
  ...rightsOn({ group: '', resource: 'configmaps' }, changes),
  ...rightsOn({ group: '', resource: 'secrets' }, ['get', 'create', 'patch', 'delete']),
  ...rightsOn({ group: '', resource: 'persistentvolumeclaims' }, ['get', 'create', 'patch']),
  ...rightsOn({ group: '', resource: 'pods' }, ['get', 'list', 'watch']),
  ...portForward,
  ...exec,
]

const hasAll = (needed: ReadonlyArray<Right>, missing: ReadonlyArray<Right>): boolean =>
  !needed.some((right) => missing.includes(right))

/** `missing`: those of {@link developmentRights} that are denied. Finds DT5054. */
export const refusedRights = (namespace: string, missing: ReadonlyArray<Right>): ReadonlyArray<Diagnostic> => {
  const isLinked = hasAll(portForward, missing) || hasAll(exec, missing)
  const needed = missing.filter((right) => !isLinked || !(portForward.includes(right) || exec.includes(right)))
  return needed.length === 0
    ? []
    : [
        error('DT5054', `not allowed in namespace ${namespace}: ${showRights(needed)}`, {
          help: 'ask a cluster administrator for the role "edit" in the namespace; nothing was changed',
        }),
      ]
}

/** Permissions for the changes besides the mirror that keep the workload stopped; `what` is keyed by permission. */
export type TouchingRights = { readonly rights: ReadonlyArray<Right>; readonly what: ReadonlyArray<string> }

/**
 * The permissions beyond {@link developmentRights}. A KEDA autoscaler that cannot be read is recognised by the
 * HorizontalPodAutoscaler that it creates.
 */
export const touchingRights = (
  touched: ReadonlyArray<Touched>,
  original: ClusterObject | undefined,
  observed: Observed,
): TouchingRights => {
  const isKnown = ({ group, resource, verb }: Right): boolean =>
    developmentRights.some((one) => one.group === group && one.resource === resource && one.verb === verb)
  const patched = touched
    .map(({ name, namespace, resource: { group, kind, plural } }) => ({
      what: `${kind}/${name}`,
      rights: rightsOn(
        { group, resource: plural, ...defined({ namespace }) },
        namespace === undefined ? ['patch'] : ['get', 'patch'],
      ),
    }))
    .filter(({ rights }) => !rights.every(isKnown))
  const unseen = (original === undefined ? [] : unseenScalers(original, observed)).map((name) => ({
    what: `ScaledObject/${name}`,
    rights: rightsOn({ group: 'keda.sh', resource: 'scaledobjects' }, ['list', 'patch']),
  }))
  const all = [...patched, ...unseen]
  const rights = new Map(all.flatMap((one) => one.rights).map((right) => [JSON.stringify(right), right]))
  return { rights: [...rights.values()], what: [...new Set(all.map(({ what }) => what))] }
}

/** DT5054 for the changes that `up` would make but lacks permission for. */
export const refusedTouches = (
  namespace: string,
  { what }: TouchingRights,
  missing: ReadonlyArray<Right>,
): ReadonlyArray<Diagnostic> =>
  [...grouped(missing, (right) => right.namespace ?? namespace)].map(([where, denied]) =>
    error('DT5054', `not allowed in namespace ${where}: ${showRights(denied)}`, {
      help: `${listed(what)} would start the workload again, or is to be changed itself: ask a cluster administrator; nothing was changed`,
    }),
  )
