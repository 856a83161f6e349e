/** An object as the API server sent it: what every object has is typed, the rest is read when needed. */
import { at, isObject, type Json, type JsonObject, listAt, textAt } from './json.ts'

type LiveMetadata = JsonObject & {
  readonly name: string
  readonly uid: string
  readonly resourceVersion: string
  readonly namespace?: string
  readonly generation?: number
  readonly creationTimestamp?: string
  readonly deletionTimestamp?: string
  readonly labels?: { readonly [name: string]: string }
  readonly annotations?: { readonly [name: string]: string }
  readonly finalizers?: ReadonlyArray<string>
  readonly ownerReferences?: ReadonlyArray<JsonObject>
}

/** The server omits `apiVersion` and `kind` in lists; readers of a list add them. */
export type ClusterObject = JsonObject & {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: LiveMetadata
}

export const isLive = (json: Json | undefined): json is ClusterObject => {
  if (!isObject(json) || typeof json['kind'] !== 'string' || typeof json['apiVersion'] !== 'string') return false
  const { metadata } = json
  return isObject(metadata) && typeof metadata['name'] === 'string'
}

export const labelOf = (live: ClusterObject, name: string): string | undefined =>
  textAt(live, 'metadata', 'labels', name)

export const annotationOf = (live: ClusterObject, name: string): string | undefined =>
  textAt(live, 'metadata', 'annotations', name)

/** The uid of the controller that owns it. */
export const controllerOf = (live: ClusterObject): string | undefined =>
  textAt(
    listAt(live, 'metadata', 'ownerReferences').find((owner) => at(owner, 'controller') === true),
    'uid',
  )

/** The claims that a pod mounts. */
export const claimsOf = (pod: ClusterObject): ReadonlyArray<string> =>
  listAt(pod, 'spec', 'volumes').flatMap((volume) => textAt(volume, 'persistentVolumeClaim', 'claimName') ?? [])

/**
 * Objects by kind and name: a snapshot of what is known about an environment. Those outside its namespace are by
 * `namespace/name`.
 */
export type Observed = ReadonlyMap<string, ReadonlyMap<string, ClusterObject>>

/** `namespace`: only of an object outside that of the environment. */
export const liveOf = (observed: Observed, kind: string, name: string, namespace?: string): ClusterObject | undefined =>
  observed.get(kind)?.get(namespace === undefined ? name : `${namespace}/${name}`)

/** In the order in which they were found. */
export const allOf = (observed: Observed, kind: string): ReadonlyArray<ClusterObject> => [
  ...(observed.get(kind)?.values() ?? []),
]

/** The snapshot with these objects added or replaced. */
export const withLives = (observed: Observed, lives: ReadonlyArray<ClusterObject>): Observed => {
  const all = new Map([...observed].map(([kind, byName]) => [kind, new Map(byName)]))
  for (const live of lives) {
    const ofKind = all.get(live.kind) ?? new Map<string, ClusterObject>()
    all.set(live.kind, ofKind.set(live.metadata.name, live))
  }
  return all
}
