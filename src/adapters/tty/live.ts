/**
 * Progress as a region at the bottom of a terminal, painted anew at most ten times a second. What is said meanwhile scrolls
 * above it. The cursor is never hidden and rests below the region: however the process ends, the terminal is as it was.
 */
import { displayWidth } from '../../domain/diagnostic/visible.ts'
import { showDurations } from '../../domain/progress/durations.ts'
import type { ProgressEvent } from '../../domain/progress/event.ts'
import { scrolledText } from '../../domain/progress/lines.ts'
import { showRegion } from '../../domain/progress/region.ts'
import { type Step, stepAfter } from '../../domain/progress/step.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Progress } from '../../ports/progress.ts'
import type { Every, Shown } from './screen.ts'

type LiveOptions = {
  readonly clock: Pick<Clock, 'now'>
  readonly every: Every
  readonly onExit: (f: () => void) => void
  readonly stdout: Shown
  readonly stderr: Shown
}

const paintMs = 100

const SGR = /\u001b\[[\d;]*m/g

/** Rows that lines take in a terminal that may have become narrower since they were written. */
const rowsOf = (lines: ReadonlyArray<string>, columns: number): number =>
  lines.reduce((rows, line) => rows + Math.max(1, Math.ceil(displayWidth(line.replace(SGR, '')) / columns)), 0)

/** Back to the first row, and nothing below it. */
const erasing = (rows: number): string => (rows === 0 ? '' : `\u001b[${rows}A\r\u001b[J`)

type Scrolled = Exclude<ProgressEvent, { readonly _tag: 'Step' }>

export const liveProgress = ({ clock, every, onExit, stderr, stdout }: LiveOptions): Progress => {
  const steps = new Map<string, Step>()
  let painted: ReadonlyArray<string> = []
  let queued: Array<Scrolled> = []
  let stop: (() => void) | undefined
  let isGuarded = false

  const columns = (): number => stderr.screen.columns || 80
  const write = (event: Scrolled): void => {
    const shown = event._tag === 'Output' ? stdout : stderr
    shown.screen.write(scrolledText(event, shown.color))
  }
  const replace = (lines: ReadonlyArray<string>): void => {
    const erase = erasing(rowsOf(painted, columns()))
    const events = queued
    queued = []
    const text = lines.map((line) => `${line}\n`).join('')
    painted = lines
    if (events.length === 0) return void stderr.screen.write(erase + text)
    if (erase !== '') stderr.screen.write(erase)
    events.forEach(write)
    if (text !== '') stderr.screen.write(text)
  }
  const paint = (): void => {
    const size = { columns: columns(), rows: stderr.screen.rows || 24 }
    const lines = showRegion([...steps.values()], { ...size, color: stderr.color, nowMs: clock.now() })
    const isSame = lines.length === painted.length && lines.every((line, index) => line === painted[index])
    if (!isSame || queued.length > 0) replace(lines)
  }
  const begin = (): void => {
    stop ??= every(paintMs, paint)
    if (!isGuarded) onExit(() => queued.splice(0).forEach(write))
    isGuarded = true
  }
  return {
    tell: (event) => {
      if (event._tag === 'Step') {
        steps.set(event.id, stepAfter(steps.get(event.id), event))
        begin()
      } else if (painted.length === 0 || (event._tag === 'Output' && !stdout.isTerminal)) write(event)
      else queued.push(event)
    },
    end: () => {
      stop?.()
      stop = undefined
      const look = { columns: columns() - 1, color: stderr.color, nowMs: clock.now() }
      const lines = showDurations([...steps.values()], look)
      steps.clear()
      if (painted.length > 0 || lines.length > 0 || queued.length > 0) replace(lines)
      painted = []
    },
  }
}
