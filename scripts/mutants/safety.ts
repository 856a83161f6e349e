/** Safety: nothing of anybody else is touched, nothing is lost. */
import { type Mutant, mutantsOf } from './mutant.ts'

const lock = ['unit/environment/lock', 'properties/lease']

export const safety: ReadonlyArray<Mutant> = [
  ...mutantsOf('domain/environment/lease.ts', lock, [
    ['if (holder === claim.holder) return holdFrom(live, sentMs, atMs)', ''],
    ['seen !== undefined && version !== seen.version) return', 'false) return'],
    ['event.live !== undefined && holderOf(event.live) === holder)\n', 'event.live !== undefined)\n'],
    ['event.live !== undefined && holderOf(event.live) === holder ? again', 'event.live !== undefined ? again'],
    ['isChanged(event.failure) ? { state, command: look }', 'false ? { state, command: look }'],
  ]),
  ...mutantsOf('app/environment/lock.ts', lock, [
    ['resourceVersion: live.metadata.resourceVersion, uid: live.metadata.uid', 'uid: live.metadata.uid'],
    ['      stopped.abort()\n', ''],
  ]),
]
