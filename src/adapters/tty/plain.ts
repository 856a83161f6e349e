/** Progress as plain lines: one per change of state, and from time to time what is still being waited for. */
import { buildText } from '../../domain/progress/build-lines.ts'
import { showDurations } from '../../domain/progress/durations.ts'
import { type BuildProgressEvent, buildStep } from '../../domain/progress/event.ts'
import { plainStep, scrolledText, stillLine } from '../../domain/progress/lines.ts'
import { type ProgressStep, type StepEvent, stepAfter } from '../../domain/progress/step.ts'
import { rowsAfter, type VertexRow } from '../../domain/progress/vertices.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Progress } from '../../ports/progress.ts'
import type { ScreenFrame } from './screen.ts'

type PlainOptions = {
  readonly clock: Pick<Clock, 'every' | 'now'>
  readonly stdout: ScreenFrame
  readonly stderr: ScreenFrame
}

/** Build logs are read on wide screens, or wrapped there. */
const columns = 200
const lookMs = 1000
const firstSilenceMs = 10_000
const longestSilenceMs = 60_000

/** After 10 s of silence, then less often: a log without new lines looks like a program that hangs. */
export const plainProgress = ({ clock, stderr, stdout }: PlainOptions): Progress => {
  const steps = new Map<string, ProgressStep>()
  const builds = new Map<string, ReadonlyArray<VertexRow>>()
  let [toldMs, silenceMs] = [clock.now(), firstSilenceMs]
  let stop: (() => void) | undefined

  const say = (text: string): void => {
    toldMs = clock.now()
    stderr.screen.write(text)
  }
  const breakSilence = (): void => {
    if (clock.now() - toldMs < silenceMs) return
    const line = stillLine([...steps.values()], clock.now())
    if (line === undefined) return
    silenceMs = Math.min(silenceMs * 2, longestSilenceMs)
    say(`${line}\n`)
  }
  const tellStep = (event: StepEvent): void => {
    const before = steps.get(event.id)
    const step = stepAfter(before, event)
    steps.set(event.id, step)
    stop ??= clock.every(lookMs, breakSilence)
    if (before?.state === step.state) return
    silenceMs = firstSilenceMs
    say(`${plainStep(step)}\n`)
  }
  const tellBuild = (event: BuildProgressEvent): void => {
    const id = buildStep(event.image)
    const rows = builds.get(id) ?? []
    builds.set(id, rowsAfter(rows, event))
    const before = event._tag === 'Lint' ? undefined : rows.find(({ vertex }) => vertex === event.vertex)
    const text = buildText(before, event, stderr.color)
    if (text !== '') say(text)
  }
  return {
    tell: (event) => {
      switch (event._tag) {
        case 'Step':
          return tellStep(event)
        case 'Output':
          return void stdout.screen.write(scrolledText(event, stdout.color))
        case 'Ended':
          return undefined
        case 'Said':
        case 'Found':
          return say(scrolledText(event, stderr.color))
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
      const look = { columns, color: stderr.color, nowMs: clock.now() }
      if (steps.size > 1) say(`${showDurations([...steps.values()], look).join('\n')}\n`)
      steps.clear()
      builds.clear()
    },
  }
}
