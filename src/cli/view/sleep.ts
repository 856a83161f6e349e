/** `namespace sleep` and `namespace wake`. */
import { SleepChange, WakeChange } from '../../domain/sleep/listing.ts'
import { listed } from '../../domain/text/listed.ts'
import type { DataForm } from '../flags/forms.ts'
import { isData, printData } from './data.ts'
import type { RenderedView } from './view.ts'

export const showSlept = (form: DataForm, change: SleepChange): RenderedView => {
  if (isData(form)) return { output: printData(form, SleepChange, change) }
  const { namespace, workloads } = change
  return {
    said: [
      workloads.length === 0
        ? `namespace ${namespace} sleeps; nothing was running there`
        : `namespace ${namespace} sleeps: ${listed(workloads)} stopped; \`devtool namespace wake ${namespace}\` starts everything again`,
    ],
  }
}

export const showWoken = (form: DataForm, change: WakeChange): RenderedView => {
  if (isData(form)) return { output: printData(form, WakeChange, change) }
  const { namespace, wasAsleep, workloads } = change
  if (!wasAsleep) return { said: [`namespace ${namespace} does not sleep`] }
  const started = workloads.length === 0 ? 'there was nothing to start' : `${listed(workloads)} started`
  return { said: [`namespace ${namespace} is awake: ${started}`] }
}
