/**
 * `logs`: lines with their labels, or as JSON. Log output cannot control the terminal, and colours end with their line.
 */
import type { LogDocument } from '../../domain/logs/document.ts'
import { isJsonObject, type JsonLine, type Member, readJsonLine, textOf } from '../../domain/logs/json-line.ts'
import type { LogLine, LogSource } from '../../domain/logs/line.ts'
import type { Timed } from '../../domain/logs/merge.ts'
import { inertJson, printJson } from '../../domain/print/json.ts'
import { paint } from '../../domain/progress/text.ts'
import { harmless } from '../../domain/text/harmless.ts'
import { withoutCommands } from '../../domain/text/printable.ts'
import { visible } from '../../domain/text/visible.ts'

/** `isRaw`: lines that are JSON are printed unchanged. */
export type Look = {
  readonly form: 'text' | 'json'
  readonly isRaw: boolean
  readonly isColored: boolean
  readonly hasTimes: boolean
}

/** `web web-5d4f/web`: unique for each source. */
const labelOf = ({ container, pod, service }: LogSource): string =>
  `${visible(service)} ${visible(pod)}/${visible(container)}`

/** Foreground colours readable on dark and on light backgrounds; red is reserved for errors. */
const palette = ['36', '32', '33', '35', '34', '96', '92', '93', '95', '94'] as const

const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  return hash
}

/**
 * The SGR parameters of each service: derived from its name, so the same in every run, unless a service earlier in the
 * alphabet has the same colour while others are free.
 */
export const colorsOf = (services: Iterable<string>): ReadonlyMap<string, string> => {
  const colors = new Map<string, string>()
  const taken = new Set<number>()
  for (const service of [...new Set(services)].toSorted()) {
    let slot = hashOf(service) % palette.length
    if (taken.size < palette.length) while (taken.has(slot)) slot = (slot + 1) % palette.length
    taken.add(slot)
    colors.set(service, palette[slot] ?? palette[0])
  }
  return colors
}

/** The prefix of a line, if there are several services. */
export const sourceLabel = (name: string, all: ReadonlyArray<string>, isColored: boolean): string => {
  const width = all.reduce((widest, one) => Math.max(widest, visible(one).length), 0)
  return `${paint(isColored, colorsOf(all).get(name) ?? palette[0], `${visible(name).padEnd(width)} |`)} `
}

const BARE = /^[^\s"=\u0000-\u001f\u007f-\u009f]+$/

const showMember = ({ key, raw }: Member): string => {
  const name = BARE.test(key) ? key : JSON.stringify(key)
  const text = raw.startsWith('"') ? textOf(raw) : undefined
  return `${name}=${text === undefined ? raw : BARE.test(text) ? text : JSON.stringify(text)}`
}

const levelStyles: ReadonlyArray<readonly [RegExp, string]> = [
  [/^(?:ERROR|FATAL|CRIT|PANIC|EMERG|ALERT|SEVERE)/, '31'],
  [/^WARN/, '33'],
  [/^(?:DEBUG|TRACE|VERBOSE|FINE)/, '2'],
]

const showLevel = (level: string, isColored: boolean): string => {
  const style = levelStyles.find(([form]) => form.test(level))?.[1]
  return style === undefined ? level : paint(isColored, style, level)
}

/** `time LEVEL message key=value …`: one line, unless the message has several. */
const showJson = ({ level = '', message, rest, time }: JsonLine, isColored: boolean): string =>
  [time, showLevel(level, isColored), message, ...rest.map(showMember)]
    .filter((part) => part !== undefined && part !== '')
    .join(' ')

const bodyOf = (text: string, { isColored, isRaw }: Look): ReadonlyArray<string> => {
  const json = isRaw ? undefined : readJsonLine(text)
  if (json === undefined) return [harmless(text, isColored)]
  return showJson(json, isColored)
    .split(/\r?\n/)
    .map((line) => harmless(line, isColored))
}

/** Fields are printed as they were written, so that numbers keep all digits. */
const showData = ({ container, pod, service }: LogSource, { text, time }: LogLine, isRaw: boolean): string => {
  const known: { readonly schema: 1 } & Omit<LogDocument, 'fields'> = { schema: 1, time, service, pod, container }
  const start = printJson(known, 0).slice(0, -2)
  return !isRaw && isJsonObject(text)
    ? `${start},"fields":${inertJson(text.trim().replace(/[\t\r\n]/g, ' '))}}\n`
    : `${start},"message":${printJson(text, 0).trimEnd()}}\n`
}

/** `show` receives whole lines. The labels of `sources` are aligned from the first line on. */
export type LogView = {
  readonly sources: (known: ReadonlyArray<LogSource>) => void
  readonly show: (lines: ReadonlyArray<Timed<LogSource>>) => string
}

const dataView = ({ isRaw }: Look): LogView => ({
  sources: () => {},
  show: (lines) => lines.map(({ line, of }) => showData(of, line, isRaw)).join(''),
})

const textView = (look: Look): LogView => {
  const { hasTimes, isColored } = look
  let colors: ReadonlyMap<string, string> = new Map()
  let width = 0
  const labels = new WeakMap<LogSource, string>()
  const sources = (known: ReadonlyArray<LogSource>): void => {
    for (const source of known) {
      const label = labelOf(source)
      labels.set(source, label)
      width = Math.max(width, label.length)
    }
    if (known.every(({ service }) => colors.has(service))) return
    // Lines keep their own colours.
    colors = new Map([...colorsOf([...colors.keys(), ...known.map(({ service }) => service)]), ...colors])
  }
  const showLine = ({ line, of }: Timed<LogSource>): string => {
    if (!labels.has(of)) sources([of])
    const label = `${(labels.get(of) ?? '').padEnd(width)} |`
    const left = `${paint(isColored, colors.get(of.service) ?? palette[0], label)} `
    const time = hasTimes && line.time !== '' ? `${line.time} ` : ''
    return bodyOf(line.text, look)
      .map((body) => `${left}${time}${body}\n`)
      .join('')
  }
  return { sources, show: (lines) => withoutCommands(lines.map(showLine).join('')) }
}

/** Law: total, and without control characters except tabs, line breaks and complete colour sequences. */
export const logView = (look: Look): LogView => (look.form === 'json' ? dataView(look) : textView(look))
