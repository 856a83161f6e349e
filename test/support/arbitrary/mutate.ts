/** Damages real text, from a typo to a hostile file. */
import { isList, isMap, type Value } from '../../../src/domain/print/value.ts'
import type { Random } from './random.ts'
import { FRAGMENTS, KEYS, SCALARS, UNLIKELY } from './words.ts'

type Mutation = (rng: Random, text: string) => string

const onLines =
  (change: (rng: Random, lines: Array<string>, at: number) => void): Mutation =>
  (rng, text) => {
    const lines = text.split('\n')
    change(rng, lines, rng.below(lines.length))
    return lines.join('\n')
  }

const indentOf = (line: string): string => /^ */.exec(line)?.[0] ?? ''
const splice = (rng: Random, text: string, insert: string, most: number): string => {
  const at = rng.below(text.length + 1)
  return text.slice(0, at) + insert + text.slice(at + rng.below(most + 1))
}

const mutations: ReadonlyArray<Mutation> = [
  onLines((rng, lines, at) => lines.splice(at, 1 + rng.below(3))),
  onLines((rng, lines, at) => lines.splice(at, 0, ...lines.slice(at, at + 1 + rng.below(4)))),
  onLines((rng, lines, at) => {
    const other = rng.below(lines.length)
    ;[lines[at], lines[other]] = [lines[other] ?? '', lines[at] ?? '']
  }),
  onLines((rng, lines, at) => {
    lines[at] = rng.chance(0.5) ? ` ${lines[at]}` : (lines[at] ?? '').replace(/^ /, '')
  }),
  onLines((rng, lines, at) => {
    const end = at + 1 + rng.below(6)
    for (let i = at; i < Math.min(end, lines.length); i += 1) lines[i] = `  ${lines[i]}`
  }),
  onLines((rng, lines, at) => {
    lines[at] = (lines[at] ?? '').replace(
      /^( *(?:- )?)([^:\s]+:) *.*$/,
      (_, pad, key) => `${pad}${key} ${rng.pick(SCALARS)}`,
    )
  }),
  onLines((rng, lines, at) => {
    lines[at] = (lines[at] ?? '').replace(/^( *- ).*$/, (_, pad) => `${pad}${rng.pick(SCALARS)}`)
  }),
  onLines((rng, lines, at) => {
    lines.splice(at, 0, `${indentOf(lines[at] ?? '')}${rng.pick(KEYS)}: ${rng.pick(SCALARS)}`)
  }),
  onLines((rng, lines, at) => {
    const pad = indentOf(lines[at] ?? '')
    lines.splice(
      at,
      0,
      `${pad}${rng.pick(KEYS)}:`,
      `${pad}  ${rng.pick(['- ', `${rng.pick(KEYS)}: `])}${rng.pick(SCALARS)}`,
    )
  }),
  onLines((rng, lines, at) => {
    const line = lines[at] ?? ''
    const colon = line.indexOf(':')
    // The colon is not part of the pattern: on a long line without a colon, matching would take quadratic time.
    if (colon > 0) lines[at] = line.slice(0, line.lastIndexOf(' ', colon) + 1) + rng.pick(KEYS) + line.slice(colon)
  }),
  (rng, text) => splice(rng, text, rng.pick(FRAGMENTS), 0),
  (rng, text) => splice(rng, text, rng.pick(FRAGMENTS), 3),
  (rng, text) => splice(rng, text, '', 20),
  (rng, text) => splice(rng, text, text.slice(rng.below(text.length), rng.below(text.length)).slice(0, 200), 0),
  (rng, text) => text.slice(0, rng.below(text.length + 1)),
]

/** One to four mutations; rarely, bytes that are not text. */
export const mutate = (rng: Random, text: string): string | Uint8Array => {
  let result = text
  for (let left = 1 + rng.below(4); left > 0; left -= 1) result = rng.pick(mutations)(rng, result)
  if (!rng.chance(0.02)) return result
  const bytes = new TextEncoder().encode(result)
  for (let left = 1 + rng.below(4); left > 0 && bytes.length > 0; left -= 1)
    bytes[rng.below(bytes.length)] = rng.below(256)
  return bytes
}

/** The same data with one absurd value or key. */
export const poisoned = (rng: Random, value: Value): Value => {
  if (typeof value !== 'object' || value === null || rng.chance(0.04)) return rng.pick(UNLIKELY)
  if (isList(value)) {
    const at = rng.below(value.length)
    return value.length === 0 ? [rng.pick(UNLIKELY)] : value.map((item, i) => (i === at ? poisoned(rng, item) : item))
  }
  const entries = [...(isMap(value) ? value : new Map(Object.entries(value)))]
  const at = rng.below(entries.length)
  const isKey = rng.chance(0.05)
  return new Map(
    entries.map(([key, member], i): [string, Value] => {
      if (i !== at || member === undefined) return [key, member ?? null]
      return isKey ? [rng.pick(SCALARS), member] : [key, poisoned(rng, member)]
    }),
  )
}
