/** Ids of actions: readable, and equal for equal actions. */
import { showKey } from '../cluster/resources.ts'
import { type Action, type ActionTarget, type Ref, showRef } from './action.ts'

export const applyId = (ref: Ref): string => `apply/${showRef(ref)}`

export const deleteId = (target: ActionTarget): string => `delete/${showKey(target)}`

/** `name` is the name of the service. */
export const awaitId = (name: string, condition: Action<'Await'>['condition']): string => `await/${name}/${condition}`
