/** Updates the mirror when the original has changed. */
import { at, isObject, type Json, textAt } from '../cluster/json.ts'
import { type ClusterObject, liveOf, type Observed } from '../cluster/live.ts'
import { resources } from '../cluster/resources.ts'
import type { Bound } from '../plan/action.ts'
import { isStopped, retemplated, templateFor } from './activate.ts'
import { byUp, patch } from './belongings.ts'
import { isInEffect } from './field-changes.ts'
import { ownersOf } from './managed-fields.ts'
import type { DevRecord } from './record.ts'
import type { UpRequest } from './request.ts'

/**
 * Changed: `actions` write the new definition, which the running container gets when it is restarted; `fields` are what
 * differs. Ended: the original or the mirror is gone, or another object has the name.
 */
export type Followed =
  | { readonly _tag: 'Same' }
  | { readonly _tag: 'Changed'; readonly actions: ReadonlyArray<Bound>; readonly fields: ReadonlyArray<string> }
  | { readonly _tag: 'Ended'; readonly missing: 'Original' | 'Mirror' | 'Container' }

const mostFields = 8

const isList = (json: Json | undefined): json is ReadonlyArray<Json> => Array.isArray(json)

const itemNamed = (items: ReadonlyArray<Json>, item: Json, index: number): Json | undefined => {
  const name = textAt(item, 'name')
  return name === undefined ? items[index] : items.find((other) => textAt(other, 'name') === name)
}

/** Paths at which `wanted` differs from the live object; fields that only the server sets are no difference. */
const differences = (path: string, wanted: Json, now: Json | undefined): ReadonlyArray<string> => {
  if (isList(wanted) && isList(now)) {
    const gone = wanted.length === now.length ? [] : [path]
    return [
      ...wanted.flatMap((item, index) =>
        differences(`${path}[${textAt(item, 'name') ?? index}]`, item, itemNamed(now, item, index)),
      ),
      ...gone,
    ]
  }
  if (isObject(wanted) && isObject(now)) {
    return Object.entries(wanted).flatMap(([name, value]) =>
      value === undefined ? [] : differences(path === '' ? name : `${path}.${name}`, value, now[name]),
    )
  }
  return JSON.stringify(wanted) === JSON.stringify(now) ? [] : [path]
}

/** Who started the workload while it was developed, if somebody did. */
export const startedBy = (record: DevRecord, observed: Observed): string | undefined => {
  const { kind, name, uid } = record.workload
  const original = liveOf(observed, kind, name)
  if (original?.metadata.uid !== uid || isStopped(record, original)) return undefined
  const changed = record.touched
    .filter((one) => one.uid === uid)
    .flatMap(({ changes }) => changes)
    .filter((change) => change.path[0] === 'spec' && !isInEffect(original, change))
  return changed.flatMap(({ path }) => ownersOf(original, path)).at(-1)?.manager ?? 'somebody'
}

const isOver = (live: ClusterObject | undefined): boolean =>
  live === undefined || live.metadata.deletionTimestamp !== undefined

/** `observed`: the current original and mirror. */
export const follow = (request: UpRequest, record: DevRecord, observed: Observed): Followed => {
  const { kind, name, uid } = record.workload
  const original = liveOf(observed, kind, name)
  const mirror = liveOf(observed, 'Deployment', record.mirror)
  if (original === undefined || isOver(original) || original.metadata.uid !== uid) {
    return { _tag: 'Ended', missing: 'Original' }
  }
  if (mirror === undefined || isOver(mirror)) return { _tag: 'Ended', missing: 'Mirror' }
  const template = templateFor(request, record, original)
  if (template === undefined) return { _tag: 'Ended', missing: 'Container' }
  const actions = retemplated(mirror, template, true)
  if (actions.length === 0) return { _tag: 'Same' }
  const fields = differences('', template, at(mirror, 'spec', 'template'))
  return { _tag: 'Changed', actions, fields: [...new Set(fields)].slice(0, mostFields) }
}

/**
 * Gives the mirror the definition that was held back until the restart. Empty when the mirror has it already; then its
 * pods have to be deleted instead.
 */
export const unpaused = (mirror: ClusterObject): ReadonlyArray<Bound> =>
  at(mirror, 'spec', 'paused') === true
    ? [patch(mirror, resources.Deployment, { spec: { paused: null } }, [], byUp('its workload changed'))]
    : []
