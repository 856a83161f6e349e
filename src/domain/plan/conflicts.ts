/** Field conflicts in server-side apply: how they are reported, and which fields are left to their current manager. */
import type { Refusal } from '../cluster/failure.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { type Diagnostic, error, placed, warning } from '../diagnostic/diagnostic.ts'
import { UP_MANAGER } from '../k8s/managers.ts'
import type { KubeObject } from '../k8s/types.ts'
import { defined } from '../object/defined.ts'
import { printJsonLine } from '../print/json.ts'
import { isList, isMap, type Value } from '../print/value.ts'
import { type Origin, refOf, showRef } from './action.ts'
import { placesIn } from './origins.ts'

/** A step of a field path: `.image`, `[name="web"]`, `[0]`. */
type Step =
  | { readonly _tag: 'Member'; readonly name: string }
  | { readonly _tag: 'Keyed'; readonly keys: ReadonlyArray<readonly [string, string]> }
  | { readonly _tag: 'Index'; readonly index: number }

const STEP = /\.([^.[\]]+)|\[(\d+)\]|\[((?:[^[\]"\\]|"(?:[^"\\]|\\.)*")*)\]/g
const PAIR = /(?<![^,\s])([^=,\s]+)=("(?:[^"\\]|\\.)*"|[^,]+)/g

const stepsOf = (path: string): ReadonlyArray<Step> =>
  [...path.matchAll(STEP)].map(([, name, index, keys]): Step => {
    if (name !== undefined) return { _tag: 'Member', name }
    if (index !== undefined) return { _tag: 'Index', index: Number(index) }
    const pairs = [...(keys ?? '').matchAll(PAIR)]
    return { _tag: 'Keyed', keys: pairs.map(([, key = '', value = '']) => [key, value.replace(/^"|"$/g, '')] as const) }
  })

const hasKeys = (item: Value, keys: ReadonlyArray<readonly [string, string]>): boolean =>
  keys.every(([key, value]) => {
    const member = memberOf(item, key)
    return (typeof member === 'number' ? `${member}` : member) === value
  })

const memberOf = (value: Value | undefined, name: string): Value | undefined => {
  if (typeof value !== 'object' || value === null || isList(value)) return undefined
  if (isMap(value)) return value.get(name)
  return Object.hasOwn(value, name) ? value[name] : undefined
}

const follow = (value: Value | undefined, step: Step): Value | undefined => {
  if (step._tag === 'Member') return memberOf(value, step.name)
  if (typeof value !== 'object' || value === null || !isList(value)) return undefined
  return step._tag === 'Index' ? value[step.index] : value.find((item) => hasKeys(item, step.keys))
}

/** Values of Secrets are never shown. */
const isSecret = (root: Value): boolean => memberOf(root, 'kind') === 'Secret'

const shown = (root: Value, path: string): string => {
  if (isSecret(root)) return 'a value of its own'
  const value = stepsOf(path).reduce<Value | undefined>(follow, root)
  return value === undefined ? 'not set' : printJsonLine(value).trimEnd()
}

/** `conflict with "kubectl" using apps/v1` → `kubectl`. */
const managerIn = (message: string): string => /"([^"]*)"/.exec(message)?.[1] ?? message

/** The path in the form that origins use: `.spec.containers[name="web"].image` → `spec.containers[0].image`. */
const originPath = (root: Value, path: string): string => {
  let [value, out]: [Value | undefined, string] = [root, '']
  for (const step of stepsOf(path)) {
    const next = follow(value, step)
    if (step._tag === 'Member') out += out === '' ? step.name : `.${step.name}`
    else if (typeof value === 'object' && value !== null && isList(value)) {
      out += `[${value.findIndex((item) => item === next)}]`
    }
    value = next
  }
  return out
}

/** The hint for a developed workload: forcing the field would start it beside its development container. */
const whenDeveloped = 'the workload is being developed: run `devtool down`, then deploy'

const isOfUp = (message: string): boolean => managerIn(message) === UP_MANAGER

const REPLICAS = '.spec.replicas'

/** Only the number of replicas is in conflict: an autoscaler set it, or somebody scaled by hand. */
export const isAboutReplicas = ({ causes }: Refusal): boolean =>
  causes.length > 0 && causes.every(({ field }) => field === REPLICAS)

export const withoutReplicas = (object: KubeObject): KubeObject => {
  if (object.kind === 'Deployment') {
    const { replicas: _replicas, ...spec } = object.spec
    return { ...object, spec }
  }
  if (object.kind !== 'StatefulSet') return object
  const { replicas: _replicas, ...spec } = object.spec
  return { ...object, spec }
}

export const replicasLeft = (
  object: KubeObject,
  { causes: [first] }: Refusal,
  live: ClusterObject | undefined,
  origins: ReadonlyArray<Origin>,
): Diagnostic => {
  const there = live === undefined ? '' : ` at ${shown(live, REPLICAS)}`
  const message = `${showRef(refOf(object))}: the number of replicas is left${there}, as set by "${managerIn(first?.message ?? '')}"; the file says ${shown(object, REPLICAS)}`
  const help = isOfUp(first?.message ?? '')
    ? whenDeveloped
    : 'remove scale from the file, or take the field over with --force-conflicts'
  return placed(placesIn(origins)('spec.replicas'), warning('DT3130', message, { help }))
}

/** The values that were to be written, and where they come from: `the file`. */
type Disputed = {
  readonly name: string
  readonly object: Value
  readonly origins: ReadonlyArray<Origin>
  readonly source: string
  readonly help?: string
}

/** DT3102 for each disputed field, with both values. */
export const conflictFindings = (
  { help, name, object, origins, source }: Disputed,
  { causes }: Refusal,
  live: ClusterObject | undefined,
): ReadonlyArray<Diagnostic> =>
  causes.map(({ field = '', message }) => {
    const path = originPath(object, field)
    const there = live === undefined ? 'unknown' : shown(live, field)
    const found = error(
      'DT3102',
      `${name}: ${path} is set to ${there} by "${managerIn(message)}", ${source} says ${shown(object, field)}`,
      defined({ help: isOfUp(message) ? whenDeveloped : help }),
    )
    return placed(placesIn(origins)(path), found)
  })
