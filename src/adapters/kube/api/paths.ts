/** Request paths, query strings, and descriptions of requests. */
import type { ApiRequest } from '../../../domain/cluster/failure.ts'
import { type ObjectKey, showKey } from '../../../domain/cluster/resources.ts'
import { defined } from '../../../domain/object/defined.ts'
import type { Selection } from '../../../ports/cluster.ts'

/** `?a=b&c=d` of the values that are set; '' when there are none. */
export const queryOf = (values: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
}

const namespaceOf = (namespace: string | undefined): Pick<ApiRequest, 'namespace'> => defined({ namespace })

/** All objects of a kind; `what` is its plural. */
export const askedOf = (
  verb: string,
  { namespace, resource }: Pick<Selection, 'resource' | 'namespace'>,
): ApiRequest => ({
  verb,
  what: resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`,
  ...namespaceOf(namespace),
})

/** One object. */
export const askedFor = (verb: string, key: ObjectKey): ApiRequest => ({
  verb,
  what: showKey(key),
  ...namespaceOf(key.namespace),
})
