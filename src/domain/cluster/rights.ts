/** Permissions in one namespace, in RBAC's terms, and the reviews that ask the API server for them. */
import { defined } from '../object/defined.ts'
import { at, type JsonObject } from './json.ts'

export type Right = {
  readonly group: string
  readonly resource: string
  readonly subresource?: string
  readonly verb: string
}

export const rightsOn = (
  { group, resource, subresource }: Omit<Right, 'verb'>,
  verbs: ReadonlyArray<string>,
): ReadonlyArray<Right> => verbs.map((verb) => ({ group, resource, verb, ...defined({ subresource }) }))

/** `get, create pods/portforward; patch deployments.apps`. */
export const showRights = (rights: ReadonlyArray<Right>): string => {
  const verbs = new Map<string, Array<string>>()
  for (const { group, resource, subresource, verb } of rights) {
    const name = `${resource}${subresource === undefined ? '' : `/${subresource}`}${group === '' ? '' : `.${group}`}`
    verbs.set(name, [...(verbs.get(name) ?? []), verb])
  }
  return [...verbs].map(([name, list]) => `${list.join(', ')} ${name}`).join('; ')
}

/** A SelfSubjectAccessReview for a permission. */
export const reviewOf = (namespace: string, { group, resource, subresource, verb }: Right): JsonObject => ({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SelfSubjectAccessReview',
  spec: {
    resourceAttributes: { namespace, verb, group, resource, ...defined({ subresource }) },
  },
})

/** Reads the result of a SelfSubjectAccessReview. */
export const isAllowed = (review: JsonObject): boolean => at(review, 'status', 'allowed') === true
