/** Progress as JSON lines, one per change, for programs. */
import { buildJson, durationsJson, scrolledJson, stepJson } from '../../domain/progress/json.ts'
import { isSamePhase, type ProgressStep, type StepEvent, stepAfter } from '../../domain/progress/step.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Progress } from '../../ports/progress.ts'
import type { ScreenFrame } from './screen.ts'

export const jsonProgress = ({
  clock,
  stderr,
}: {
  readonly clock: Pick<Clock, 'now'>
  readonly stderr: ScreenFrame
}): Progress => {
  const steps = new Map<string, ProgressStep>()
  const { screen } = stderr
  const tellStep = (event: StepEvent): void => {
    const before = steps.get(event.id)
    const step = stepAfter(before, event)
    if (step === before) return
    steps.set(event.id, step)
    // A running count is reported by the transfers.
    if (before === undefined || !isSamePhase(before, step)) screen.write(stepJson(step, event.atMs))
  }
  return {
    tell: (event) => {
      switch (event._tag) {
        case 'Step':
          return tellStep(event)
        case 'Said':
        case 'Found':
        case 'Output':
          return void screen.write(scrolledJson(event))
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
      if (steps.size > 0) screen.write(durationsJson([...steps.values()], clock.now()))
      steps.clear()
    },
  }
}
