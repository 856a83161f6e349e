/** Progress as lines that stay: one a change of state, and now and then what is still waited for. */

import { showDurations } from '../../domain/progress/durations.ts'
import { plainStep, scrolledText, stillLine } from '../../domain/progress/lines.ts'
import type { StepEvent } from '../../domain/progress/step.ts'
import { type Step, stepAfter } from '../../domain/progress/step.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Progress } from '../../ports/progress.ts'
import type { Every, Shown } from './screen.ts'

type PlainOptions = {
  readonly clock: Pick<Clock, 'now'>
  readonly every: Every
  readonly stdout: Shown
  readonly stderr: Shown
}

/** Logs of a build are read on wide screens, or are wrapped there. */
const columns = 200
const lookMs = 1000
const firstSilenceMs = 10_000
const longestSilenceMs = 60_000

/** Silence is broken after 10 s, then more rarely: a log that stands still looks like a program that does. */
export const plainProgress = ({ clock, every, stderr, stdout }: PlainOptions): Progress => {
  const steps = new Map<string, Step>()
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
    stop ??= every(lookMs, breakSilence)
    if (before?.state === step.state) return
    silenceMs = firstSilenceMs
    say(`${plainStep(step)}\n`)
  }
  return {
    tell: (event) => {
      if (event._tag === 'Step') tellStep(event)
      else if (event._tag === 'Output') stdout.screen.write(scrolledText(event, stdout.color))
      else say(scrolledText(event, stderr.color))
    },
    end: () => {
      stop?.()
      stop = undefined
      const look = { columns, color: stderr.color, nowMs: clock.now() }
      if (steps.size > 1) say(`${showDurations([...steps.values()], look).join('\n')}\n`)
      steps.clear()
    },
  }
}
