/** What `namespace sleep` and `namespace wake` print as data. */
import * as t from 'io-ts'
import { type DataOf, document } from '../print/document.ts'

const namespace = [t.string, 'the namespace'] as const
const workloads = [t.readonlyArray(t.string), 'those that were scaled, as `Kind/name`'] as const

export const SleepChange = document('namespace sleep', 'What was stopped in a namespace.', { namespace, workloads })
export type SleepChange = DataOf<typeof SleepChange>

export const WakeChange = document('namespace wake', 'What was started again in a namespace.', {
  namespace,
  wasAsleep: [t.boolean, 'whether it slept; otherwise there was nothing to do'],
  workloads,
})
export type WakeChange = DataOf<typeof WakeChange>
