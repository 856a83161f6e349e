/**
 * Everything that can be done in a cluster: one vocabulary shared by translation, reconciliation, the printers and the
 * executor. Only `fold` and `partition` look at tags, so a new action does not compile until every interpreter handles
 * it.
 */
import type { JsonObject } from '../cluster/json.ts'
import { type ObjectKey, resources } from '../cluster/resources.ts'
import type { Condition } from '../compose/model.ts'
import type { KubeObject } from '../k8s/types.ts'
import type { Place } from '../text/source.ts'

/**
 * Where a part of an object comes from: `path` as in `spec.template.spec.containers[0].image`. `key`: that of the
 * service, where the file could have written it under another one.
 */
export type Origin = { readonly path: string; readonly at: Place; readonly key?: string }

/** What identifies an object of a plan inside one namespace. */
export type Ref = { readonly kind: KubeObject['kind']; readonly name: string }

/** An object of any kind inside one namespace. */
export type ActionTarget = Pick<ObjectKey, 'resource' | 'name'>

export const refOf = ({ kind, metadata: { name } }: KubeObject): Ref => ({ kind, name })
export const showRef = ({ kind, name }: { readonly kind: string; readonly name: string }): string => `${kind}/${name}`
export const targetOf = ({ kind, name }: Ref): ActionTarget => ({ resource: resources[kind], name })

/**
 * Changes to fields of an existing object. merge: a merge patch, where `null` removes a field (RFC 7386). apply:
 * server-side apply: the manager owns these fields and gives up those it no longer names; `force` takes over fields
 * that other managers own.
 */
export type PatchFields =
  | { readonly strategy: 'merge'; readonly body: JsonObject }
  | { readonly strategy: 'apply'; readonly body: JsonObject; readonly force: boolean }

/**
 * The members of each action. Delete is done when the object is gone. Await: `service` is the name of its object;
 * `available` means that all pods of the new revision are available, or that the Job is complete. Create, Scale and
 * Patch are done when the API server has accepted them; `manager` is the field manager. The `object` of Create is of
 * any kind. `because` is the reason shown to users.
 */
type Members = {
  readonly Apply: { readonly object: KubeObject; readonly origins: ReadonlyArray<Origin> }
  readonly Create: {
    readonly target: ActionTarget
    readonly object: JsonObject
    readonly manager: string
    readonly because: string
  }
  readonly Delete: {
    readonly target: ActionTarget
    readonly propagation: 'Foreground' | 'Orphan' | 'Background'
    readonly because: string
  }
  readonly Await: {
    readonly ref: Ref
    readonly condition: Condition | 'available'
    readonly service: string
    readonly at?: Place
  }
  readonly Scale: {
    readonly target: ActionTarget
    readonly replicas: number
    readonly manager: string
    readonly because: string
  }
  readonly Patch: {
    /** In the namespace of the plan, or in another one. */
    readonly target: ActionTarget & Pick<ObjectKey, 'namespace'>
    readonly fields: PatchFields
    readonly manager: string
    readonly because: string
  }
}

type Tag = keyof Members

/** `id` is unique in a plan; an action may begin once all actions named in `after` are done. */
export type Action<T extends Tag = Tag> = {
  readonly [K in T]: { readonly _tag: K; readonly id: string; readonly after: ReadonlyArray<string> } & Members[K]
}[T]

/** The object that was read, by uid; with `resourceVersion`, it must not have been written to since. */
export type Exists = { readonly _tag: 'Exists'; readonly uid: string; readonly resourceVersion?: string }

/** No object has that name. */
type Absent = { readonly _tag: 'Absent' }

/** The object that an earlier action of the plan applied. */
type Applied = { readonly _tag: 'Applied' }

/** What must be true of the object in the cluster when the action begins. */
type Bindings = {
  readonly Apply: { readonly precondition: Absent | Exists }
  readonly Create: { readonly precondition: Absent }
  readonly Delete: { readonly precondition: Exists }
  readonly Await: unknown
  readonly Scale: { readonly precondition: Applied | Exists }
  readonly Patch: { readonly precondition: Applied | Exists }
}

/** An action with its precondition, taken from the cluster. Only bound actions can be carried out. */
export type Bound<T extends Tag = Tag> = { readonly [K in T]: Action<K> & Bindings[K] }[T]

type Tagged<A extends Action, K extends Tag> = Extract<A, { readonly _tag: K }>

type Cases<A extends Action, R> = { readonly [K in Tag]: (action: Tagged<A, K>) => R }

/** Handles every kind of action: `fold<string>({…})`, or `fold<string, Bound>({…})`. */
export function fold<R, A extends Action = Action>(on: Cases<A, R>): (action: A) => R
export function fold<R>(on: Cases<Action, R>): (action: Action) => R {
  return (action) => {
    switch (action._tag) {
      case 'Apply':
        return on.Apply(action)
      case 'Create':
        return on.Create(action)
      case 'Delete':
        return on.Delete(action)
      case 'Await':
        return on.Await(action)
      case 'Scale':
        return on.Scale(action)
      case 'Patch':
        return on.Patch(action)
    }
  }
}

type Parts<A extends Action> = { readonly [K in Tag]: ReadonlyArray<Tagged<A, K>> }

/** The actions grouped by kind, in their original order: `partition(actions).Apply`. */
export function partition<A extends Action>(actions: ReadonlyArray<A>): Parts<A>
export function partition(actions: ReadonlyArray<Action>): Parts<Action> {
  const parts: { readonly [K in Tag]: Array<Action<K>> } = {
    Apply: [],
    Create: [],
    Delete: [],
    Await: [],
    Scale: [],
    Patch: [],
  }
  const put = fold<unknown>({
    Apply: (action) => parts.Apply.push(action),
    Create: (action) => parts.Create.push(action),
    Delete: (action) => parts.Delete.push(action),
    Await: (action) => parts.Await.push(action),
    Scale: (action) => parts.Scale.push(action),
    Patch: (action) => parts.Patch.push(action),
  })
  for (const action of actions) put(action)
  return parts
}
