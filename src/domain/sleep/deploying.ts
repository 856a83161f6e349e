/** Who deploys in a namespace that is to sleep. */
import { lastChange } from '../cluster/last-change.ts'
import { type ClusterObject, labelOf } from '../cluster/live.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { holderOf } from '../environment/lease.ts'
import { ENVIRONMENT_LABEL } from '../k8s/labels.ts'
import { listed } from '../text/listed.ts'
import { secondsBetween } from '../text/moment.ts'

/** A holder that is alive renews its lock every ten seconds. */
const ABANDONED_SECONDS = 60

/**
 * DT5063. `locks`: all those of the namespace. `own`: that of the sleep, taken a moment ago: a lock that was abandoned
 * is older than it by the API server's clock.
 */
export const deployingIn = (locks: ReadonlyArray<ClusterObject>, own: string): ReadonlyArray<Diagnostic> => {
  const ours = locks.find(({ metadata }) => metadata.name === own)
  const now = ours === undefined ? '' : lastChange(ours)
  const held = locks.filter(
    (lock) => lock !== ours && holderOf(lock) !== '' && secondsBetween(lastChange(lock), now) < ABANDONED_SECONDS,
  )
  if (held.length === 0) return []
  const names = held.map((lock) => `${labelOf(lock, ENVIRONMENT_LABEL) ?? lock.metadata.name} (${holderOf(lock)})`)
  return [
    error('DT5063', `somebody deploys or destroys in the namespace: ${listed(names)}`, {
      help: 'try again when it is done; nothing was stopped',
    }),
  ]
}
