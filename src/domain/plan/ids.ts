/** Ids of actions: readable, and the same whenever the same is to be done. */
import type { Condition } from '../compose/model.ts'
import { type Ref, showRef } from './plan.ts'

export const applyId = (ref: Ref): string => `apply/${showRef(ref)}`

/** `name` is that of the service. */
export const awaitId = (name: string, condition: Condition | 'available'): string => `await/${name}/${condition}`
