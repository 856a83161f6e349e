/**
 * Values that a translation ignores silently: scalars of a Compose file that are not the origin of anything in the plan
 * or in an image to build, have no finding, and are not known to have no effect.
 */

import type { Translation } from '../../../src/app/project/translation.ts'
import * as C from '../../../src/domain/checked.ts'
import { type FieldRow, fieldRows } from '../../../src/domain/compose/field-rows.ts'
import { partition } from '../../../src/domain/plan/action.ts'
import { type Place, placeOf, type Span, source } from '../../../src/domain/text/source.ts'
import { isNull, type Node, type Scalar } from '../../../src/domain/yaml/node.ts'
import { readYaml } from '../../../src/domain/yaml/read.ts'
import { isNoOp, isWholeOf } from './no-ops.ts'

/** A scalar, or the key of an empty value. `holders`: the values that hold it; `keys`: the keys on the way to it. */
export type Leaf = {
  readonly path: string
  readonly scalar: Scalar
  readonly holders: ReadonlyArray<{ readonly path: string; readonly at: Span }>
  readonly keys: ReadonlyArray<Scalar>
}

const rows: ReadonlyMap<string, FieldRow> = new Map(fieldRows().map((row) => [row.path, row]))

/** `*` in place of user-chosen names, as in the table of fields. */
const below = (path: string, key: string): string => {
  const own = path === '' ? key : `${path}.${key}`
  if (rows.has(own) || key.startsWith('x-')) return own
  return `${path}.*`
}

const leavesOf = (node: Node, path: string, rest: Pick<Leaf, 'holders' | 'keys'>): ReadonlyArray<Leaf> => {
  const holders = [...rest.holders, { path, at: node }]
  if (node._tag === 'Sequence') return node.items.flatMap((item) => leavesOf(item, `${path}[]`, { ...rest, holders }))
  if (node._tag === 'Scalar') return [{ path, scalar: node, ...rest }]
  return node.entries.flatMap(({ key, value }) => {
    const own = below(path, key.text)
    const keys = [...rest.keys, key]
    const pair: Span = { source: key.source, start: key.start, end: Math.max(key.end, value.end) }
    const inPair = { keys, holders: [...holders, { path: own, at: pair }] }
    if (!isNull(value)) return leavesOf(value, own, inPair)
    // A field without a value is absent, but a name without one has a meaning.
    return rows.has(own) && !own.endsWith('.*') ? [] : [{ path: own, scalar: key, ...inPair }]
  })
}

const spansIn = (value: unknown): ReadonlyArray<Span> => {
  if (typeof value !== 'object' || value === null) return []
  if ('source' in value && 'start' in value && 'end' in value) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only a span has all three
    return [value as Span]
  }
  return Object.values(value).flatMap(spansIn)
}

const keyOf = ({ file, line, col, endLine, endCol }: Place): string => `${file}:${line}:${col}-${endLine}:${endCol}`

/** Codes whose findings cover everything below the key at their place. */
const ofWhole: ReadonlySet<string> = new Set(['DT1102', 'DT1120', 'DT1128', 'DT1153'])

/** Where such findings are. */
const wholePlaces = ({ findings }: Translation): ReadonlySet<string> =>
  new Set(
    findings.flatMap(({ at, code, related = [] }) =>
      ofWhole.has(code) && at !== undefined ? [at, ...related.map((r) => r.at)].map(keyOf) : [],
    ),
  )

/** Every place that the translation names. */
export const namedPlaces = ({ findings, images, plan }: Translation): ReadonlyArray<Place> => {
  const { Apply, Await } = partition(plan?.actions ?? [])
  return [
    ...Apply.flatMap(({ origins }) => origins.map(({ at }) => at)),
    ...Await.flatMap(({ at }) => at ?? []),
    ...spansIn(images).map(placeOf),
    ...findings.flatMap(({ at, related = [] }) => [...(at === undefined ? [] : [at]), ...related.map((r) => r.at)]),
  ]
}

export const leavesIn = (file: string, text: string): ReadonlyArray<Leaf> =>
  (C.valueOf(readYaml(source(file, '.', text))) ?? []).flatMap((root) => leavesOf(root, '', { holders: [], keys: [] }))

/** Which scalars of a file the translation uses or names, or may ignore. */
export const hearing = (file: string, translation: Translation): ((leaf: Leaf) => boolean) => {
  const named = namedPlaces(translation)
  const places = new Set(named.map(keyOf))
  const inside = named.filter((place) => place.file === file)
  const wholes = wholePlaces(translation)
  const isNamed = (at: Span): boolean => places.has(keyOf(placeOf(at)))
  /** A finding may be about a part of a text. */
  const isPartNamed = (at: Span): boolean => {
    const { line, col, endLine, endCol } = placeOf(at)
    return inside.some((p) => p.line === line && p.endLine === endLine && p.col >= col && p.endCol <= endCol)
  }
  return ({ path, scalar, holders, keys }) =>
    isNamed(scalar) ||
    isPartNamed(scalar) ||
    holders.some(({ at, path: own }, i) => (i === holders.length - 1 || isWholeOf(at, own, path)) && isNamed(at)) ||
    [...keys, ...holders.map(({ at }) => at)].some((at) => wholes.has(keyOf(placeOf(at)))) ||
    isNoOp(path, keys.at(-1)?.text ?? '', scalar)
}

/** The keys that a finding about everything below them names. */
export const wholeKeys = (translation: Translation, { keys }: Leaf): ReadonlyArray<Scalar> => {
  const wholes = wholePlaces(translation)
  return keys.filter((key) => wholes.has(keyOf(placeOf(key))))
}

export const showLeaf = ({ path, scalar }: Leaf): string => {
  const { file, line } = placeOf(scalar)
  return `${path}: ${scalar.text.slice(0, 40)} (${file}:${line})`
}

/** `NAME=value` of an environment, of labels and the like, in either notation. */
export const pairOf = ({ path, scalar, keys }: Leaf): string | undefined => {
  const [, notation] = /(?:^|\.)(?:environment|labels|annotations|args|sysctls)(\[\]|\.\*)$/.exec(path) ?? []
  if (notation === undefined) return undefined
  return notation === '[]' ? scalar.text : `${keys.at(-1)?.text ?? ''}=${scalar.text}`
}

/** A label may be repeated as an annotation. */
export const isRepeated = (leaves: ReadonlyArray<Leaf>): ((leaf: Leaf) => boolean) => {
  const pairs = new Set(leaves.map(pairOf))
  return (leaf) => /\.labels(?:\[\]|\.\*)$/.test(leaf.path) && pairs.has(pairOf(leaf))
}

export const silences = (file: string, text: string, translation: Translation): ReadonlyArray<string> => {
  const isHeard = hearing(file, translation)
  const leaves = leavesIn(file, text)
  const isTwice = isRepeated(leaves.filter(isHeard))
  return leaves.filter((leaf) => !isHeard(leaf) && !isTwice(leaf)).map(showLeaf)
}
