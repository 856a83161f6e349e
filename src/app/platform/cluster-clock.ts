/** The clock of the cluster: replicas on nodes whose clocks differ by minutes agree on what has expired. */
import * as E from 'fp-ts/lib/Either.js'
import type { IO } from 'fp-ts/lib/IO.js'
import { aheadOf } from '../../domain/cluster/clock.ts'
import { selfReviews } from '../../domain/cluster/resources.ts'
import { selfReview } from '../../domain/cluster/rights.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Cluster } from '../../ports/cluster.ts'
import { behind } from '../concurrency/behind.ts'
import { MANAGER } from './world.ts'

const AGAIN_MS = 60_000
/** A smaller change is no news. */
const TOLERANCE_MS = 5000

/**
 * Goes on by the clock of this machine while the cluster does not answer. `corrected`: called with the milliseconds by
 * which the clock of this machine turns out to be ahead.
 */
export const clusterClock = async (
  cluster: Pick<Cluster, 'create'>,
  clock: Clock,
  corrected: (aheadMs: number) => IO<void>,
): Promise<Clock> => {
  let aheadMs = 0
  const ask = async (): Promise<void> => {
    const told = await cluster.create({ resource: selfReviews }, selfReview, { manager: MANAGER })()
    const next = E.isLeft(told) ? undefined : aheadOf(clock.wallMs(), told.right)
    if (next === undefined || Math.abs(next - aheadMs) < TOLERANCE_MS) return
    aheadMs = next
    corrected(aheadMs)()
  }
  await ask()
  clock.every(AGAIN_MS, () => void ask())
  return behind(clock, () => aheadMs)
}
