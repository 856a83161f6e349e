/** Whether a namespace sleeps, as its record says. */
import { pipe } from 'fp-ts/lib/function.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { labelOf } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { SLEEP_LABEL, SLEEP_NAME } from '../../domain/k8s/labels.ts'
import type { Target } from '../context/target.ts'

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
