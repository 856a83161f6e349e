import { defined } from '../object/defined.ts'

/**
 * Which object a request to the API server may create, judged by its path. Only these requests need to be inspected;
 * all others pass through.
 */

/** An object, or a collection if it has no `name`. `namespace` is absent for cluster-scoped objects. */
export type LabelTarget = {
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly namespace?: string
  readonly name?: string
}

/**
 * Create: POST to a collection. Put: PUT or server-side apply, which create the object if it does not exist. Pass:
 * requests that create nothing permanent.
 */
export type Intent =
  | { readonly _tag: 'Create'; readonly target: LabelTarget }
  | { readonly _tag: 'Put'; readonly target: LabelTarget & { readonly name: string } }
  | { readonly _tag: 'Pass' }

const pass: Intent = { _tag: 'Pass' }

/** Names in paths need no escapes; segments with escapes and empty ones are not understood. */
const isSegment = (segment: string): boolean => /^[^%/?#\s]+$/.test(segment) && segment !== '.' && segment !== '..'

/** `undefined` for anything but a collection or an object: discovery, subresources, paths of other servers. */
const readTarget = (path: string): LabelTarget | undefined => {
  const [start, root, ...segments] = path.split('/')
  if (start !== '' || (root !== 'api' && root !== 'apis') || !segments.every(isSegment)) return undefined
  const [group = '', version = '', ...rest] = root === 'api' ? ['', ...segments] : segments
  const isWithin = rest[0] === 'namespaces' && rest.length > 2
  const [plural, name, subresource] = isWithin ? rest.slice(2) : rest
  if (plural === undefined || subresource !== undefined) return undefined
  const [, namespace] = rest
  // Subresources of a namespace look like collections inside it.
  if (isWithin && group === '' && (plural === 'status' || plural === 'finalize')) return undefined
  return {
    group,
    version,
    plural,
    ...(isWithin && namespace !== undefined ? { namespace } : {}),
    ...defined({ name }),
  }
}

const passingGroups: ReadonlyArray<string> = ['authentication.k8s.io', 'authorization.k8s.io', 'events.k8s.io']
const passing: ReadonlyArray<string> = ['/events', '/bindings', 'coordination.k8s.io/leases']

const isPassing = ({ group, plural }: LabelTarget): boolean =>
  passingGroups.includes(group) || passing.includes(`${group}/${plural}`)

const mediaType = (contentType: string): string => (contentType.split(';')[0] ?? '').trim().toLowerCase()

/** `application/apply-patch+yaml`, and any future encoding of it. */
const isApply = (contentType: string): boolean => mediaType(contentType).startsWith('application/apply-patch+')

/** Whether the body is text that {@link labelText} can read. */
export const isReadable = (contentType: string): boolean =>
  ['', 'application/json', 'application/yaml', 'application/apply-patch+yaml'].includes(mediaType(contentType))

/** `path` includes the query. */
export const readIntent = (method: string, path: string, contentType: string): Intent => {
  const [route = '', query = ''] = path.split('?', 2)
  const target = readTarget(route)
  if (target === undefined || isPassing(target) || /(?:^|&)dryRun=[^&]/.test(query)) return pass
  const { name } = target
  if (method === 'POST') return name === undefined ? { _tag: 'Create', target } : pass
  if (name === undefined || (method !== 'PUT' && !(method === 'PATCH' && isApply(contentType)))) return pass
  return { _tag: 'Put', target: { ...target, name } }
}

/** A path from the root of the API. */
export const targetPath = ({ group, name, namespace, plural, version }: LabelTarget): string => {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  const within = namespace === undefined ? '' : `/namespaces/${namespace}`
  return `${root}${within}/${plural}${name === undefined ? '' : `/${name}`}`
}
