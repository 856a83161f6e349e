/**
 * A namespace is put to sleep and woken under a lock of its own. Who deploys takes the lock of the environment and looks
 * at this one afterwards, and who lets the namespace sleep takes this one and looks at those afterwards: one of the two
 * sees the other, and the sleep gives way.
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { failureDiagnostic, isForbidden } from '../../domain/cluster/failure.ts'
import { resources } from '../../domain/cluster/resources.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { holderOf } from '../../domain/environment/lease.ts'
import { KIND_LABEL, MANAGED_BY_LABEL, SLEEP_NAME } from '../../domain/k8s/labels.ts'
import { deployingIn } from '../../domain/sleep/deploying.ts'
import type { Ports } from '../../ports/ports.ts'
import { atMost, leavingMs } from '../concurrency/deadline.ts'
import { withResource } from '../concurrency/resource.ts'
import type { Target } from '../context/target.ts'
import type { RoundsWorld } from '../dev/rounds.ts'
import { acquireLock } from '../environment/lock.ts'
import { asFindings } from '../result.ts'

type Findings = ReadonlyArray<Diagnostic>

export type SleepWorld = Omit<RoundsWorld, 'lock' | 'ports'> & {
  readonly ports: Pick<Ports, 'clock' | 'machine' | 'progress'>
}

const labels = { [MANAGED_BY_LABEL]: 'devtool', [KIND_LABEL]: 'lock' }

/** Longer than a namespace takes to wake in order. */
const WAIT_MS = 180_000

export const underSleepLock = <A>(
  world: SleepWorld,
  use: (world: RoundsWorld) => TE.TaskEither<Findings, A>,
): TE.TaskEither<Findings, A> => {
  const { ports, signal, target } = world
  const lockable = { name: SLEEP_NAME, labels, what: `the sleep of namespace ${target.namespace}` }
  return withResource(
    asFindings(acquireLock(ports)(target, lockable, { breaks: false, waitsMs: WAIT_MS, signal })),
    (lock) => use({ ...world, lock }),
    (lock) => () => atMost(ports.clock, leavingMs(signal), lock.release),
  )
}

/** Finds DT5063. For who holds the lock of the sleep. */
export const nobodyDeploys = ({ signal, target: { cluster, namespace } }: RoundsWorld): TE.TaskEither<Findings, void> =>
  pipe(
    cluster.list({ resource: resources.Lease, namespace, labels: `${KIND_LABEL}=lock` }, { signal }),
    TE.mapLeft((failure): Findings => [failureDiagnostic(failure)]),
    TE.flatMap(({ items }) => {
      const found = deployingIn(items, SLEEP_NAME)
      return found.length === 0 ? TE.of(undefined) : TE.left(found)
    }),
  )

/** Whether somebody lets it sleep or wakes it right now. Who may not read that cannot be stopped by it either. */
export const isChanging = (
  { cluster, namespace }: Pick<Target, 'cluster' | 'namespace'>,
  signal: AbortSignal,
): TE.TaskEither<Diagnostic, boolean> =>
  pipe(
    cluster.get({ resource: resources.Lease, namespace, name: SLEEP_NAME }, signal),
    TE.map((lock) => holderOf(lock) !== ''),
    TE.orElse((failure) => (isForbidden(failure) ? TE.of(false) : TE.left(failureDiagnostic(failure)))),
  )
