/**
 * Field paths of server-side apply: members of mappings, items of lists with keys, and leaves: scalars and everything
 * that is replaced as a whole.
 */
import { isObject, type Json, type JsonObject } from '../../src/domain/cluster/json.ts'

/** `Member`: of a mapping. `Item`: of a list, by its key values; `.` is the value itself in a set. */
type Step =
  | { readonly _tag: 'Member'; readonly name: string }
  | { readonly _tag: 'Item'; readonly keys: ReadonlyArray<readonly [string, Json]> }

export type Path = ReadonlyArray<Step>

type Leaf = { readonly path: Path; readonly value: Json }

/** The keys of list items, by the name of the list; any other list is replaced as a whole. */
const keysOfLists: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ['containers', ['name']],
  ['initContainers', ['name']],
  ['env', ['name']],
  ['volumes', ['name']],
  ['imagePullSecrets', ['name']],
  ['volumeMounts', ['mountPath']],
  ['hostAliases', ['ip']],
  ['conditions', ['type']],
  ['ownerReferences', ['uid']],
  ['topologySpreadConstraints', ['topologyKey', 'whenUnsatisfiable']],
])
const protocols = ['protocol']
const sets: ReadonlySet<string> = new Set(['finalizers'])
const wholes: ReadonlySet<string> = new Set(['selector', 'nodeAffinity', 'nodeSelector', 'securityContext'])

/** `undefined` when the list is a leaf. */
const keysOf = (name: string, items: ReadonlyArray<Json>): ReadonlyArray<string> | undefined => {
  if (name !== 'ports') return keysOfLists.get(name)
  const isContainers = items.every((item) => isObject(item) && item['containerPort'] !== undefined)
  const isService = items.every((item) => isObject(item) && item['port'] !== undefined)
  return isContainers ? ['containerPort', ...protocols] : isService ? ['port', ...protocols] : undefined
}

const keyValue = (item: Json, key: string): Json =>
  (isObject(item) ? item[key] : undefined) ?? (key === 'protocol' ? 'TCP' : '')

const isList = (json: Json): json is ReadonlyArray<Json> => Array.isArray(json)

const stepsInto = (name: string, list: ReadonlyArray<Json>): ReadonlyArray<readonly [Step, Json]> | undefined => {
  if (list.length === 0) return undefined
  if (sets.has(name)) return list.map((item) => [{ _tag: 'Item', keys: [['.', item]] }, item])
  const keys = keysOf(name, list)
  return keys === undefined
    ? undefined
    : list.map((item) => [{ _tag: 'Item', keys: keys.map((key) => [key, keyValue(item, key)]) }, item])
}

const childrenOf = (name: string, json: Json): ReadonlyArray<readonly [Step, Json]> | undefined => {
  if (isList(json)) return stepsInto(name, json)
  if (!isObject(json) || wholes.has(name)) return undefined
  const members = Object.entries(json).flatMap(([member, value]) =>
    value === undefined || value === null ? [] : [[{ _tag: 'Member', name: member }, value] as const],
  )
  return members.length === 0 ? undefined : members
}

/** All leaves below; `name` is the member that holds the value. */
export const leavesOf = (json: Json, path: Path = [], name = ''): ReadonlyArray<Leaf> => {
  const children = childrenOf(name, json)
  if (children === undefined) return path.length === 0 ? [] : [{ path, value: json }]
  return children.flatMap(([step, value]) => leavesOf(value, [...path, step], step._tag === 'Member' ? step.name : ''))
}

export const pathId = (path: Path): string => JSON.stringify(path)

/** In the API's notation: `.spec.containers[name="web"].image`. */
export const showPath = (path: Path): string =>
  path
    .map((step) => {
      if (step._tag === 'Member') return `.${step.name}`
      const keys = step.keys.map(([key, value]) =>
        key === '.' ? `=${JSON.stringify(value)}` : `${key}=${JSON.stringify(value)}`,
      )
      return `[${keys.join(',')}]`
    })
    .join('')

const matches = (item: Json, { keys }: Extract<Step, { readonly _tag: 'Item' }>): boolean =>
  keys.every(([key, value]) => JSON.stringify(key === '.' ? item : keyValue(item, key)) === JSON.stringify(value))

