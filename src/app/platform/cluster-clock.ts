/** The clock of the cluster: replicas on nodes whose clocks differ by minutes agree on what has expired. */
import { pipe } from 'fp-ts/lib/function.js'
import type { IO } from 'fp-ts/lib/IO.js'
import type { Task } from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { textAt } from '../../domain/cluster/json.ts'
import { selfReviews } from '../../domain/cluster/resources.ts'
import { selfReview } from '../../domain/cluster/rights.ts'
import { readMoment } from '../../domain/text/moment.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Cluster } from '../../ports/cluster.ts'
import { secondsFrom } from './issuing.ts'
import { MANAGER } from './world.ts'

const AGAIN_MS = 60_000
/** The cluster reports whole seconds, so a smaller difference is ignored. */
const TOLERANCE_MS = 5000

/** When the cluster answered; `undefined` when it did not say. */
const toldBy = (cluster: Pick<Cluster, 'create'>): Task<number | undefined> =>
  pipe(
    cluster.create({ resource: selfReviews }, selfReview, { manager: MANAGER }),
    TE.match(
      () => undefined,
      (review) => readMoment(textAt(review, 'metadata', 'creationTimestamp') ?? ''),
    ),
    (told) => async () => {
      const moment = await told()
      return moment === undefined ? undefined : moment.seconds * 1000
    },
  )

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
    const told = await toldBy(cluster)()
    if (told === undefined) return
    const own = clock.wallMs() - told
    const next = Math.abs(own) < TOLERANCE_MS ? 0 : own
    if (Math.abs(next - aheadMs) < TOLERANCE_MS) return
    aheadMs = next
    corrected(aheadMs)()
  }
  await ask()
  clock.every(AGAIN_MS, () => void ask())
  const wallMs = (): number => clock.wallMs() - aheadMs
  return { ...clock, wallMs, date: () => secondsFrom(wallMs(), 0) }
}
