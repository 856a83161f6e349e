/** What has to be done in the cluster so that a plan holds: the plan, seen against what is there. */
import type { Condition } from '../compose/model.ts'
import type { KubeObject } from '../k8s/types.ts'
import type { Place } from '../text/source.ts'
import { type Origin, type Ref, refOf, showRef } from './plan.ts'

/** `available`: all pods of the new revision are, or the Job is complete. */
type Goal = Condition | 'available'

/**
 * Apply: `uid` is that of the object that is there, which must still be the same; without one nothing must be there. Delete
 * ends when the object is gone; `because` tells people why. Await: `service` as in the file.
 */
export type Change = { readonly id: string; readonly after: ReadonlyArray<string> } & (
  | {
      readonly _tag: 'Apply'
      readonly object: KubeObject
      readonly origins: ReadonlyArray<Origin>
      readonly uid?: string
    }
  | {
      readonly _tag: 'Delete'
      readonly ref: Ref
      readonly uid: string
      readonly propagation: 'Foreground' | 'Orphan' | 'Background'
      readonly because: string
    }
  | {
      readonly _tag: 'Await'
      readonly ref: Ref
      readonly goal: Goal
      readonly service: string
      readonly at?: Place
    }
)

export type Apply = Extract<Change, { readonly _tag: 'Apply' }>
export type Delete = Extract<Change, { readonly _tag: 'Delete' }>
export type Await = Extract<Change, { readonly _tag: 'Await' }>

export const deleteId = (ref: Ref): string => `delete/${showRef(ref)}`

/** One line for people. */
export const showChange = (change: Change): string => {
  switch (change._tag) {
    case 'Apply':
      return `${change.uid === undefined ? 'create' : 'apply '}  ${showRef(refOf(change.object))}`
    case 'Delete':
      return `delete  ${showRef(change.ref)}  (${change.because})`
    case 'Await':
      return `await   ${showRef(change.ref)} ${change.goal}`
  }
}
