/** Fields are changed for a time, and get their old values back, and then their managers. */
import type { JsonObject } from '../cluster/json.ts'
import { type ClusterObject, liveOf, type Observed } from '../cluster/live.ts'
import type { Bound } from '../plan/action.ts'
import { isPause, isSharedPause } from './argo.ts'
import { patch, type Writer } from './belongings.ts'
import { isBack, isInEffect, patchTo } from './field-changes.ts'
import { handedBack, isManagedForNow } from './managed-fields.ts'
import type { Touched } from './record.ts'

/** The object that was changed, if it is still the same one and is not being deleted. */
export const touchedLive = (
  { name, namespace, resource: { kind }, uid }: Touched,
  observed: Observed,
): ClusterObject | undefined => {
  const live = liveOf(observed, kind, name, namespace)
  return live?.metadata.uid === uid && live.metadata.deletionTimestamp === undefined ? live : undefined
}

/** Fields that still are as they were left; what somebody else has set since is theirs. */
const oldValues = (live: ClusterObject, { changes }: Touched): JsonObject | undefined =>
  patchTo(
    live,
    changes
      .filter((change) => isInEffect(live, change) && isManagedForNow(live, change.path))
      .filter((change) => !(isPause(change) && isSharedPause(live, changes)))
      .map(({ before, path }) => ({ path, value: before })),
  )

type Body = (live: ClusterObject, touched: Touched) => JsonObject | undefined

/** The objects with changes to be made, each once: further changes of an object wait for the next round. */
const eachOnce = (
  touched: ReadonlyArray<Touched>,
  observed: Observed,
  bodyOf: Body,
): ReadonlyArray<{ readonly live: ClusterObject; readonly one: Touched; readonly body: JsonObject }> => {
  const seen = new Set<string>()
  return touched.flatMap((one) => {
    const live = touchedLive(one, observed)
    const body = live === undefined || seen.has(one.uid) ? undefined : bodyOf(live, one)
    if (live === undefined || body === undefined) return []
    seen.add(one.uid)
    return [{ live, one, body }]
  })
}

/** Gives the fields the values that they are to have for a time: one object after the other, in this order. */
export const valuesDuring = (touched: ReadonlyArray<Touched>, observed: Observed, by: Writer): ReadonlyArray<Bound> => {
  const bodyOf: Body = (live, { changes }) =>
    patchTo(
      live,
      changes.map(({ during, path }) => ({ path, value: during })),
    )
  const actions: Array<Bound> = []
  for (const { body, live, one } of eachOnce(touched, observed, bodyOf)) {
    actions.push(
      patch(
        live,
        one.resource,
        body,
        actions.map(({ id }) => id),
        by,
      ),
    )
  }
  return actions
}

/** Gives the fields their old values: the last that was changed comes first. */
export const valuesBack = (
  touched: ReadonlyArray<Touched>,
  observed: Observed,
  by: Writer,
  after: ReadonlyArray<string> = [],
): ReadonlyArray<Bound> =>
  eachOnce(touched.toReversed(), observed, oldValues).map(({ body, live, one }) =>
    patch(live, one.resource, body, after, by),
  )

/** Once everything has its old value: to those who managed it before. */
export const managersBack = (touched: ReadonlyArray<Touched>, observed: Observed, by: Writer): ReadonlyArray<Bound> => {
  const bodyOf: Body = (live) => {
    const changes = touched.flatMap((one) => (one.uid === live.metadata.uid ? one.changes : []))
    if (isSharedPause(live, changes)) return undefined
    const managedFields = handedBack(
      live,
      changes.filter((change) => isBack(live, change)),
    )
    return managedFields === undefined ? undefined : { metadata: { managedFields } }
  }
  return eachOnce(touched.toReversed(), observed, bodyOf).map(({ body, live, one }) =>
    patch(live, one.resource, body, [], by),
  )
}
