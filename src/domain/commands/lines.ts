/**
 * Turns a command's output, which arrives in arbitrary pieces, into lines that are safe to print: colours are kept,
 * other control sequences removed, progress that is painted over reduced to its last state, and secrets masked.
 */
import { visible } from '../text/visible.ts'
import { mask, secretRanges } from './mask.ts'

/** The part of an incomplete line that has arrived so far. */
export type Pending = string

export type AssembledLines = { readonly lines: ReadonlyArray<string>; readonly pending: Pending }

/** Lines longer than this are split. */
const MAX_LENGTH = 64 * 1024

const colors = /\u001b\[[\d;:]*m/g
const RESET = '\u001b[0m'
/** CSI, OSC and the other strings, character sets, and all two-character sequences (ECMA-48). */
const SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]+[0-~]|[0-~])/g

/** A backspace erases the character before it. */
const withoutErased = (text: string): string => {
  if (!text.includes('\b')) return text
  const kept: Array<string> = []
  for (const char of text) {
    if (char === '\b') kept.pop()
    else kept.push(char)
  }
  return kept.join('')
}

const lettersOf = (text: string): string => text.replace(SEQUENCE, '').replaceAll(/\P{L}/gu, '')

/**
 * A carriage return starts the line over. Text that differs from the text before it only in numbers and bars replaces
 * it (progress); any other text becomes a line of its own, so that none is lost.
 */
const statesOf = (line: string): ReadonlyArray<string> => {
  if (!line.includes('\r')) return [line]
  const states: Array<string> = []
  for (const state of line.split('\r')) {
    if (state === '') continue
    const before = states.at(-1)
    if (before !== undefined && lettersOf(state).startsWith(lettersOf(before))) states.pop()
    states.push(state)
  }
  return states.length === 0 ? [''] : states
}

const harmless = (text: string): string => visible(text).replaceAll('\\x09', '\t')

const withColors = (text: string): string => {
  const found = text.match(colors) ?? []
  const parts = text.split(colors).map(harmless)
  const shown = parts.map((part, i) => part + (found[i] ?? '')).join('')
  const last = found.at(-1)
  return last === undefined || /\[0*m$/.test(last) ? shown : shown + RESET
}

const shownState = (secrets: ReadonlyArray<string>, line: string): string => {
  const plain = line.replace(SEQUENCE, (sequence) => (sequence.match(colors) === null ? '' : sequence))
  const text = withoutErased(plain)
  const masked = mask(secrets, text)
  const [shown, bare] = [text.replace(colors, ''), withoutErased(plain.replace(colors, ''))]
  const isSecret = [shown, bare].some((one) => secretRanges(secrets, one).length > 0)
  const safe = mask(secrets, bare)
  // Colour codes inside a secret would hide it from the search, but not from a reader.
  return isSecret && masked.replace(colors, '') !== safe ? harmless(safe) : withColors(masked)
}

const shownLine = (secrets: ReadonlyArray<string>, line: string): ReadonlyArray<string> =>
  statesOf(line).map((state) => shownState(secrets, state))

/** The positions of visible characters in the line, outside control sequences, the last of which may be incomplete. */
const placesOf = (line: string): ReadonlyArray<number> => {
  const places: Array<number> = []
  const add = (from: number, to: number): void => {
    for (let at = from; at < to; at += 1) {
      if (line[at] === '\b') places.pop()
      else places.push(at)
    }
  }
  let from = 0
  for (const { 0: sequence, index } of line.matchAll(SEQUENCE)) {
    add(from, index)
    from = index + sequence.length
  }
  const begun = line.search(/\u001b(?:\[[0-?]{0,64})?$/)
  add(from, begun === -1 ? line.length : begun)
  return places
}

/** Where a line that is too long may be split: never inside a secret, nor inside text that may turn out to be one. */
const cutOf = (secrets: ReadonlyArray<string>, line: string): number => {
  const longest = secrets[0]?.length ?? 1
  const places = secrets.length === 0 ? [] : placesOf(line)
  const bare = places.map((place) => line[place]).join('')
  // A line with hardly any visible characters is split all the same.
  const cut = places[bare.length - longest] ?? line.length - longest
  const starts = [
    ...secretRanges(secrets, line),
    ...secretRanges(secrets, bare).map(([start, end]) => [places[start] ?? 0, (places[end - 1] ?? 0) + 1] as const),
  ].filter(([start, end]) => start < cut && cut < end)
  return starts.reduce((first, [start]) => Math.min(first, start), cut)
}

/** `secrets` come from {@link secretLines}. Law: the lines do not depend on how the output was cut into pieces. */
export const assemble = (secrets: ReadonlyArray<string>, pending: Pending, piece: string): AssembledLines => {
  const [...complete] = (pending + piece).split('\n')
  let rest = complete.pop() ?? ''
  const lines = complete.flatMap((line) => shownLine(secrets, line))
  // A progress bar may paint over itself for minutes.
  if (rest.length > MAX_LENGTH) rest = statesOf(rest).join('\r')
  while (rest.length > MAX_LENGTH) {
    const cut = cutOf(secrets, rest)
    if (cut <= 0) break
    for (const line of shownLine(secrets, rest.slice(0, cut))) lines.push(line)
    rest = rest.slice(cut)
  }
  return { lines, pending: rest }
}

/** What remains at the end without a line break. */
export const assembleRest = (secrets: ReadonlyArray<string>, pending: Pending): ReadonlyArray<string> =>
  pending === '' ? [] : shownLine(secrets, pending)