export const valueAt = (json: Json | undefined, [step, ...rest]: Path): Json | undefined => {
  if (step === undefined || json === undefined || json === null) return json
  if (step._tag === 'Member') return isObject(json) ? valueAt(json[step.name], rest) : undefined
  return isList(json)
    ? valueAt(
        json.find((item) => matches(item, step)),
        rest,
      )
    : undefined
}

/** The empty container to create when the next step needs one. */
const emptyFor = (step: Step | undefined): Json | undefined =>
  step === undefined ? undefined : step._tag === 'Member' ? {} : []

const newItem = ({ keys }: Extract<Step, { readonly _tag: 'Item' }>): Json =>
  keys[0]?.[0] === '.' ? keys[0][1] : Object.fromEntries(keys)

export const withValue = (json: Json | undefined, [step, ...rest]: Path, value: Json): Json => {
  if (step === undefined) return value
  if (step._tag === 'Member') {
    const object = isObject(json) ? json : {}
    return { ...object, [step.name]: withValue(object[step.name] ?? emptyFor(rest[0]), rest, value) }
  }
  const list = json !== undefined && json !== null && isList(json) ? json : []
  if (keyIsValue(step)) return list.some((item) => matches(item, step)) ? list : [...list, value]
  const found = list.some((item) => matches(item, step))
  const items = found ? list : [...list, newItem(step)]
  return items.map((item) => (matches(item, step) ? withValue(item, rest, value) : item))
}

const keyIsValue = ({ keys }: Extract<Step, { readonly _tag: 'Item' }>): boolean => keys[0]?.[0] === '.'

const isEmpty = (json: Json | undefined): boolean =>
  json === undefined || (isObject(json) ? Object.keys(json).length === 0 : Array.isArray(json) && json.length === 0)

/** Containers that become empty are removed. */
export const withoutValue = (json: Json | undefined, [step, ...rest]: Path): Json | undefined => {
  if (step === undefined || json === undefined || json === null) return undefined
  if (step._tag === 'Member') {
    if (!isObject(json)) return json
    const { [step.name]: member, ...others } = json
    const left = withoutValue(member, rest)
    return isEmpty(left) ? others : { ...others, [step.name]: left }
  }
  if (!isList(json)) return json
  return json.flatMap((item) => {
    if (!matches(item, step)) return [item]
    const left = rest.length === 0 ? undefined : withoutValue(item, rest)
    return left === undefined || isEmpty(left) ? [] : [left]
  })
}

/** The form of `managedFields[].fieldsV1`. */
export const fieldsV1 = (paths: ReadonlyArray<Path>): JsonObject => {
  const names = (step: Step): string => {
    if (step._tag === 'Member') return `f:${step.name}`
    return keyIsValue(step)
      ? `v:${JSON.stringify(step.keys[0]?.[1])}`
      : `k:${JSON.stringify(Object.fromEntries(step.keys))}`
  }
  const all: Path = []
  return paths.reduce<JsonObject>((tree, path) => {
    const steps = [...all, ...path].map((step): Step => ({ _tag: 'Member', name: names(step) }))
    const set = withValue(tree, steps, {})
    return isObject(set) ? set : tree
  }, {})
}

const stepOf = (name: string): Step => {
  if (name.startsWith('f:')) return { _tag: 'Member', name: name.slice(2) }
  const parsed: Json = JSON.parse(name.slice(2))
  const keys = name.startsWith('k:') && isObject(parsed) ? Object.entries(parsed) : [['.', parsed] as const]
  return { _tag: 'Item', keys: keys.map(([key, value]) => [key, value ?? null] as const) }
}

/** The paths of `managedFields[].fieldsV1`. */
export const pathsIn = (fields: Json | undefined, path: Path = []): ReadonlyArray<Path> => {
  const members = Object.entries(isObject(fields) ? fields : {})
  if (members.length === 0) return path.length === 0 ? [] : [path]
  return members.flatMap(([name, below]) => pathsIn(below, [...path, stepOf(name)]))
}
