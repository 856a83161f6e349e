/** A namespace that sleeps is started again: what others depend on comes first, and is waited for. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type ClusterObject, labelOf, liveOf, type Observed } from '../cluster/live.ts'
import { resources } from '../cluster/resources.ts'
import { patch, type Writer } from '../dev/belongings.ts'
import { isInEffect } from '../dev/field-changes.ts'
import { managersBack, touchedLive, valuesBack } from '../dev/give-back.ts'
import { isManagedForNow } from '../dev/managed-fields.ts'
import type { Touched } from '../dev/record.ts'
import type { Round } from '../dev/round.ts'
import { showLive } from '../dev/workload.ts'
import type { Diagnostic } from '../diagnostic/diagnostic.ts'
import { ENVIRONMENT_LABEL, SLEEP_NAME } from '../k8s/labels.ts'
import { SLEEP_MANAGER } from '../k8s/managers.ts'
import { dependenciesOf, isBlocked, workloadOf } from '../why/dependency.ts'
import { type SleepRecord, sleepBody, sleepIn } from './record.ts'

const by: Writer = { manager: SLEEP_MANAGER, because: 'the namespace wakes' }

/** Only the objects of the environment of this workload. */
const around = (observed: Observed, live: ClusterObject): Observed => {
  const environment = labelOf(live, ENVIRONMENT_LABEL)
  return new Map(
    [...observed].map(([kind, objects]) => [
      kind,
      new Map([...objects].filter(([, one]) => labelOf(one, ENVIRONMENT_LABEL) === environment)),
    ]),
  )
}

const isStopped = (live: ClusterObject, { changes }: Touched): boolean =>
  changes.some((change) => isInEffect(live, change) && isManagedForNow(live, change.path))

/** `ready`: may be started now. `held`: waits for something that it depends on. */
const inOrder = (
  stopped: ReadonlyArray<{ readonly live: ClusterObject; readonly one: Touched }>,
  observed: Observed,
): { readonly ready: ReadonlyArray<Touched>; readonly held: ReadonlyArray<ClusterObject> } => {
  const uids = new Set(stopped.map(({ one }) => one.uid))
  const waits = (live: ClusterObject): boolean => {
    if (dependenciesOf(live).size === 0) return false
    const near = around(observed, live)
    const isAsleep = (service: string): boolean => uids.has(workloadOf(near, service)?.metadata.uid ?? '')
    return [...dependenciesOf(live).keys()].some(isAsleep) || isBlocked(live, () => near)
  }
  return {
    ready: stopped.flatMap(({ live, one }) => (waits(live) ? [] : [one])),
    held: stopped.flatMap(({ live }) => (waits(live) ? [live] : [])),
  }
}

export type WakeRequest = { readonly now: string; readonly who: string; readonly isOrdered: boolean }

/** `held`: what waits for something that it depends on. */
export type WakePlan = Round & { readonly record: SleepRecord; readonly held: ReadonlyArray<string> }

const started = (observed: Observed, record: SleepRecord, { isOrdered, now, who }: WakeRequest): WakePlan => {
  const { touched } = record
  const stopped = touched.flatMap((one) => {
    const live = touchedLive(one, observed)
    return live !== undefined && isStopped(live, one) ? [{ live, one }] : []
  })
  const { held, ready } = isOrdered ? inOrder(stopped, observed) : { held: [], ready: stopped.map(({ one }) => one) }
  const shown = { record, held: held.map(showLive) }
  const values = valuesBack(ready, observed, by)
  if (values.length > 0) return { actions: values, waitsFor: [], ...shown }
  if (held.length > 0) return { actions: [], waitsFor: shown.held, ...shown }
  const managers = managersBack(touched, observed, by)
  if (managers.length > 0) return { actions: managers, waitsFor: [], ...shown }
  const live = liveOf(observed, 'ConfigMap', SLEEP_NAME)
  const awake: SleepRecord = { state: 'Awake', since: now, who, touched: [] }
  const written = live === undefined ? [] : [patch(live, resources.ConfigMap, sleepBody(awake), [], by)]
  return { actions: written, waitsFor: [], ...shown }
}

/** `undefined` when it does not sleep. */
export const planWake = (
  observed: Observed,
  request: WakeRequest,
): E.Either<ReadonlyArray<Diagnostic>, WakePlan | undefined> =>
  pipe(
    sleepIn(observed),
    E.bimap(
      (found) => [found],
      (record) => (record?.state === 'Asleep' ? started(observed, record, request) : undefined),
    ),
  )
