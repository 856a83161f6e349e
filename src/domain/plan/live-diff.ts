/**
 * Compares the live object with the one that a deploy would leave, for people: without fields that only the server
 * needs.
 */
import { at, isObject, type Json, type JsonObject } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { unifiedDiff } from '../print/diff.ts'
import { printYamlLines } from '../print/yaml.ts'
import { visible } from '../text/visible.ts'
import type { Origin } from './action.ts'
import { placesIn, showLine } from './origins.ts'

/** Fields that the server sets, or that change with every write. */
const noise: ReadonlySet<string> = new Set([
  'managedFields',
  'resourceVersion',
  'uid',
  'creationTimestamp',
  'generation',
  'selfLink',
])

const isNoise = (path: string, name: string): boolean =>
  (path === 'metadata' && noise.has(name)) || (path === '' && name === 'status')

/** For values of Secrets, only whether they are equal is shown. */
const redactedData = (data: Json | undefined, mark: (value: string) => string): Json | undefined =>
  isObject(data)
    ? Object.fromEntries(
        Object.entries(data).map(([name, value]) => [name, mark(typeof value === 'string' ? value : '')]),
      )
    : data

const withoutNoise = (object: JsonObject, path = ''): JsonObject =>
  Object.fromEntries(
    Object.entries(object).flatMap(([name, value]): ReadonlyArray<readonly [string, Json]> => {
      if (value === undefined || isNoise(path, name)) return []
      return [[name, path === '' && name === 'metadata' && isObject(value) ? withoutNoise(value, name) : value]]
    }),
  )

/** Marks are numbered by first appearance, so equal values get equal marks in both texts. */
const marker = (): ((value: string) => string) => {
  const marks = new Map<string, string>()
  return (value) => {
    const known = marks.get(value) ?? `*** (value ${marks.size + 1})`
    marks.set(value, known)
    return known
  }
}

/** kubectl's copy of the whole object it last applied, values of Secrets included. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

const withoutLastApplied = (metadata: Json | undefined): Json | undefined => {
  const annotations = at(metadata, 'annotations')
  if (!isObject(metadata) || !isObject(annotations)) return metadata
  const kept = Object.entries(annotations).filter(([name]) => name !== LAST_APPLIED)
  return { ...metadata, annotations: kept.length === 0 ? undefined : Object.fromEntries(kept) }
}

const shownObject = (live: ClusterObject, mark: (value: string) => string): JsonObject => {
  const bare = withoutNoise(live)
  const plain: JsonObject = { ...bare, metadata: withoutLastApplied(bare['metadata']) }
  if (live.kind !== 'Secret') return plain
  return { ...plain, data: redactedData(plain['data'], mark), stringData: redactedData(plain['stringData'], mark) }
}

const harmless = (text: string): string => text.split('\n').map(visible).join('\n')

/**
 * `to` names where the change comes from (`file`). Returns '' when nothing would change. `live` is absent for an object
 * that would be created. Changed lines are followed by the line of the file they come from.
 */
export const diffAgainst = (
  { name, origins, to }: { readonly name: string; readonly origins: ReadonlyArray<Origin>; readonly to: string },
  live: ClusterObject | undefined,
  wouldBe: ClusterObject,
): string => {
  const mark = marker()
  const before = live === undefined ? [] : printYamlLines(shownObject(live, mark))
  const after = printYamlLines(shownObject(wouldBe, mark))
  const placeOf = placesIn(origins)
  const text = (lines: ReadonlyArray<{ readonly text: string }>): string =>
    lines.map((line) => `${line.text}\n`).join('')
  const from = live === undefined ? '/dev/null' : `live/${name}`
  const note = (line: number): string | undefined => {
    const place = placeOf(after[line - 1]?.path ?? '')
    return place === undefined ? undefined : showLine(place)
  }
  return harmless(unifiedDiff({ from, to: `${to}/${name}` }, text(before), text(after), note))
}
