/** The part of the live display below the line of a build: its vertices, and the output of the running ones. */

import { harmless } from '../text/harmless.ts'
import { displayWidth } from '../text/visible.ts'
import { type ProgressStyle, signs } from './look.ts'
import type { ProgressStep } from './step.ts'
import { cut, paint, showDuration, showElapsed } from './text.ts'
import { lastLines, type VertexRow, vertexMs } from './vertices.ts'

/** Keyed by the step they belong to. */
export type Builds = ReadonlyMap<string, ReadonlyArray<VertexRow>>

/** Vertices outside the Dockerfile are shown only when they take long. */
const longMs = 1000
const timeWidth = 'CACHED'.length
const lead = '  '
const tailIndent = ' '.repeat(lead.length + 2 + timeWidth + 2)

/** `isBusy`: the running vertex is among the lines, so the line above need not repeat it. */
export type Below = { readonly lines: ReadonlyArray<string>; readonly isBusy: boolean }

/** A line that is shown if there is room; the lowest `rank` first. */
type RegionLine = {
  readonly step: string
  readonly rank: number
  readonly line: (look: ProgressStyle) => string
  readonly isBusy: boolean
}

const timeOf = (row: VertexRow, nowMs: number): string => {
  const ms = vertexMs(row, nowMs)
  switch (row.state) {
    case 'Waiting':
    case 'Skipped':
      return ''
    case 'Running':
      return ms < 1000 ? '' : showElapsed(ms)
    case 'Failed':
      return 'ERROR'
    case 'Done':
      return row.isCached ? 'CACHED' : showDuration(ms)
  }
}

const rowLine =
  (row: VertexRow) =>
  ({ color, columns, nowMs }: ProgressStyle): string => {
    const { sign, style } = signs[row.state]
    const time = timeOf(row, nowMs).padStart(timeWidth)
    const name = row.detail === '' ? row.name : `${row.name}: ${row.detail}`
    const moved = row.moved === '' ? '' : `  ${row.moved}`
    const room = columns - lead.length - 2 - timeWidth - 2
    const spare = room - displayWidth(moved)
    const text = spare < 10 ? cut(name, room) : cut(name, spare) + moved
    if (room < 4) return cut(`${lead}${sign} ${row.name}`, columns)
    const shade = row.state === 'Running' ? '' : row.state === 'Failed' ? style : '2'
    const rest = `${time}  ${text}`.trimEnd()
    return `${lead}${paint(color, style, sign)} ${shade === '' ? rest : paint(color, shade, rest)}`
  }

/** Colours in the output are removed: log lines are dim, so that the steps stand out. */
const tailLine =
  (text: string) =>
  ({ color, columns }: ProgressStyle): string => {
    const indent = columns < 3 * tailIndent.length ? lead : tailIndent
    const line = cut(harmless(text.replaceAll('\t', '    '), false), columns - indent.length)
    return line === '' ? '' : `${indent}${paint(color, '2', line)}`
  }

/** A vertex outside the Dockerfile is covered by the line of the build, unless that shows another one. */
const isShown = (step: ProgressStep, row: VertexRow, hasOwn: boolean, nowMs: number): boolean => {
  if (row.state === 'Failed') return true
  if (step.state !== 'Running') return false
  return row.isNumbered || (vertexMs(row, nowMs) >= longMs && (hasOwn || row.state !== 'Running'))
}

/** Failed and running vertices first, then their output: the last line of each before the lines before it. */
const wishesOf = (step: ProgressStep, rows: ReadonlyArray<VertexRow>, nowMs: number): ReadonlyArray<RegionLine> => {
  const hasOwn = rows.some(({ isNumbered, state }) => isNumbered && state === 'Running')
  return rows
    .filter((row) => isShown(step, row, hasOwn, nowMs))
    .flatMap((row, index, shown): ReadonlyArray<RegionLine> => {
      const isOver = row.state === 'Done' || row.state === 'Skipped'
      const rank = row.state === 'Failed' ? 0 : isOver ? 10 + shown.length - index : 1
      const tail = isOver ? [] : lastLines(row)
      return [
        { step: step.id, rank, line: rowLine(row), isBusy: row.state === 'Running' },
        ...tail.map((text, at): RegionLine => {
          return { step: step.id, rank: 1 + tail.length - at, line: tailLine(text), isBusy: false }
        }),
      ]
    })
}

/** At most `room` lines in all, keyed by the step they are shown below. */
export const showBuilds = (
  steps: ReadonlyArray<ProgressStep>,
  builds: Builds,
  room: number,
  look: ProgressStyle,
): ReadonlyMap<string, Below> => {
  const open = steps.filter(({ state }) => state === 'Running' || state === 'Failed')
  const wishes = open.flatMap((step) => wishesOf(step, builds.get(step.id) ?? [], look.nowMs))
  const kept = new Set(wishes.toSorted((a, b) => a.rank - b.rank).slice(0, Math.max(0, room)))
  const granted = wishes.filter((wish) => kept.has(wish))
  return new Map(
    open.map(({ id }) => {
      const own = granted.filter(({ step }) => step === id)
      return [id, { lines: own.map(({ line }) => line(look)), isBusy: own.some(({ isBusy }) => isBusy) }]
    }),
  )
}
