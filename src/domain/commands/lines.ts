/**
 * Output of a command, which comes in pieces cut anywhere, as lines that are safe to print: colours stay, what else would
 * drive the terminal goes, of lines that were written over only the last state is left, secrets are masked.
 */
import { visible } from '../text/visible.ts'
import { mask, secretRanges } from './mask.ts'

/** What has come of a line that is not complete yet. */
export type Pending = string

export type AssembledLines = { readonly lines: ReadonlyArray<string>; readonly pending: Pending }

/** A line that never ends is cut here. */
const MAX_LENGTH = 64 * 1024

const COLOR = '\u001b\\[[\\d;:]*m'
const RESET = '\u001b[0m'
/** CSI, OSC and the other strings, character sets, and all two-character sequences (ECMA-48). */
const SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]+[0-~]|[0-~])/g
const colors = new RegExp(COLOR, 'g')

/** A backspace takes the character before it. */
const withoutErased = (text: string): string => {
  if (!text.includes('\b')) return text
  const kept: Array<string> = []
  for (const char of text) {
    if (char === '\b') kept.pop()
    else kept.push(char)
  }
  return kept.join('')
}

/** What stands there when the line is complete: after a carriage return it was written anew. */
const lastState = (line: string): string => {
  const states = line.split('\r').filter((state) => state !== '')
  return states.at(-1) ?? ''
}

const harmless = (text: string): string => visible(text).replaceAll('\\x09', '\t')

const withColors = (text: string): string => {
  const found = text.match(colors) ?? []
  const parts = text.split(colors).map(harmless)
  const shown = parts.map((part, i) => part + (found[i] ?? '')).join('')
  const last = found.at(-1)
  return last === undefined || /\[0*m$/.test(last) ? shown : shown + RESET
}

const shownLine = (secrets: ReadonlyArray<string>, line: string): string => {
  const plain = lastState(line).replace(SEQUENCE, (sequence) => (sequence.match(colors) === null ? '' : sequence))
  const text = withoutErased(plain)
  const masked = mask(secrets, text)
  const [shown, bare] = [text.replace(colors, ''), withoutErased(plain.replace(colors, ''))]
  const isSecret = [shown, bare].some((one) => secretRanges(secrets, one).length > 0)
  const safe = mask(secrets, bare)
  // Colours within a secret hide it from the search, and nobody from reading it.
  return isSecret && masked.replace(colors, '') !== safe ? harmless(safe) : withColors(masked)
}

/** Where in the line the characters are that will be seen: without sequences, the last of which may be incomplete. */
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

/** Where a line that is too long may be cut: never within a secret, nor within one that may be only beginning. */
const cutOf = (secrets: ReadonlyArray<string>, line: string): number => {
  const longest = secrets[0]?.length ?? 1
  const places = secrets.length === 0 ? [] : placesOf(line)
  const bare = places.map((place) => line[place]).join('')
  // What shows next to nothing is cut all the same.
  const cut = places[bare.length - longest] ?? line.length - longest
  const starts = [
    ...secretRanges(secrets, line),
    ...secretRanges(secrets, bare).map(([start, end]) => [places[start] ?? 0, (places[end - 1] ?? 0) + 1] as const),
  ].filter(([start, end]) => start < cut && cut < end)
  return starts.length === 0 ? cut : Math.min(...starts.map(([start]) => start))
}

/** `secrets` as {@link secretLines} gives them. Law: the lines do not depend on where the output was cut into pieces. */
export const assemble = (secrets: ReadonlyArray<string>, pending: Pending, piece: string): AssembledLines => {
  const [...complete] = (pending + piece).split('\n')
  let rest = complete.pop() ?? ''
  const lines = complete.map((line) => shownLine(secrets, line))
  // Of a progress bar that writes over itself for minutes only the last states are kept.
  if (rest.length > MAX_LENGTH) rest = rest.slice(rest.lastIndexOf('\r', rest.lastIndexOf('\r') - 1) + 1)
  while (rest.length > MAX_LENGTH) {
    const cut = cutOf(secrets, rest)
    if (cut <= 0) break
    lines.push(shownLine(secrets, rest.slice(0, cut)))
    rest = rest.slice(cut)
  }
  return { lines, pending: rest }
}

/** What stands there at the end without a line break. */
export const assembleRest = (secrets: ReadonlyArray<string>, pending: Pending): ReadonlyArray<string> =>
  pending === '' ? [] : [shownLine(secrets, pending)]
