/**
 * An object under construction: any value inside may be wrapped with the place it comes from, and optional members may
 * be `undefined`. {@link settler} removes the wrappers and collects the places.
 */
import type { Written } from '../compose/model.ts'
import type { Origin } from '../plan/action.ts'
import { memberPath } from '../print/yaml.ts'
import { placeOf, type Span } from '../text/source.ts'

/** Several places may decide about one value; the first is the one that is shown. */
type Places = Span | ReadonlyArray<Span>
/** `path`: where the file says the key, for values that several keys can give. */
type From<A> = { readonly _tag: 'From'; readonly at: Places; readonly value: A; readonly path?: string }

type Scalar = string | number | boolean
/** `undefined` is allowed for members that are optional in `A`. */
type Absent<A, K extends keyof A> = Partial<Pick<A, K>> extends Pick<A, K> ? undefined : never
/** Not wrapped itself, though values inside may be. */
export type Unwrapped<A> = A extends Scalar
  ? A
  : A extends ReadonlyMap<string, infer V>
    ? ReadonlyMap<string, Draft<V>>
    : A extends ReadonlyArray<infer I>
      ? ReadonlyArray<Draft<I>>
      : { readonly [K in keyof A]: Draft<A[K]> | Absent<A, K> }
export type Draft<A> = Unwrapped<A> | From<Unwrapped<A>>

export type DraftStrings = ReadonlyMap<string, Draft<string>>

/** `value` with the places it was written at, or the plain value if there is no place. */
export const from = <A>(at: Places | undefined, value: A): A | From<A> =>
  at === undefined ? value : { _tag: 'From', at, value }

/**
 * `services.web.deploy.resources.limits.memory` → `deploy.resources.limits.memory`. Names of services may have dots.
 */
const keyIn = (path: string): string => {
  // Most have none, and splitting takes long.
  if (!path.includes('resources')) return path.slice(path.lastIndexOf('.') + 1)
  const names = path.split('.')
  const at = names.lastIndexOf('resources')
  if (at < 0) return names.at(-1) ?? path
  return names.slice(at > 2 && names[at - 1] === 'deploy' ? at - 1 : at).join('.')
}

/** `value` with its place and its key in the service, since a setting can be written under several keys. */
export const fromKey = <A>({ also, at, path, value }: Written<A>): A | From<A> => ({
  _tag: 'From',
  at: also === undefined ? at : [at, ...also],
  value,
  path,
})

export function fromWritten<A>(written: Written<A>): A | From<A>
export function fromWritten<A>(written: Written<A> | undefined): A | From<A> | undefined
export function fromWritten<A>(written: Written<A> | undefined): A | From<A> | undefined {
  if (written === undefined) return undefined
  const { also, at, value } = written
  return from(also === undefined ? at : [at, ...also], value)
}

/** `undefined` for an empty list: the API drops empty lists, so we print none. */
export const listed = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> | undefined =>
  items.length === 0 ? undefined : items

/** `undefined` for a mapping without entries. */
export const mapped = <A>(entries: ReadonlyMap<string, A>): ReadonlyMap<string, A> | undefined =>
  entries.size === 0 ? undefined : entries

/** `undefined` for an object whose members are all `undefined`. */
export const filled = <A extends object>(members: A): A | undefined => {
  for (const key in members) if (members[key] !== undefined) return members
  return undefined
}

/** A path with the paths below it. Objects of one kind share their paths, so each text is built once. */
type Path = { readonly text: string; readonly below: Map<string | number, Path> }

const root = (): Path => ({ text: '', below: new Map() })

/** Paths are only built when origins are requested. */
const step = (path: Path | undefined, to: string | number): Path | undefined => {
  if (path === undefined) return undefined
  const { below, text } = path
  const known = below.get(to)
  if (known !== undefined) return known
  const made = { text: typeof to === 'number' ? `${text}[${to}]` : memberPath(text, to), below: new Map() }
  below.set(to, made)
  return made
}

const isMembers = (value: object): value is Readonly<Record<string, unknown>> => !('_tag' in value)

const isFrom = (value: object): value is From<unknown> => '_tag' in value && value._tag === 'From'

const settleList = (
  origins: Array<Origin>,
  items: ReadonlyArray<unknown>,
  path: Path | undefined,
): ReadonlyArray<unknown> =>
  items.map((item, index) => (typeof item === 'object' ? settleAt(origins, item, step(path, index)) : item))

/** A mapping without wrappers is returned as it is: labels are shared by many objects. */
const settleMap = (
  origins: Array<Origin>,
  entries: ReadonlyMap<string, unknown>,
  path: Path | undefined,
): ReadonlyMap<string, unknown> => {
  let isPlain = true
  entries.forEach((value) => {
    isPlain &&= typeof value !== 'object'
  })
  if (isPlain) return entries
  const out = new Map<string, unknown>()
  entries.forEach((value, key) => out.set(key, settleAt(origins, value, step(path, key))))
  return out
}

/** Without anything to unwrap or to leave out. */
const isFinished = (members: Readonly<Record<string, unknown>>): boolean => {
  for (const key in members) if (members[key] === undefined || typeof members[key] === 'object') return false
  return true
}

const settleMembers = (
  origins: Array<Origin>,
  members: Readonly<Record<string, unknown>>,
  path: Path | undefined,
): Readonly<Record<string, unknown>> => {
  if (isFinished(members)) return members
  const out: Record<string, unknown> = {}
  for (const key in members) {
    const member = members[key]
    if (member === undefined) continue
    out[key] = typeof member === 'object' ? settleAt(origins, member, step(path, key)) : member
  }
  return out
}

/** Of a value that several files write, every part. */
const addOrigins = (origins: Array<Origin>, at: Places, key: string | undefined, { text: path }: Path): void => {
  const add = (one: Span): void => {
    const place = placeOf(one)
    origins.push(key === undefined ? { path, at: place } : { path, at: place, key })
  }
  const addParts = (one: Span): void => {
    add(one)
    one.also?.forEach(add)
  }
  if ('source' in at) addParts(at)
  else at.forEach(addParts)
}

const settleAt = (origins: Array<Origin>, draft: unknown, path: Path | undefined): unknown => {
  if (typeof draft !== 'object' || draft === null) return draft
  if (Array.isArray(draft)) return settleList(origins, draft, path)
  if (draft instanceof Map) return settleMap(origins, draft, path)
  if (isMembers(draft)) return settleMembers(origins, draft, path)
  if (!isFrom(draft)) return draft
  if (path !== undefined) addOrigins(origins, draft.at, draft.path && keyIn(draft.path), path)
  return settleAt(origins, draft.value, path)
}

/** Two signatures, since the walk itself is untyped: it returns its argument without the wrappers. */
function unwrap<A>(origins: Array<Origin>, draft: Draft<A>, path: Path | undefined): A
function unwrap(origins: Array<Origin>, draft: unknown, path: Path | undefined): unknown {
  return settleAt(origins, draft, path)
}

/** The finished object, and where its parts come from, in the order of the object. */
type Settled<A> = { readonly object: A; readonly origins: ReadonlyArray<Origin> }

export type SettleDraft = <A>(draft: Draft<A>) => Settled<A>

/** Settles many drafts, which share the texts of their paths; without origins if they are not needed. */
export const settler = (withOrigins = true): SettleDraft => {
  const top = withOrigins ? root() : undefined
  return <A>(draft: Draft<A>) => {
    const origins: Array<Origin> = []
    return { object: unwrap<A>(origins, draft, top), origins }
  }
}
