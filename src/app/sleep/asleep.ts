/** Whether a namespace sleeps, as its record says; it stays awake for who needs it. */
import { pipe } from 'fp-ts/lib/function.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { labelOf } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { SLEEP_LABEL, SLEEP_NAME } from '../../domain/k8s/labels.ts'
import type { Target } from '../context/target.ts'
import { asFindings } from '../result.ts'
import { isChanging, type SleepWorld } from './lock.ts'
import { startWorkloads } from './sleep.ts'

/** A namespace whose record may not be read counts as awake, since nothing in it could be started. */
export const isAsleep = (
  { cluster, namespace }: Pick<Target, 'cluster' | 'namespace'>,
  signal: AbortSignal,
): T.Task<boolean> =>
  pipe(
    cluster.get({ resource: resources.ConfigMap, namespace, name: SLEEP_NAME }, signal),
    TE.match(
      () => false,
      (record) => record !== undefined && labelOf(record, SLEEP_LABEL) === 'asleep',
    ),
  )

/**
 * For who has just taken the lock of an environment, or recorded a development container: no sleep begins from now on.
 * One under way is waited for, and undone. Whether there was one.
 */
export const keptAwake = (world: SleepWorld): TE.TaskEither<ReadonlyArray<Diagnostic>, boolean> => {
  const { ports, signal, target } = world
  const woken = pipe(
    startWorkloads(world, ports.machine.who),
    TE.map(({ findings }) => {
      for (const diagnostic of findings) ports.progress.tell({ _tag: 'Found', diagnostic })
      ports.progress.tell({ _tag: 'Said', text: `namespace ${target.namespace} is awake` })
      return true
    }),
  )
  // In this order: a sleep that holds its lock no longer has written its record.
  return pipe(
    asFindings(isChanging(target, signal)),
    TE.flatMap((isUnderWay) => (isUnderWay ? TE.of(true) : TE.fromTask(isAsleep(target, signal)))),
    TE.flatMap((isNeeded) => (isNeeded ? woken : TE.of(false))),
  )
}
