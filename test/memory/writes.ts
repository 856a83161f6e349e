/** Writes to the in-memory cluster, refused for the same reasons as by an API server. */
import * as E from 'fp-ts/lib/Either.js'
import type { ApiRequest, Failure, RefusalCause } from '../../src/domain/cluster/failure.ts'
import { at, isObject, type Json, type JsonObject, listAt, textAt } from '../../src/domain/cluster/json.ts'
import type { ClusterObject } from '../../src/domain/cluster/live.ts'
import { apiVersionOf, type ObjectKey, resources } from '../../src/domain/cluster/resources.ts'
import type { AppliedObject, ApplyOptions, RemoveOptions, WriteOptions } from '../../src/ports/cluster.ts'
import { forbiddenChanges } from './immutable.ts'
import { applyOwned, type Owners, ownersIn, updateOwned } from './ownership.ts'
import { normal, type Store } from './store.ts'

type Refusal<A> = E.Either<Failure, A>

const refusal = (
  asked: ApiRequest,
  status: number,
  reason: string,
  message: string,
  causes: ReadonlyArray<RefusalCause> = [],
): E.Either<Failure, never> => E.left({ _tag: 'Refused', asked, status, reason, message, causes })

export const notFoundFailure = (
  asked: ApiRequest,
  { name, resource }: Pick<ObjectKey, 'name' | 'resource'>,
): Failure => ({
  _tag: 'Refused',
  asked,
  status: 404,
  reason: 'NotFound',
  message: `${resource.plural} "${name}" not found`,
  causes: [],
})

export const notFound = (asked: ApiRequest, key: ObjectKey): E.Either<Failure, never> =>
  E.left(notFoundFailure(asked, key))

const readBody = (body: string): JsonObject | undefined => {
  try {
    const json: Json = JSON.parse(body)
    return isObject(json) ? json : undefined
  } catch {
    return undefined
  }
}

const hasNamespace = (store: Store, { namespace, resource }: Pick<ObjectKey, 'namespace' | 'resource'>): boolean =>
  !resource.isNamespaced || store.get({ resource: resources.Namespace, name: namespace ?? '' }) !== undefined

/** Defaults of a Service. */
const withAddress = (store: Store, { resource }: ObjectKey, object: JsonObject): JsonObject => {
  const spec = object['spec']
  if (resource.kind !== 'Service' || resource.group !== '' || !isObject(spec)) return object
  if (spec['clusterIP'] !== undefined || spec['type'] === 'ExternalName') return object
  const address = `10.96.${Math.floor(store.version() / 256) % 256}.${store.version() % 256}`
  return { ...object, spec: { ...spec, clusterIP: address } }
}

const allowed = (
  asked: ApiRequest,
  key: ObjectKey,
  before: ClusterObject | undefined,
  after: JsonObject,
): Refusal<JsonObject> => {
  const causes = before === undefined ? [] : forbiddenChanges(key.resource.kind, before, after)
  if (causes.length === 0) return E.right(after)
  const texts = causes.map(({ field, message }) => `${field}: ${message}`).join(', ')
  return refusal(asked, 422, 'Invalid', `${key.resource.kind} "${key.name}" is invalid: ${texts}`, causes)
}

/** The result if it were stored, with defaults. */
const dry = (key: ObjectKey, before: ClusterObject | undefined, object: JsonObject): ClusterObject => {
  const metadata = isObject(object['metadata']) ? object['metadata'] : {}
  const { namespace } = key
  return {
    ...object,
    apiVersion: apiVersionOf(key.resource),
    kind: key.resource.kind,
    metadata: {
      ...metadata,
      name: key.name,
      ...(namespace === undefined || !key.resource.isNamespaced ? {} : { namespace }),
      uid: before?.metadata.uid ?? '00000000-0000-4000-8000-0000000000dd',
      resourceVersion: before?.metadata.resourceVersion ?? '',
    },
  }
}

const keep = (
  store: Store,
  key: ObjectKey,
  object: JsonObject,
  owners: Owners,
  { isDryRun }: Pick<WriteOptions, 'isDryRun'>,
): ClusterObject =>
  isDryRun === true
    ? dry(key, store.get(key)?.object, normal(object))
    : store.put(key, withAddress(store, key, object), owners)

const wrongUid = (asked: ApiRequest, key: ObjectKey, uid: string): E.Either<Failure, never> => {
  const message = `metadata.uid: Invalid value: "${uid}": field is immutable`
  const cause = {
    reason: 'FieldValueInvalid',
    message: `Invalid value: "${uid}": field is immutable`,
    field: 'metadata.uid',
  }
  return refusal(asked, 422, 'Invalid', `${key.resource.kind} "${key.name}" is invalid: ${message}`, [cause])
}

/** The body has an outdated resourceVersion. */
const isOver = (body: JsonObject, now: ClusterObject | undefined): boolean => {
  const version = textAt(body, 'metadata', 'resourceVersion')
  return version !== undefined && now !== undefined && version !== now.metadata.resourceVersion
}

