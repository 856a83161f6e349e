/** `namespace sleep` and `namespace wake`. */
import type { SleepChange, WakeChange } from '../../app/sleep/sleep.ts'
import { listed } from '../../domain/text/listed.ts'
import type { RenderedView } from './view.ts'

export const showSlept = ({ namespace, workloads }: SleepChange): RenderedView => ({
  said: [
    workloads.length === 0
      ? `namespace ${namespace} sleeps; nothing was running there`
      : `namespace ${namespace} sleeps: ${listed(workloads)} stopped; \`devtool namespace wake ${namespace}\` starts everything again`,
  ],
})

export const showWoken = ({ namespace, wasAsleep, workloads }: WakeChange): RenderedView => {
  if (!wasAsleep) return { said: [`namespace ${namespace} does not sleep`] }
  const started = workloads.length === 0 ? 'there was nothing to start' : `${listed(workloads)} started`
  return { said: [`namespace ${namespace} is awake: ${started}`] }
}
