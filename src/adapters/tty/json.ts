/** Progress as JSON lines, one per change, for programs. */
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { RunEnd } from '../../domain/progress/event.ts'
import { buildJson, durationsJson, endJson, scrolledJson, stepJson } from '../../domain/progress/json.ts'
import { isSamePhase, type ProgressStep, type StepEvent, stepAfter } from '../../domain/progress/step.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Progress } from '../../ports/progress.ts'
import type { ScreenFrame } from './screen.ts'

export const jsonProgress = ({
  clock,
  onExit,
  stderr,
}: {
  readonly clock: Pick<Clock, 'now'>
  readonly onExit: (f: (status: number) => void) => void
  readonly stderr: ScreenFrame
}): Progress => {
  const startMs = clock.now()
  const steps = new Map<string, ProgressStep>()
  const found: Array<Diagnostic> = []
  let toldSteps = 0
  let hasEnded = false
  const { screen } = stderr
  const tellStep = (event: StepEvent): void => {
    const before = steps.get(event.id)
    const step = stepAfter(before, event)
    if (step === before) return
    steps.set(event.id, step)
    // A running count is reported by the transfers.
    if (before === undefined || !isSamePhase(before, step)) screen.write(stepJson(step, event.atMs))
  }
  const tellEnd = (end: RunEnd): void => {
    if (hasEnded) return
    hasEnded = true
    const nowMs = clock.now()
    const all = { ...end, findings: [...found, ...end.findings] }
    screen.write(endJson(all, [...steps.values()], { nowMs, startMs }))
  }
  // A second Ctrl-C ends the process at once.
  onExit((exitStatus) => tellEnd({ exitStatus, findings: [] }))
  return {
    tell: (event) => {
      switch (event._tag) {
        case 'Step':
          return tellStep(event)
        case 'Found':
          found.push(event.diagnostic)
          return void screen.write(scrolledJson(event))
        case 'Said':
        case 'Output':
          return void screen.write(scrolledJson(event))
        case 'Ended':
          return tellEnd(event)
        case 'Vertex':
        case 'Log':
        case 'Transfer':
        case 'Lint': {
          const line = buildJson(event)
          return line === undefined ? undefined : void screen.write(line)
        }
      }
    },
    end: () => {
      if (steps.size > toldSteps) screen.write(durationsJson([...steps.values()], clock.now()))
      toldSteps = steps.size
    },
  }
}
