/** What commands about development containers print as data. */
import * as t from 'io-ts'
import { at, listAt, textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { type DataOf, document, keys, oneOf } from '../print/document.ts'
import type { DevRecord } from './record.ts'

const DevelopedWorkload = keys({
  dev: [t.string, 'its name in the manifest'],
  kind: [t.string, 'kind of the workload'],
  name: [t.string, 'name of the workload'],
})
export type DevelopedWorkload = t.TypeOf<typeof DevelopedWorkload>

export const RestoredList = document('down', 'Workloads whose development was ended.', {
  restored: [t.readonlyArray(DevelopedWorkload), 'as they were before'],
  kept: [t.readonlyArray(DevelopedWorkload), 'developed by others, and left as they are'],
})
export type RestoredList = DataOf<typeof RestoredList>

export const RestartedList = document('restart', 'Development containers that were restarted.', {
  restarted: [t.readonlyArray(DevelopedWorkload), 'the development container and its services'],
})
export type RestartedList = DataOf<typeof RestartedList>

const DevState = oneOf('starting', 'running')

const DevStatus = keys({
  dev: [t.string, 'its name in the manifest'],
  kind: [t.string, 'kind of the workload'],
  name: [t.string, 'name of the workload'],
  state: [DevState, 'running: its container runs'],
  pod: [t.string, 'name of its pod, empty while there is none'],
  restarts: [t.number, 'how often its container was restarted'],
  reason: [t.string, 'why it is not running, or was restarted last'],
  user: [t.string, 'who develops it'],
  machine: [t.string, 'where'],
  since: [t.string, 'since when'],
})

export const DevStatusList = document('status', 'Development containers that are active.', {
  namespace: [t.string, 'namespace'],
  devs: [t.readonlyArray(DevStatus), 'by name'],
})
export type DevStatusList = DataOf<typeof DevStatusList>

const latest = (pods: ReadonlyArray<ClusterObject>): ClusterObject | undefined =>
  pods
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .toSorted((a, b) => ((a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? 1 : -1))[0]

/** `pods`: of its mirror. */
export const statusOf = (
  { container, dev, holder, since, workload }: DevRecord,
  pods: ReadonlyArray<ClusterObject>,
): t.TypeOf<typeof DevStatus> => {
  const pod = latest(pods)
  const status = listAt(pod, 'status', 'containerStatuses').find((one) => textAt(one, 'name') === container)
  const isRunning = at(status, 'state', 'running') !== undefined
  const restarts = at(status, 'restartCount')
  const reason = isRunning
    ? textAt(status, 'lastState', 'terminated', 'reason')
    : textAt(status, 'state', 'waiting', 'reason')
  return {
    dev,
    kind: workload.kind,
    name: workload.name,
    state: isRunning ? 'running' : 'starting',
    pod: pod?.metadata.name ?? '',
    restarts: typeof restarts === 'number' ? restarts : 0,
    reason: reason ?? '',
    user: holder.user,
    machine: holder.machine,
    since,
  }
}
