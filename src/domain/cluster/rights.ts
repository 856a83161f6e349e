/** Permissions in one namespace, in RBAC's terms, and the reviews that ask the API server for them. */

import { defined } from '../object/defined.ts'
import { grouped } from '../object/grouped.ts'
import { at, type JsonObject, listAt } from './json.ts'

/** `name`: an object for which it is needed; roles can be limited to names. */
export type Right = {
  readonly group: string
  readonly resource: string
  readonly subresource?: string
  readonly name?: string
  readonly verb: string
  /** When it is another one than that of the project. */
  readonly namespace?: string
}

export const rightsOn = (of: Omit<Right, 'verb'>, verbs: ReadonlyArray<string>): ReadonlyArray<Right> =>
  verbs.map((verb) => ({ ...of, verb }))

/** `isOptional`: deploy works without it, but reports less. */
export type NeededRight = Right & { readonly isOptional: boolean }

const changes = ['get', 'list', 'watch', 'create', 'patch', 'delete']
const looks = ['get', 'list', 'watch']

const needed = (
  group: string,
  resource: string,
  verbs: ReadonlyArray<string>,
  isOptional = false,
): ReadonlyArray<NeededRight> => rightsOn({ group, resource }, verbs).map((right) => ({ ...right, isOptional }))

/** The permissions that deploy, destroy, logs and why need in a namespace. */
export const neededRights: ReadonlyArray<NeededRight> = [
  ...['deployments', 'statefulsets', 'daemonsets'].flatMap((resource) => needed('apps', resource, changes)),
  ...needed('apps', 'replicasets', looks),
  ...needed('batch', 'jobs', changes),
  ...needed('networking.k8s.io', 'ingresses', changes),
  ...['services', 'configmaps', 'secrets', 'persistentvolumeclaims'].flatMap((resource) =>
    needed('', resource, changes),
  ),
  ...needed('', 'configmaps', ['update']),
  ...needed('coordination.k8s.io', 'leases', ['get', 'create', 'update', 'delete']),
  ...needed('', 'pods', [...looks, 'delete']),
  ...needed('', 'events', ['list', 'watch'], true),
  ...needed('', 'resourcequotas', ['list'], true),
  { group: '', resource: 'pods', subresource: 'log', verb: 'get', isOptional: true },
  { group: '', resource: 'pods', subresource: 'portforward', verb: 'create', isOptional: true },
]

/** `get, create pods/portforward; patch deployments.apps`. */
export const showRights = (rights: ReadonlyArray<Right>): string => {
  const named = grouped(
    rights,
    ({ group, resource, subresource }) =>
      `${resource}${subresource === undefined ? '' : `/${subresource}`}${group === '' ? '' : `.${group}`}`,
  )
  return [...named].map(([name, same]) => `${same.map(({ verb }) => verb).join(', ')} ${name}`).join('; ')
}

/** A SelfSubjectAccessReview for a permission. */
export const reviewOf = (namespace: string, { group, name, resource, subresource, verb }: Right): JsonObject => ({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SelfSubjectAccessReview',
  spec: {
    resourceAttributes: { namespace, verb, group, resource, ...defined({ subresource, name }) },
  },
})

/** Reads the result of a SelfSubjectAccessReview. */
export const isAllowed = (review: JsonObject): boolean => at(review, 'status', 'allowed') === true

/** A SelfSubjectRulesReview, which lists what is permitted. The API server need not know all of it. */
export const rulesReviewOf = (namespace: string): JsonObject => ({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SelfSubjectRulesReview',
  spec: { namespace },
})

/** A SelfSubjectReview, which tells who asks, and when. */
export const selfReview: JsonObject = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }

/** Whether a rule of a SelfSubjectRulesReview permits it for every object. If not, it may still be permitted. */
export const isGranted = (review: JsonObject, { group, resource, subresource, verb }: Right): boolean => {
  const names = subresource === undefined ? [resource] : [`${resource}/${subresource}`, `*/${subresource}`]
  return listAt(review, 'status', 'resourceRules').some((rule) => {
    const has = (member: string, ...wanted: ReadonlyArray<string>): boolean =>
      listAt(rule, member).some((one) => one === '*' || wanted.some((name) => name === one))
    const isOfSome = listAt(rule, 'resourceNames').length > 0
    return !isOfSome && has('verbs', verb) && has('apiGroups', group) && has('resources', ...names)
  })
}
