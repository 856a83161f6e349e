/** A namespace that sleeps is started again: what others depend on comes first, and is waited for. */
import { partition } from 'fp-ts/lib/Array.js'
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
import { grouped } from '../object/grouped.ts'
import { dependenciesOf, isBlocked, workloadOf } from '../why/dependency.ts'
import { type SleepRecord, sleepBody, sleepIn } from './record.ts'

const by: Writer = { manager: SLEEP_MANAGER, because: 'the namespace wakes' }

const environmentOf = (live: ClusterObject): string => labelOf(live, ENVIRONMENT_LABEL) ?? ''

/** By environment, since two of them may have services of one name. */
const byEnvironment = (observed: Observed): ReadonlyMap<string, Observed> => {
  const all = [...observed].flatMap(([kind, objects]) => [...objects.values()].map((live) => ({ kind, live })))
  return new Map(
    [...grouped(all, ({ live }) => environmentOf(live))].map(([environment, ones]) => [
      environment,
      new Map(
        [...grouped(ones, ({ kind }) => kind)].map(([kind, same]) => [
          kind,
          new Map(same.map(({ live }) => [live.metadata.name, live])),
        ]),
      ),
    ]),
  )
}

const isStopped = (live: ClusterObject, { changes }: Touched): boolean =>
  changes.some((change) => isInEffect(live, change) && isManagedForNow(live, change.path))

type Stopped = { readonly live: ClusterObject; readonly one: Touched }

/** `ready`: may be started now. `held`: waits for something that it depends on. */
const inOrder = (
  stopped: ReadonlyArray<Stopped>,
  observed: Observed,
): { readonly ready: ReadonlyArray<Touched>; readonly held: ReadonlyArray<ClusterObject> } => {
  const uids = new Set(stopped.map(({ one }) => one.uid))
  const environments = byEnvironment(observed)
  const waits = ({ live }: Stopped): boolean => {
    const near = environments.get(environmentOf(live)) ?? new Map()
    const isAsleep = (service: string): boolean => uids.has(workloadOf(near, service)?.metadata.uid ?? '')
    return [...dependenciesOf(live).keys()].some(isAsleep) || isBlocked(live, () => near)
  }
  const { left: ready, right: held } = partition(waits)([...stopped])
  return { ready: ready.map(({ one }) => one), held: held.map(({ live }) => live) }
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
