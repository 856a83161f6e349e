/** Log lines that are JSON objects: the common members, and the rest. Numbers are kept as written. */

import * as E from 'fp-ts/lib/Either.js'
import { defined } from '../object/defined.ts'
import { showMoment } from '../text/moment.ts'

/** `raw` is the value as written in the line. */
export type Member = { readonly key: string; readonly raw: string }

/**
 * `time`, `level` and `message` as texts, when the line has them under a common name; `rest` in the order of the line.
 */
export type JsonLine = {
  readonly time?: string
  readonly level?: string
  readonly message?: string
  readonly rest: ReadonlyArray<Member>
}

/** Longer lines are data, not messages. */
const LONGEST = 256 * 1024

const parsed = (text: string): unknown =>
  E.toUnion(
    E.tryCatch(
      (): unknown => JSON.parse(text),
      () => undefined,
    ),
  )

/** The index after the closing quote of the string that begins at `start`. */
const afterString = (text: string, start: number): number => {
  for (let from = start + 1; ; ) {
    const end = text.indexOf('"', from)
    if (end === -1) return text.length
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === 92) backslashes += 1
    if (backslashes % 2 === 0) return end + 1
    from = end + 1
  }
}

const [QUOTE, COMMA] = [34, 44]
const isOpening = (code: number): boolean => code === 123 || code === 91
const isClosing = (code: number): boolean => code === 125 || code === 93

/** The end of the value that begins at `start`: the comma or bracket that follows it. */
const afterValue = (text: string, start: number): number => {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = afterString(text, at) - 1
    else if (isOpening(code)) depth += 1
    else if (depth === 0 && (code === COMMA || isClosing(code))) return at
    else if (isClosing(code)) depth -= 1
  }
  return text.length
}

/** The value of a JSON string, or the text itself if it is something else. */
export const textOf = (raw: string): string => {
  if (!raw.startsWith('"')) return raw
  if (!raw.includes('\\')) return raw.slice(1, -1)
  const text = parsed(raw)
  return typeof text === 'string' ? text : raw
}

/** The members of a text that is known to be a JSON object. */
const membersOf = (text: string): ReadonlyArray<Member> => {
  const members: Array<Member> = []
  for (let at = text.indexOf('"'); at !== -1; ) {
    const end = afterString(text, at)
    const start = text.indexOf(':', end) + 1
    const next = afterValue(text, start)
    members.push({ key: textOf(text.slice(at, end)), raw: text.slice(start, next).trim() })
    at = text.charCodeAt(next) === COMMA ? text.indexOf('"', next) : -1
  }
  return members
}

/** Common names, in order of preference. */
const usual = {
  time: ['time', 'ts', 'timestamp', '@timestamp', 't', 'datetime'],
  level: ['level', 'lvl', 'severity', 'log.level', 'levelname', 'loglevel'],
  message: ['msg', 'message', 'event', 'log', 'text', '@message', '@m'],
}

const rankOf = (names: ReadonlyArray<string>): ReadonlyMap<string, number> =>
  new Map(names.map((name, rank) => [name, rank]))
const ranks = { time: rankOf(usual.time), level: rankOf(usual.level), message: rankOf(usual.message) }

const isScalar = ({ raw }: Member): boolean => !raw.startsWith('{') && !raw.startsWith('[')

/** The member with the most preferred name. */
const best = (members: ReadonlyArray<Member>, names: ReadonlyMap<string, number>): Member | undefined => {
  let [found, least]: [Member | undefined, number] = [undefined, Number.POSITIVE_INFINITY]
  for (const member of members) {
    const rank = names.get(member.key)
    if (rank !== undefined && rank < least && isScalar(member)) [found, least] = [member, rank]
  }
  return found
}

/** Numbers are seconds since 1970 or, if too large for that, milli-, micro- or nanoseconds. */
const timeOf = (raw: string): string => {
  const text = textOf(raw)
  if (raw.startsWith('"') || !/^\d{9,19}(?:\.\d+)?$/.test(raw)) return text
  const digits = raw.split('.')[0]?.length ?? 0
  const seconds = Number(raw) / (digits <= 11 ? 1 : digits <= 14 ? 1e3 : digits <= 17 ? 1e6 : 1e9)
  return showMoment({ seconds: Math.floor(seconds), nanos: Math.round((seconds % 1) * 1e3) * 1e6 })
}

/** Numeric levels of bunyan and pino. */
const levels: Readonly<Record<string, string>> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
  WARNING: 'WARN',
  ERR: 'ERROR',
  INFORMATION: 'INFO',
}

const levelOf = (raw: string): string => {
  const name = textOf(raw).toUpperCase()
  return Object.hasOwn(levels, name) ? (levels[name] ?? name) : name
}

/** Texts longer than a message do not count. */
export const isJsonObject = (text: string): boolean =>
  text.charCodeAt(0) === 123 && text.length <= LONGEST && text.trimEnd().endsWith('}') && parsed(text) !== undefined

/** `undefined` for what is not a JSON object. */
export const readJsonLine = (text: string): JsonLine | undefined => {
  if (!isJsonObject(text)) return undefined
  const members = membersOf(text.trimEnd())
  const [time, level, message] = [best(members, ranks.time), best(members, ranks.level), best(members, ranks.message)]
  return {
    ...defined({
      time: time && timeOf(time.raw),
      level: level && levelOf(level.raw),
      message: message && textOf(message.raw),
    }),
    rest: members.filter((member) => member !== time && member !== level && member !== message),
  }
}
