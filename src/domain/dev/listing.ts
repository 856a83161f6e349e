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
  others: [t.readonlyArray(DevelopedWorkload), 'active in the namespace, but not meant'],
  claims: [t.readonlyArray(t.string), 'PersistentVolumeClaims of development that had ended before, which are deleted'],
})
export type RestoredList = DataOf<typeof RestoredList>

export const RestartedList = document('restart', 'Development containers that were restarted.', {
  restarted: [t.readonlyArray(DevelopedWorkload), 'the development container and its services'],
})
export type RestartedList = DataOf<typeof RestartedList>

const DevState = oneOf('starting', 'running')

const DevConnection = oneOf('terminal', 'background', 'none', 'elsewhere')
export type DevConnection = t.TypeOf<typeof DevConnection>

const SyncInfo = keys({
  local: [t.string, 'page of the end on this machine'],
  remote: [t.string, 'page of the end in the container, served on this machine'],
  username: [t.string, 'for both pages'],
  password: [t.string, 'for both pages'],
})

const FolderStatus = keys(
  {
    local: [t.string, 'the folder of this machine'],
    remote: [t.string, 'the folder in the container'],
    percent: [t.number, 'how much of it is the same at both ends; 100 when nothing is left to be done'],
    conflicts: [t.readonlyArray(t.string), 'conflict copies that are still there'],
    problems: [t.readonlyArray(t.string), 'what is not synchronised, and why'],
  },
  {
    question: [t.string, 'deletions that wait for `devtool sync allow` or `devtool sync refuse`'],
    info: [SyncInfo, 'with `--info`: where both ends show what they did'],
  },
)
export type FolderStatus = t.TypeOf<typeof FolderStatus>

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
  session: [
    DevConnection,
    'what is connected: `up` in a terminal, a process in the background, nothing, or something on another machine',
  ],
  folders: [t.readonlyArray(FolderStatus), 'folders that a session on this machine synchronises'],
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

/** Reasons that a kubelet reports before a container runs, and for a moment longer. */
const creating: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing'])

/**
 * Whether the container is being created, or runs already without the cluster showing it yet: only its agent can tell.
 */
export const isUncertain = ({ pod, reason, state }: ReturnType<typeof statusOf>): boolean =>
  state === 'starting' && pod !== '' && creating.has(reason)

/** `pods`: those of the mirror. `answers`: the agent responds, so the container runs. */
export const statusOf = (
  { container, dev, holder, since, workload }: DevRecord,
  pods: ReadonlyArray<ClusterObject>,
  answers = false,
): Omit<t.TypeOf<typeof DevStatus>, 'folders' | 'session'> => {
  const pod = latest(pods)
  const status = listAt(pod, 'status', 'containerStatuses').find((one) => textAt(one, 'name') === container)
  const isRunning = answers || at(status, 'state', 'running') !== undefined
  const restarts = at(status, 'restartCount')
  const limit = textAt(
    listAt(pod, 'spec', 'containers').find((one) => textAt(one, 'name') === container),
    ...['resources', 'limits', 'memory'],
  )
  const ended = textAt(status, 'lastState', 'terminated', 'reason')
  const last = ended === 'OOMKilled' && limit !== undefined ? `OOMKilled at its memory limit of ${limit}` : ended
  const reason = isRunning ? last : (textAt(status, 'state', 'waiting', 'reason') ?? last)
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
