/**
 * The record of a namespace that sleeps, or has slept: a ConfigMap that is written before anything is stopped, and with
 * which everything can be started again, whoever does it.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { type JsonObject, parsedJson, textAt } from '../cluster/json.ts'
import { liveOf, type Observed } from '../cluster/live.ts'
import { type Touched, TouchedJson } from '../dev/record.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { KIND_LABEL, SLEEP_LABEL, SLEEP_NAME } from '../k8s/labels.ts'

/** `since`: from when it has been in this state. `who`: who brought it there. `touched`: what was changed. */
const Contents = t.readonly(
  t.strict({
    schema: t.literal(1),
    state: t.union([t.literal('Asleep'), t.literal('Awake')]),
    since: t.string,
    who: t.string,
    touched: t.readonlyArray(TouchedJson),
  }),
  'record of a namespace that sleeps',
)
export type SleepRecord = Omit<t.TypeOf<typeof Contents>, 'schema' | 'touched'> & {
  readonly touched: ReadonlyArray<Touched>
}

/** The label repeats the state for readers of metadata only. Also used as a merge patch. */
export const sleepBody = (record: SleepRecord): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: SLEEP_NAME, labels: { [KIND_LABEL]: 'sleep', [SLEEP_LABEL]: record.state.toLowerCase() } },
  data: { record: JSON.stringify({ schema: 1, ...record }) },
})

/** DT5060 when it was edited by hand, or written by a newer version. `undefined`: it has never slept. */
export const sleepIn = (observed: Observed): E.Either<Diagnostic, SleepRecord | undefined> => {
  const live = liveOf(observed, 'ConfigMap', SLEEP_NAME)
  if (live === undefined) return E.right(undefined)
  return pipe(
    Contents.decode(parsedJson(textAt(live, 'data', 'record') ?? '')),
    E.mapLeft(() =>
      error('DT5060', `the record ConfigMap/${SLEEP_NAME} cannot be read`, {
        help: 'use the version of devtool that wrote it, or scale the workloads by hand and delete the ConfigMap',
      }),
    ),
  )
}
