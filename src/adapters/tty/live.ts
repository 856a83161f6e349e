/**
 * Progress as a region at the bottom of a terminal, repainted at most ten times a second. Other output scrolls above
 * it. The cursor is never hidden and stays below the region: however the process ends, the terminal is left in order.
 */

import { showDurations } from '../../domain/progress/durations.ts'
import { type BuildProgressEvent, buildStep, type Scrolled } from '../../domain/progress/event.ts'
import { scrolledText } from '../../domain/progress/lines.ts'
import { erasing, repainting } from '../../domain/progress/painted.ts'
import { showRegion } from '../../domain/progress/region.ts'
import { type ProgressStep, type StepEvent, stepAfter } from '../../domain/progress/step.ts'
import { rowsAfter, type VertexRow } from '../../domain/progress/vertices.ts'
import { withoutCommands } from '../../domain/text/printable.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Progress } from '../../ports/progress.ts'
import type { ScreenFrame } from './screen.ts'

type LiveOptions = {
  readonly clock: Pick<Clock, 'every' | 'now'>
  readonly onExit: (f: () => void) => void
  readonly stdout: ScreenFrame
  readonly stderr: ScreenFrame
}

const paintMs = 100

export const liveProgress = ({ clock, onExit, stderr, stdout }: LiveOptions): Progress => {
  const steps = new Map<string, ProgressStep>()
  const builds = new Map<string, ReadonlyArray<VertexRow>>()
  let painted: ReadonlyArray<string> = []
  let queued: Array<Scrolled> = []
  let stop: (() => void) | undefined
  let isGuarded = false

  const columns = (): number => stderr.screen.columns || 80
  const write = (event: Scrolled): void => {
    const shown = event._tag === 'Output' ? stdout : stderr
    shown.screen.write(withoutCommands(scrolledText(event, shown.color)))
  }
  const replace = (lines: ReadonlyArray<string>): void => {
    const before = painted
    const events = queued
    queued = []
    painted = lines
    if (events.length === 0) return void stderr.screen.write(repainting(before, lines, columns()))
    if (before.length > 0) stderr.screen.write(erasing(before, columns()))
    events.forEach(write)
    if (lines.length > 0) stderr.screen.write(repainting([], lines, columns()))
  }
  const paint = (): void => {
    const size = { columns: columns(), rows: stderr.screen.rows || 24 }
    const lines = showRegion([...steps.values()], { ...size, color: stderr.color, nowMs: clock.now() }, builds)
    const isSame = lines.length === painted.length && lines.every((line, index) => line === painted[index])
    if (!isSame || queued.length > 0) replace(lines)
  }
  const begin = (): void => {
    stop ??= clock.every(paintMs, paint)
    if (!isGuarded) onExit(() => queued.splice(0).forEach(write))
    isGuarded = true
  }
  const tellStep = (event: StepEvent): void => {
    steps.set(event.id, stepAfter(steps.get(event.id), event))
    if (event.state === 'Done') builds.delete(event.id)
    begin()
  }
  const tellBuild = (event: BuildProgressEvent): void => {
    const id = buildStep(event.image)
    if (steps.get(id)?.state !== 'Done') builds.set(id, rowsAfter(builds.get(id) ?? [], event))
  }
  const scroll = (event: Scrolled): void => {
    if (painted.length === 0 || (event._tag === 'Output' && !stdout.isTerminal)) write(event)
    else queued.push(event)
  }
  return {
    tell: (event) => {
      switch (event._tag) {
        case 'Step':
          return tellStep(event)
        case 'Ended':
          return undefined
        case 'Said':
        case 'Found':
        case 'Output':
          return scroll(event)
        case 'Vertex':
        case 'Log':
        case 'Transfer':
        case 'Lint':
          return tellBuild(event)
      }
    },
    end: () => {
      stop?.()
      stop = undefined
      const look = { columns: columns() - 1, color: stderr.color, nowMs: clock.now() }
      const lines = showDurations([...steps.values()], look)
      steps.clear()
      builds.clear()
      if (painted.length > 0 || lines.length > 0 || queued.length > 0) replace(lines)
      painted = []
    },
  }
}
