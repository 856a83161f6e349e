/** Progress as JSON lines, one a change, for programs. */
import { durationsJson, scrolledJson, stepJson } from '../../domain/progress/json.ts'
import { type Step, stepAfter } from '../../domain/progress/step.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Progress } from '../../ports/progress.ts'
import type { Shown } from './screen.ts'

export const jsonProgress = ({
  clock,
  stderr,
}: {
  readonly clock: Pick<Clock, 'now'>
  readonly stderr: Shown
}): Progress => {
  const steps = new Map<string, Step>()
  const { screen } = stderr
  return {
    tell: (event) => {
      if (event._tag !== 'Step') return void screen.write(scrolledJson(event))
      const before = steps.get(event.id)
      const step = stepAfter(before, event)
      if (step === before) return
      steps.set(event.id, step)
      screen.write(stepJson(step, event.atMs))
    },
    end: () => {
      if (steps.size > 0) screen.write(durationsJson([...steps.values()], clock.now()))
      steps.clear()
    },
  }
}
