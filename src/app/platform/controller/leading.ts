/** Leader election: the leader holds the Lease that is the lock of an environment of this name. */
import * as E from 'fp-ts/lib/Either.js'
import { SYSTEM_NAMESPACE } from '../../../domain/platform/names.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Cluster } from '../../../ports/cluster.ts'
import { acquire, type Lock } from '../../environment/lock.ts'
import { machineOf, silent } from '../../environment/server.ts'

const LEASE = 'controller'
/** Waits as long as another replica leads. */
const FOREVER_MS = Number.MAX_SAFE_INTEGER
const PAUSE_MS = 2000
const LOOK_MS = 1000

export type Leading = {
  readonly cluster: Cluster
  readonly clock: Clock
  /** Unique to this process. */
  readonly holder: string
  readonly note: (kind: string, text: string) => void
}

type Lead = (lock: Pick<Lock, 'check'>, signal: AbortSignal) => Promise<void>

const holding = async (
  { clock, note }: Pick<Leading, 'clock' | 'note'>,
  lock: Lock,
  signal: AbortSignal,
  lead: Lead,
): Promise<void> => {
  note('leader', 'leading')
  const deposed = new AbortController()
  const ended = AbortSignal.any([signal, deposed.signal])
  const watched = async (): Promise<void> => {
    while (!ended.aborted) {
      const lost = await lock.check()
      if (lost !== undefined) {
        note('leader', lost.message)
        deposed.abort()
      }
      await clock.sleep(LOOK_MS, ended)
    }
  }
  await Promise.all([watched(), lead(lock, ended)])
  await lock.release()
}

/**
 * Calls `lead` each time that this process becomes the leader; its signal is aborted when it no longer is. Runs until
 * the signal is aborted.
 */
export const leading = async (
  { clock, cluster, holder, note }: Leading,
  signal: AbortSignal,
  lead: Lead,
): Promise<void> => {
  const target = { cluster, namespace: SYSTEM_NAMESPACE }
  while (!signal.aborted) {
    const claim = { breaks: false, waitsMs: FOREVER_MS, signal }
    const taken = await acquire({ clock, machine: machineOf(holder), progress: silent })(target, LEASE, claim)()
    if (E.isRight(taken)) await holding({ clock, note }, taken.right, signal, lead)
    else {
      if (!signal.aborted) note('lease', taken.left.message)
      await clock.sleep(PAUSE_MS, signal)
    }
  }
}
