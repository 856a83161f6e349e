/** What is to be done, as data: printed, compared with a kept file, or executed. The core never executes. */

import type { Condition } from '../compose/model.ts'
import type { KubeObject } from '../k8s/types.ts'
import type { Place } from '../text/source.ts'

/** Where a part of an object comes from: `path` as in `spec.template.spec.containers[0].image`. */
export type Origin = { readonly path: string; readonly at: Place }

/** What identifies an object inside one namespace. */
export type Ref = { readonly kind: KubeObject['kind']; readonly name: string }

/** `id` is unique in a plan; an action may begin when all actions named in `after` have ended. */
export type Action = { readonly id: string; readonly after: ReadonlyArray<string> } & (
  | { readonly _tag: 'Apply'; readonly object: KubeObject; readonly origins: ReadonlyArray<Origin> }
  | { readonly _tag: 'Await'; readonly ref: Ref; readonly condition: Condition; readonly at: Place }
)

/** `actions` are in the order they are printed; what an action waits for need not stand before it. */
export type Plan = { readonly schema: 1; readonly environment: string; readonly actions: ReadonlyArray<Action> }

/** Exhaustive: a new action does not compile until every interpreter knows it. */
export const foldAction =
  <R>(on: { readonly [K in Action['_tag']]: (action: Extract<Action, { readonly _tag: K }>) => R }) =>
  (action: Action): R => {
    switch (action._tag) {
      case 'Apply':
        return on.Apply(action)
      case 'Await':
        return on.Await(action)
    }
  }

export const refOf = ({ kind, metadata: { name } }: KubeObject): Ref => ({ kind, name })
export const showRef = ({ kind, name }: Ref): string => `${kind}/${name}`
