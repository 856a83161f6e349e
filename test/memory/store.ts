/**
 * Objects with versions, as the API server keeps them: every change is an event, and deleting an object deletes its
 * dependents.
 */
import { at, isObject, type Json, type JsonObject, listAt, textAt, textsAt } from '../../src/domain/cluster/json.ts'
import { type ClusterObject, isLive } from '../../src/domain/cluster/live.ts'
import { apiVersionOf, type ObjectKey, type Resource, resources } from '../../src/domain/cluster/resources.ts'
import { canonical, isSameJson } from '../../src/domain/cluster/same-json.ts'
import { encodeBase64Text } from '../../src/domain/text/base64.ts'
import type { Propagation } from '../../src/ports/cluster.ts'
import { managedFields, type Owners } from './ownership.ts'

export type Change = {
  readonly _tag: 'Seen' | 'Removed'
  readonly version: number
  readonly key: string
  readonly resource: Resource
  readonly object: ClusterObject
  /** The object before; `undefined` when it is new. */
  readonly before?: ClusterObject
}

type StoredObject = { readonly resource: Resource; readonly object: ClusterObject; readonly owners: Owners }

export type Store = {
  readonly version: () => number
  readonly get: (key: ObjectKey) => StoredObject | undefined
  readonly all: (resource: Resource, namespace: string | undefined) => ReadonlyArray<ClusterObject>
  readonly changes: () => ReadonlyArray<Change>
  /** Expires all versions so far. */
  readonly forget: () => void
  /**
   * Stores the object and returns it with its metadata; an object without finalizers whose deletion has begun is
   * removed.
   */
  readonly put: (key: ObjectKey, object: JsonObject, owners: Owners) => ClusterObject
  readonly remove: (key: ObjectKey, propagation: Propagation) => void
  readonly listen: (listener: (change: Change) => void) => () => void
}

const foreground = 'foregroundDeletion'

export const collectionId = ({ group, plural }: Resource): string => `${group}/${plural}`

const idOf = ({ name, namespace, resource }: ObjectKey): string =>
  `${collectionId(resource)} ${resource.isNamespaced ? (namespace ?? '') : ''}/${name}`

const uidOf = (count: number): string => `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`

const finalizersOf = ({ metadata }: ClusterObject): ReadonlyArray<string> => metadata.finalizers ?? []

const same = (a: Json = null, b: Json = null): boolean => isSameJson(a, b)

const isOwnedBy = (object: ClusterObject, uid: string): boolean =>
  (object.metadata.ownerReferences ?? []).some((owner) => owner['uid'] === uid)

const hasSpec = (object: JsonObject): boolean => isObject(object['spec'])

const keyOf = ({ object, resource }: StoredObject): ObjectKey => {
  const { name, namespace } = object.metadata
  return { resource, name, ...(namespace === undefined ? {} : { namespace }) }
}

/** Secrets are stored as data. */
const encoded = (object: JsonObject): JsonObject => {
  const { stringData, ...rest } = object
  if (!isObject(stringData)) return object
  const texts = [...textsAt(stringData)].map(([name, text]) => [name, encodeBase64Text(text)])
  const data = isObject(rest['data']) ? rest['data'] : {}
  return { ...rest, data: { ...data, ...Object.fromEntries(texts) } }
}

/** As the API server returns it, which orders the names of selectors and the like anew. */
export const normal = (object: JsonObject): JsonObject => {
  const { spec } = object
  return { ...encoded(object), ...(isObject(spec) ? { spec: canonical(spec) } : {}) }
}

