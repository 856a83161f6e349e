/** Lines of logs as they are printed. What a program wrote never drives the terminal, and colours end with their line. */

import { printJson } from '../print/json.ts'
import { harmless } from '../text/harmless.ts'
import { visible } from '../text/visible.ts'
import { readJsonLine, showJsonLine } from './json-line.ts'

export type Source = { readonly service: string; readonly pod: string; readonly container: string }

/** `time` as the server wrote it, '' when it did not. */
export type LogLine = { readonly time: string; readonly text: string }

/** `isRaw`: lines that are JSON stay as they are. */
export type Look = {
  readonly form: 'text' | 'json'
  readonly isRaw: boolean
  readonly isColored: boolean
  readonly hasTimes: boolean
}

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/

/** A line that was asked for with its timestamp. */
export const splitTime = (line: string): LogLine => {
  const end = line.indexOf(' ')
  const time = end === -1 ? line : line.slice(0, end)
  return TIME.test(time) ? { time, text: end === -1 ? '' : line.slice(end + 1) } : { time: '', text: line }
}

/** `web web-5d4f/web`, of which no two sources have the same. */
export const labelOf = ({ container, pod, service }: Source): string =>
  `${visible(service)} ${visible(pod)}/${visible(container)}`

/** Foreground colours that can be read on dark and on light; red is left to errors. */
const palette = ['36', '32', '33', '35', '34', '96', '92', '93', '95', '94'] as const

const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  return hash
}

/**
 * SGR parameters of each service: the same for a name in every run, but for services that would share one with another
 * before them in the alphabet while others are free.
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

/** `width`: that of the widest label. */
export type Margin = { readonly label: string; readonly width: number; readonly color: string }

const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g

/** JSON as the program wrote it, in which only texts can hold controls. */
const inert = (json: string): string =>
  json.replace(CONTROLS, (char) => (/\s/.test(char) ? ' ' : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`))

/** One object a line: `fields` when the program wrote a JSON object, else `message`. */
const showData = ({ container, pod, service }: Source, { text, time }: LogLine, isRaw: boolean): string => {
  const known = printJson({ schema: 1, time, service, pod, container }, 0).slice(0, -2)
  const isFields = !isRaw && readJsonLine(text) !== undefined
  return isFields
    ? `${known},"fields":${inert(text.trim())}}\n`
    : `${known},"message":${printJson(text, 0).trimEnd()}}\n`
}

const bodyOf = (text: string, { isColored, isRaw }: Look): ReadonlyArray<string> => {
  const json = isRaw ? undefined : readJsonLine(text)
  if (json === undefined) return [harmless(text, isColored)]
  return showJsonLine(json, isColored)
    .split(/\r?\n/)
    .map((line) => harmless(line, isColored))
}

/** Ends with a line break. Law: total, and without control characters but tabs, the last break and whole colours. */
export const showLine = (look: Look, source: Source, margin: Margin, line: LogLine): string => {
  if (look.form === 'json') return showData(source, line, look.isRaw)
  const label = margin.label.padEnd(margin.width)
  const left = look.isColored ? `\u001b[${margin.color}m${label} |\u001b[0m ` : `${label} | `
  const time = look.hasTimes && line.time !== '' ? `${line.time} ` : ''
  return bodyOf(line.text, look)
    .map((body) => `${left}${time}${body}\n`)
    .join('')
}
