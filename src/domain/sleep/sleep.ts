/** What is stopped while a namespace sleeps: everything that runs there until somebody stops it. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { listAt } from '../cluster/json.ts'
import { allOf, type ClusterObject, labelOf, liveOf, type Observed } from '../cluster/live.ts'
import { resources } from '../cluster/resources.ts'
import { isSameJson } from '../cluster/same-json.ts'
import { create, patch, type Writer } from '../dev/belongings.ts'
import { pausedFor } from '../dev/controllers.ts'
import { refreshed } from '../dev/field-changes.ts'
import { valuesDuring } from '../dev/give-back.ts'
import { isRecord, recordOf, type Touched } from '../dev/record.ts'
import type { Round } from '../dev/round.ts'
import { stoppedBy } from '../dev/stop.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { ENVIRONMENT_LABEL, SLEEP_NAME } from '../k8s/labels.ts'
import { SLEEP_MANAGER } from '../k8s/managers.ts'
import { listed } from '../text/listed.ts'
import { type SleepRecord, sleepBody, sleepIn } from './record.ts'

/** Jobs end by themselves. */
const kinds = ['Deployment', 'StatefulSet', 'DaemonSet', 'CronJob'] as const

const by: Writer = { manager: SLEEP_MANAGER, because: 'the namespace sleeps' }

/** What another object controls is started and stopped by it. */
const isOnItsOwn = (live: ClusterObject): boolean => listAt(live, 'metadata', 'ownerReferences').length === 0

/** Workloads that run now. */
export const runningIn = (observed: Observed): ReadonlyArray<ClusterObject> =>
  kinds
    .flatMap((kind) => allOf(observed, kind))
    .filter((live) => isOnItsOwn(live) && live.metadata.deletionTimestamp === undefined && stoppedBy(live).length > 0)

/** Those that no deploy of devtool made. */
export const foreignIn = (workloads: ReadonlyArray<ClusterObject>): ReadonlyArray<ClusterObject> =>
  workloads.filter((live) => labelOf(live, ENVIRONMENT_LABEL) === undefined)

/** Objects outside of the namespace are left alone. */
const touchedIn = (observed: Observed): ReadonlyArray<Touched> =>
  runningIn(observed).flatMap((live) => [
    ...pausedFor(live, observed).filter(({ namespace }) => namespace === undefined),
    ...stoppedBy(live),
  ])

/** DT5061: a namespace never sleeps while somebody develops in it. */
const developedIn = (observed: Observed): ReadonlyArray<Diagnostic> => {
  const names = allOf(observed, 'ConfigMap')
    .filter(isRecord)
    .map((live) =>
      pipe(
        recordOf(live),
        E.match(
          () => live.metadata.name,
          ({ holder: { user }, workload: { kind, name } }) => `${kind}/${name} (${user})`,
        ),
      ),
    )
  return names.length === 0
    ? []
    : [
        error('DT5061', `the namespace has development containers: ${listed(names)}`, {
          help: 'end them with `devtool down` first; nothing was stopped',
        }),
      ]
}

export type SleepPlan = Round & { readonly record: SleepRecord }

export type SleepRequest = { readonly now: string; readonly who: string }

/** The record is written before the changes that it describes. */
const carriedOut = (observed: Observed, known: SleepRecord | undefined, { now, who }: SleepRequest): SleepPlan => {
  const fresh = touchedIn(observed)
  const isAsleep = known?.state === 'Asleep'
  const touched = isAsleep ? refreshed(known.touched, fresh) : fresh
  if (isAsleep && isSameJson(touched, known.touched)) {
    return { actions: valuesDuring(touched, observed, by), waitsFor: [], record: known }
  }
  const record: SleepRecord = isAsleep ? { ...known, touched } : { state: 'Asleep', since: now, who, touched }
  const live = liveOf(observed, 'ConfigMap', SLEEP_NAME)
  const written =
    live === undefined
      ? create('ConfigMap', sleepBody(record), SLEEP_NAME, [], by)
      : patch(live, resources.ConfigMap, sleepBody(record), [], by)
  return { actions: [written], waitsFor: [], record }
}

export const planSleep = (
  observed: Observed,
  request: SleepRequest,
): E.Either<ReadonlyArray<Diagnostic>, SleepPlan> => {
  const refused = developedIn(observed)
  if (refused.length > 0) return E.left(refused)
  return pipe(
    sleepIn(observed),
    E.bimap(
      (found) => [found],
      (known) => carriedOut(observed, known, request),
    ),
  )
}
