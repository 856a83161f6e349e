/** The permissions that `up` requires in a namespace. */

import type { ClusterObject, Observed } from '../cluster/live.ts'
import { resources } from '../cluster/resources.ts'
import { type Right, rightsOn, showRights } from '../cluster/rights.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { defined } from '../object/defined.ts'
import { grouped } from '../object/grouped.ts'
import { listed } from '../text/listed.ts'
import { unseenScalers } from './controllers.ts'
import type { DevRecord, Touched } from './record.ts'
import { devKindOf, showLive } from './workload.ts'

const everyVerb = ['get', 'list', 'watch', 'create', 'patch', 'delete']

/**
 * Both verbs: older servers ask for `get` when a connection is upgraded, newer ones for `create`. One of the two
 * subresources is enough.
 */
const portForward = rightsOn({ group: '', resource: 'pods', subresource: 'portforward' }, ['get', 'create'])
const exec = rightsOn({ group: '', resource: 'pods', subresource: 'exec' }, ['get', 'create'])

export const developmentRights: ReadonlyArray<Right> = [
  ...rightsOn({ group: 'apps', resource: 'deployments' }, everyVerb),
  ...rightsOn({ group: '', resource: 'configmaps' }, everyVerb),
  ...rightsOn({ group: '', resource: 'secrets' }, ['get', 'list', 'create', 'patch', 'delete']),
  ...rightsOn({ group: '', resource: 'persistentvolumeclaims' }, ['get', 'list', 'create', 'patch']),
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

/** Permissions that concern an object besides the mirror. `what`: that object. */
type Change = { readonly what: string; readonly rights: ReadonlyArray<Right> }

/** `why`: what would come of leaving these objects. */
export type TouchingRights = { readonly changes: ReadonlyArray<Change>; readonly why: string }

const keyOf = (right: Right): string => JSON.stringify(right)

/** Each of them once. */
export const rightsIn = ({ changes }: TouchingRights): ReadonlyArray<Right> => [
  ...new Map(changes.flatMap(({ rights }) => rights).map((right) => [keyOf(right), right])).values(),
]

/** An object that may not be listed would count as deleted. */
const changeOf = ({ name, namespace, resource: { group, kind, plural } }: Touched): Change => ({
  what: `${kind}/${name}`,
  rights: rightsOn(
    { group, resource: plural, ...defined({ namespace }) },
    namespace === undefined ? ['list', 'patch'] : ['get', 'patch'],
  ),
})

/** The workload is followed while it is developed. */
const followed = (original: ClusterObject): ReadonlyArray<Change> => {
  const kind = devKindOf(original)
  if (kind === undefined) return []
  const { group, plural } = resources[kind]
  const rights = rightsOn({ group, resource: plural }, ['get', 'list', 'watch', 'patch'])
  return [{ what: showLive(original), rights }]
}

/** The Service beside a workload of `autocreate`, which `down` deletes. */
const serviceOf = (name: string, verbs: ReadonlyArray<string>): Change => ({
  what: `Service/${name}`,
  rights: rightsOn({ group: '', resource: resources.Service.plural }, verbs),
})

/** To restore what was changed and delete what was created. `withVolumes`: the claims are deleted as well. */
export const restoringRights = (
  records: ReadonlyArray<Pick<DevRecord, 'isCreated' | 'mirror' | 'touched' | 'workload'>>,
  withVolumes: boolean,
): TouchingRights => {
  const claims = rightsOn({ group: '', resource: resources.PersistentVolumeClaim.plural }, ['list', 'delete'])
  const changes = records.flatMap(({ isCreated, mirror, touched, workload }) => [
    ...touched.map(changeOf),
    ...(isCreated ? [serviceOf(workload.name, ['list', 'delete'])] : []),
    ...(withVolumes ? [{ what: `PersistentVolumeClaim/${mirror}`, rights: claims }] : []),
  ])
  return { changes, why: 'would stay unchanged' }
}

/** To create what `autocreate` creates first, and to delete it again. */
export const creatingRights = (name: string): TouchingRights => ({
  changes: [serviceOf(name, ['list', 'create', 'delete'])],
  why: 'is to be created, and to be deleted by `devtool down`',
})

/**
 * The permissions beyond {@link developmentRights}. A KEDA autoscaler that cannot be read is recognised by the
 * HorizontalPodAutoscaler that it creates.
 */
export const touchingRights = (
  touched: ReadonlyArray<Touched>,
  original: ClusterObject,
  observed: Observed,
): TouchingRights => {
  const isKnown = ({ group, resource, verb }: Right): boolean =>
    developmentRights.some((one) => one.group === group && one.resource === resource && one.verb === verb)
  const changed = [...followed(original), ...touched.map(changeOf)].filter(({ rights }) => !rights.every(isKnown))
  const unseen = unseenScalers(original, observed).map((name) => ({
    what: `ScaledObject/${name}`,
    rights: rightsOn({ group: 'keda.sh', resource: 'scaledobjects' }, ['list', 'patch']),
  }))
  return { changes: [...changed, ...unseen], why: 'would start the workload again, or is to be changed itself' }
}

/** DT5054 for the changes that are to be made and lack a permission. */
export const refusedTouches = (
  namespace: string,
  { changes, why }: TouchingRights,
  missing: ReadonlyArray<Right>,
): ReadonlyArray<Diagnostic> =>
  [...grouped(missing, (right) => right.namespace ?? namespace)].map(([where, denied]) => {
    const keys = new Set(denied.map(keyOf))
    const what = changes.filter(({ rights }) => rights.some((right) => keys.has(keyOf(right))))
    return error('DT5054', `not allowed in namespace ${where}: ${showRights(denied)}`, {
      help: `${listed([...new Set(what.map((one) => one.what))])} ${why}: ask a cluster administrator; nothing was changed`,
    })
  })
