/** What a user has to be allowed to do in the namespace for `up`. */
import { type Right, rightsOn, showRights } from '../cluster/rights.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'

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
