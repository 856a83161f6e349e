/**
 * Holds the lock of the platform's environment, so that nobody else installs, changes or destroys the platform
 * meanwhile.
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { PLATFORM_ENVIRONMENT } from '../../domain/platform/manifests/installation.ts'
import { systemNamespace } from '../../domain/platform/manifests/namespaces.ts'
import { SYSTEM_NAMESPACE } from '../../domain/platform/names.ts'
import type { Ports } from '../../ports/ports.ts'
import { atMost, leavingMs } from '../concurrency/deadline.ts'
import { withResource } from '../concurrency/resource.ts'
import type { Target } from '../context/target.ts'
import { acquire, type Lock } from '../environment/lock.ts'
import { asFindings } from '../result.ts'
import { applyObjects } from './objects.ts'

type Locked = { readonly target: Pick<Target, 'cluster'>; readonly signal: AbortSignal }

/** Creates the namespace of the lock when it does not exist. */
export const withPlatformLock = <A>(
  ports: Pick<Ports, 'clock' | 'machine' | 'progress'>,
  { signal, target: { cluster } }: Locked,
  use: (lock: Lock) => TE.TaskEither<ReadonlyArray<Diagnostic>, A>,
): TE.TaskEither<ReadonlyArray<Diagnostic>, A> => {
  const unlocked = { cluster, signal, lock: { check: () => Promise.resolve(undefined) } }
  const claimed = pipe(
    applyObjects(unlocked, [systemNamespace]),
    TE.flatMap(() =>
      acquire(ports)({ cluster, namespace: SYSTEM_NAMESPACE }, PLATFORM_ENVIRONMENT, {
        breaks: false,
        waitsMs: 0,
        signal,
      }),
    ),
    asFindings,
  )
  return withResource(claimed, use, (lock) => () => atMost(ports.clock, leavingMs(signal), lock.release))
}