/** `date`: for creation and deletion timestamps. */
export const memoryStore = (date: () => string): Store => {
  const kept = new Map<string, StoredObject>()
  const listeners = new Set<(change: Change) => void>()
  let log: Array<Change> = []
  let version = 1000
  let made = 0

  const tell = (change: Change): void => {
    log.push(change)
    for (const listener of [...listeners]) listener(change)
  }

  const metadataOf = (
    key: ObjectKey,
    object: JsonObject,
    before: ClusterObject | undefined,
    owners: Owners,
  ): JsonObject => {
    const {
      generation: _generation,
      managedFields: _managers,
      ...given
    } = isObject(object['metadata']) ? object['metadata'] : {}
    const isChanged = before === undefined || !same(before['spec'], object['spec'])
    const generation = (before?.metadata.generation ?? 0) + (isChanged ? 1 : 0)
    if (before === undefined) made += 1
    return {
      ...given,
      name: key.name,
      ...(key.resource.isNamespaced ? { namespace: key.namespace ?? '' } : {}),
      uid: before?.metadata.uid ?? textAt(given, 'uid') ?? uidOf(made),
      resourceVersion: String(version),
      ...(hasSpec(object) ? { generation } : {}),
      creationTimestamp: before?.metadata.creationTimestamp ?? textAt(given, 'creationTimestamp') ?? date(),
      ...(owners.length === 0 ? {} : { managedFields: managedFields(owners) }),
    }
  }

  const drop = (key: ObjectKey): void => {
    const old = kept.get(idOf(key))
    if (old === undefined) return
    kept.delete(idOf(key))
    version += 1
    const object: ClusterObject = {
      ...old.object,
      metadata: { ...old.object.metadata, resourceVersion: String(version) },
    }
    tell({ _tag: 'Removed', version, key: idOf(key), resource: old.resource, object, before: old.object })
    // Owners that waited for its deletion may be removed now.
    for (const owner of [...kept.values()]) {
      if (isOwnedBy(object, owner.object.metadata.uid)) settle(keyOf(owner))
    }
    if (old.resource.kind === 'Namespace') {
      for (const inside of [...kept.values()]) {
        if (inside.object.metadata.namespace === key.name) drop(keyOf(inside))
      }
    }
  }

  const dependents = (uid: string): ReadonlyArray<StoredObject> =>
    [...kept.values()].filter(({ object }) => isOwnedBy(object, uid))

  const settle = (key: ObjectKey): void => {
    const now = kept.get(idOf(key))
    if (now?.object.metadata.deletionTimestamp === undefined) return
    const held = finalizersOf(now.object).filter(
      (finalizer) => finalizer !== foreground || dependents(now.object.metadata.uid).length > 0,
    )
    if (held.length === 0) drop(key)
  }

  const put = (key: ObjectKey, object: JsonObject, owners: Owners): ClusterObject => {
    const before = kept.get(idOf(key))?.object
    const whole = { ...normal(object), apiVersion: apiVersionOf(key.resource), kind: key.resource.kind }
    const unversioned = { ...whole, metadata: metadataOf(key, whole, before, owners) }
    const isUnchanged =
      before !== undefined &&
      same(
        { ...unversioned, metadata: { ...unversioned.metadata, resourceVersion: '' } },
        { ...before, metadata: { ...before.metadata, resourceVersion: '' } },
      )
    if (isUnchanged) return before
    version += 1
    const next: JsonObject = { ...unversioned, metadata: { ...unversioned.metadata, resourceVersion: String(version) } }
    if (!isLive(next)) throw new Error(`${key.resource.kind} ${key.name} is no object`)
    kept.set(idOf(key), { resource: key.resource, object: next, owners })
    tell({
      _tag: 'Seen',
      version,
      key: idOf(key),
      resource: key.resource,
      object: next,
      ...(before === undefined ? {} : { before }),
    })
    settle(key)
    return next
  }

  const orphan = ({ object, owners, resource }: StoredObject, uid: string): void => {
    const references = listAt(object, 'metadata', 'ownerReferences').filter((owner) => textAt(owner, 'uid') !== uid)
    put(
      keyOf({ resource, object, owners }),
      { ...object, metadata: { ...object.metadata, ownerReferences: references } },
      owners,
    )
  }

  const remove = (key: ObjectKey, propagation: Propagation): void => {
    const old = kept.get(idOf(key))
    if (old === undefined) return
    const { uid } = old.object.metadata
    const below = dependents(uid)
    if (propagation === 'Orphan') for (const one of below) orphan(one, uid)
    const waits = propagation === 'Foreground' && below.length > 0
    const finalizers = [...new Set([...finalizersOf(old.object), ...(waits ? [foreground] : [])])]
    if (finalizers.length > 0) {
      const deletionTimestamp = old.object.metadata.deletionTimestamp ?? date()
      put(key, { ...old.object, metadata: { ...old.object.metadata, deletionTimestamp, finalizers } }, old.owners)
    } else drop(key)
    if (propagation !== 'Orphan') for (const one of below) remove(keyOf(one), propagation)
    settle(key)
  }

  return {
    version: () => version,
    get: (key) => kept.get(idOf(key)),
    all: (resource, namespace) =>
      [...kept.values()]
        .filter((one) => collectionId(one.resource) === collectionId(resource))
        .map(({ object }) => object)
        .filter((object) => namespace === undefined || object.metadata.namespace === namespace),
    changes: () => log,
    forget: () => {
      log = []
      version += 1
    },
    put,
    remove,
    listen: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The kind of a body by our table; for other kinds the plural is guessed. */
export const resourceOf = (object: JsonObject): Resource => {
  const [kind, apiVersion] = [textAt(object, 'kind') ?? '', textAt(object, 'apiVersion') ?? 'v1']
  const known: Resource | undefined = Object.values(resources).find((resource) => resource.kind === kind)
  if (known !== undefined && apiVersionOf(known) === apiVersion) return known
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion]
  const isNamespaced = at(object, 'metadata', 'namespace') !== undefined
  return { group: group ?? '', version: version ?? '', plural: `${kind.toLowerCase()}s`, kind, isNamespaced }
}