const modified = (asked: ApiRequest, { name, resource }: ObjectKey): E.Either<Failure, never> =>
  refusal(
    asked,
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${resource.plural} "${name}": the object has been modified`,
  )

/** Server-side apply, to a missing or an existing object. */
export const applyIn = (
  store: Store,
  key: ObjectKey,
  text: string,
  options: ApplyOptions,
  asked: ApiRequest,
): Refusal<AppliedObject> => {
  const body = readBody(text)
  if (body === undefined) return refusal(asked, 400, 'BadRequest', 'the body is no object')
  const now = store.get(key)
  const uid = textAt(body, 'metadata', 'uid')
  if (now === undefined && !hasNamespace(store, key)) {
    return notFound(asked, { resource: resources.Namespace, name: key.namespace ?? '' })
  }
  if (now === undefined && uid !== undefined) {
    const message = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`
    return refusal(asked, 409, 'Conflict', message)
  }
  if (now !== undefined && uid !== undefined && uid !== now.object.metadata.uid) return wrongUid(asked, key, uid)
  if (isOver(body, now?.object)) return modified(asked, key)
  const applied = applyOwned({ object: now?.object ?? {}, owners: now?.owners ?? [] }, body, {
    name: options.manager,
    isForced: options.force === true,
    apiVersion: apiVersionOf(key.resource),
  })
  if (E.isLeft(applied)) {
    const { left: causes } = applied
    const fields = causes.map(({ field, message }) => `${message}: ${field}`).join('\n')
    const count = `${causes.length} conflict${causes.length === 1 ? '' : 's'}`
    return refusal(asked, 409, 'Conflict', `Apply failed with ${count}: ${fields}`, causes)
  }
  const checked = allowed(asked, key, now?.object, applied.right.object)
  if (E.isLeft(checked)) return checked
  const object = keep(store, key, checked.right, applied.right.owners, options)
  return E.right({ object, isNew: now === undefined, warnings: [] })
}

export const createIn = (
  store: Store,
  key: ObjectKey,
  body: JsonObject,
  options: WriteOptions,
  asked: ApiRequest,
): Refusal<ClusterObject> => {
  if (!hasNamespace(store, key)) return notFound(asked, { resource: resources.Namespace, name: key.namespace ?? '' })
  if (store.get(key) !== undefined) {
    return refusal(asked, 409, 'AlreadyExists', `${key.resource.plural} "${key.name}" already exists`)
  }
  const owners = updateOwned({ object: {}, owners: [] }, body, options.manager, apiVersionOf(key.resource))
  return E.right(keep(store, key, body, owners, options))
}

/** Replaces the object by `next`. */
const update = (
  store: Store,
  key: ObjectKey,
  next: (now: ClusterObject) => JsonObject,
  options: WriteOptions,
  asked: ApiRequest,
): Refusal<ClusterObject> => {
  const now = store.get(key)
  if (now === undefined) return notFound(asked, key)
  const after = next(now.object)
  if (isOver(after, now.object)) return modified(asked, key)
  const uid = textAt(after, 'metadata', 'uid')
  if (uid !== undefined && uid !== now.object.metadata.uid) return wrongUid(asked, key, uid)
  const checked = allowed(asked, key, now.object, after)
  if (E.isLeft(checked)) return checked
  const given = listAt(checked.right, 'metadata', 'managedFields')
  const isGiven = JSON.stringify(given) !== JSON.stringify(listAt(now.object, 'metadata', 'managedFields'))
  const before = isGiven && given.length > 0 ? { ...now, owners: ownersIn(given) } : now
  const owners = updateOwned(before, checked.right, options.manager, apiVersionOf(key.resource))
  return E.right(keep(store, key, checked.right, owners, options))
}

/** Fields that the server controls: uid, times. */
const withOwnMetadata = (body: JsonObject, now: ClusterObject): JsonObject => {
  const { deletionTimestamp } = now.metadata
  const given = isObject(body['metadata']) ? body['metadata'] : {}
  return { ...body, metadata: { ...given, ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }) } }
}

/** A Service keeps its allocated address when the body does not name one. */
const withOwnAddress = (body: JsonObject, now: ClusterObject): JsonObject => {
  const [spec, address] = [body['spec'], at(now, 'spec', 'clusterIP')]
  const isKept = now.kind === 'Service' && isObject(spec) && spec['clusterIP'] === undefined && address !== undefined
  return isKept ? { ...body, spec: { ...spec, clusterIP: address } } : body
}

export const replaceIn = (
  store: Store,
  key: ObjectKey,
  body: JsonObject,
  options: WriteOptions,
  asked: ApiRequest,
): Refusal<ClusterObject> =>
  update(store, key, (now) => withOwnAddress(withOwnMetadata(body, now), now), options, asked)

/** RFC 7386. */
const merged = (target: Json | undefined, patch: Json): Json => {
  if (!isObject(patch)) return patch
  const base = isObject(target) ? target : {}
  const names = [...new Set([...Object.keys(base), ...Object.keys(patch)])]
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = patch[name]
      if (value === null) return []
      return [[name, value === undefined ? base[name] : merged(base[name], value)] as const]
    }),
  )
}

export const mergeIn = (
  store: Store,
  key: ObjectKey,
  patch: JsonObject,
  options: WriteOptions,
  asked: ApiRequest,
): Refusal<ClusterObject> =>
  update(
    store,
    key,
    (now) => {
      const after = merged(now, patch)
      return isObject(after) ? after : now
    },
    options,
    asked,
  )

export const removeIn = (
  store: Store,
  key: ObjectKey,
  { isDryRun, propagation, resourceVersion, uid }: RemoveOptions,
  asked: ApiRequest,
): Refusal<'Absent' | 'Going'> => {
  const now = store.get(key)
  if (now === undefined) return E.right('Absent')
  if (uid !== undefined && uid !== now.object.metadata.uid) {
    const message = `Operation cannot be fulfilled on ${key.resource.plural} "${key.name}": the UID in the precondition (${uid}) does not match the UID in record (${now.object.metadata.uid})`
    return refusal(asked, 409, 'Conflict', message)
  }
  if (isOver({ metadata: { resourceVersion } }, now.object)) return modified(asked, key)
  if (isDryRun === true) return E.right('Going')
  store.remove(key, propagation)
  return E.right(store.get(key) === undefined && propagation === 'Background' ? 'Absent' : 'Going')
}
