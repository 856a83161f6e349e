/** Updates the mirror when the original has changed. */
import { at, isObject, type Json, textAt } from '../cluster/json.ts'
import { type ClusterObject, liveOf, type Observed } from '../cluster/live.ts'
import { resources } from '../cluster/resources.ts'
import type { Bound } from '../plan/action.ts'
import { isStopped, retemplated } from './activate.ts'
import { byUp, patch } from './belongings.ts'
import { isInEffect } from './field-changes.ts'
import { ownersOf } from './managed-fields.ts'
import { templateOf } from './mirror.ts'
import { type MirrorRecipe, recipeIn } from './recipe.ts'
import type { DevRecord } from './record.ts'

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

const originalIn = ({ workload }: DevRecord, observed: Observed): ClusterObject | undefined => {
  const { kind, name, uid } = workload
  const live = liveOf(observed, kind, name)
  return live === undefined || isOver(live) || live.metadata.uid !== uid ? undefined : live
}

const recipeOfRecord = ({ mirror }: DevRecord, observed: Observed): MirrorRecipe | undefined => {
  const live = liveOf(observed, 'ConfigMap', mirror)
  return live === undefined ? undefined : recipeIn(live)
}

/** `observed`: the current original, record and mirror. */
export const follow = (record: DevRecord, observed: Observed): Followed => {
  const original = originalIn(record, observed)
  const mirror = liveOf(observed, 'Deployment', record.mirror)
  if (original === undefined) return { _tag: 'Ended', missing: 'Original' }
  if (mirror === undefined || isOver(mirror)) return { _tag: 'Ended', missing: 'Mirror' }
  const recipe = recipeOfRecord(record, observed)
  if (recipe === undefined) return { _tag: 'Same' }
  const template = templateOf({ ...recipe, record, original })
  if (template === undefined) return { _tag: 'Ended', missing: 'Container' }
  const actions = retemplated(mirror, template, true)
  if (actions.length === 0) return { _tag: 'Same' }
  const fields = differences('', template, at(mirror, 'spec', 'template'))
  return { _tag: 'Changed', actions, fields: [...new Set(fields)].slice(0, mostFields) }
}

const unpaused = (mirror: ClusterObject): ReadonlyArray<Bound> =>
  at(mirror, 'spec', 'paused') === true
    ? [patch(mirror, resources.Deployment, { spec: { paused: null } }, [], byUp('its workload changed'))]
    : []

/**
 * Gives the mirror the definition of the current original, whether or not a session has followed it. Empty when the
 * mirror's pods have it already; then they have to be deleted instead.
 */
export const restarted = (record: DevRecord, observed: Observed): ReadonlyArray<Bound> => {
  const mirror = liveOf(observed, 'Deployment', record.mirror)
  if (mirror === undefined) return []
  const [original, recipe] = [originalIn(record, observed), recipeOfRecord(record, observed)]
  const template = original && recipe && templateOf({ ...recipe, record, original })
  return template === undefined ? unpaused(mirror) : retemplated(mirror, template, false)
}
