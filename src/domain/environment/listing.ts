/** Environments, and the services of one, as rows for tables and for programs. */
import * as t from 'io-ts'
import { at, listAt, numberAt, textAt } from '../cluster/json.ts'
import { type ClusterObject, labelOf, liveOf, type Observed } from '../cluster/live.ts'
import { workloadKinds } from '../cluster/resources.ts'
import { SERVICE_LABEL } from '../k8s/labels.ts'
import { type DataOf, document, keys, oneOf } from '../print/document.ts'
import { isPutToSleep, SLEEPING } from '../rollout/asleep.ts'
import { readRollout } from '../rollout/rollout.ts'
import { showAge } from '../text/moment.ts'
import { type EnvironmentRecord, lastDeploy } from './record.ts'

const EnvironmentRow = keys({
  name: [t.string, 'name of the environment'],
  status: [t.string, 'progressing, deployed, error or destroying'],
  services: [t.number, 'number of its workloads'],
  endpoints: [t.number, 'number of its public addresses'],
  age: [t.string, 'time since it was last deployed, for example 3d'],
  who: [t.string, 'who deployed it last'],
})
type EnvironmentRow = t.TypeOf<typeof EnvironmentRow>

export const EnvironmentList = document('list', 'The environments of a namespace.', {
  namespace: [t.string, 'the namespace'],
  environments: [t.readonlyArray(EnvironmentRow), 'by name'],
})
export type EnvironmentList = DataOf<typeof EnvironmentList>

export const environmentRow = (record: EnvironmentRecord, now: string): EnvironmentRow => ({
  name: record.environment,
  status: record.status,
  services: record.inventory.filter(({ kind }) => workloadKinds.some((known) => known === kind)).length,
  endpoints: record.endpoints.length,
  age: showAge(lastDeploy(record).when, now),
  who: lastDeploy(record).who,
})

/** Stopped: scaled to zero. */
const ServiceRow = keys({
  service: [t.string, 'name of the service'],
  kind: [t.string, 'kind of its workload'],
  ready: [t.string, 'ready pods out of those wanted; for a Job, those that have completed: `2/3`'],
  state: [
    oneOf('ready', 'complete', 'stopped', 'progressing', 'failed', 'developed'),
    'stopped: no pods are wanted; developed: by `devtool up`, and `reason` says by whom',
  ],
  reason: [t.string, 'why it is not ready; empty if it is'],
  restarts: [t.number, 'restarts of its containers'],
  image: [t.string, 'image of its container'],
  age: [t.string, 'time since it was created, for example 3d'],
})
export type ServiceRow = t.TypeOf<typeof ServiceRow>

/** What the row of a workload has instead of its own while it is developed, by `Kind/name`. */
export type DevelopedRows = ReadonlyMap<string, Pick<ServiceRow, 'ready' | 'reason' | 'restarts'>>

export const ServiceList = document('list ENVIRONMENT', 'The services of an environment.', {
  namespace: [t.string, 'the namespace'],
  environment: [t.string, 'name of the environment'],
  services: [t.readonlyArray(ServiceRow), 'by service, then by kind'],
})
export type ServiceList = DataOf<typeof ServiceList>

const serviceOf = (workload: ClusterObject): string => labelOf(workload, SERVICE_LABEL) ?? workload.metadata.name

/** The image of the container named after the service, else of the first container. */
const imageOf = (workload: ClusterObject): string => {
  const containers = listAt(workload, 'spec', 'template', 'spec', 'containers')
  const own = containers.find((container) => textAt(container, 'name') === serviceOf(workload)) ?? containers[0]
  return textAt(own, 'image') ?? ''
}

const restartsOf = (pods: ReadonlyArray<ClusterObject>): number =>
  pods
    .flatMap((pod) => listAt(pod, 'status', 'containerStatuses'))
    .reduce((sum: number, status) => sum + (numberAt(status, 'restartCount') ?? 0), 0)

/** Ready pods out of those wanted; for a Job, those that have completed. */
const countsOf = (workload: ClusterObject, ready: number, desired: number): string => {
  if (workload.kind !== 'Job') return `${ready}/${desired}`
  const completions = numberAt(workload, 'spec', 'completions') ?? numberAt(workload, 'spec', 'parallelism') ?? 1
  return `${numberAt(workload, 'status', 'succeeded') ?? 0}/${completions}`
}

/** `undefined` when the workload was not observed. */
const serviceRow = (observed: Observed, workload: ClusterObject, now: string): ServiceRow | undefined => {
  const { kind, metadata } = workload
  const rollout = readRollout(observed, { kind, name: metadata.name })
  if (rollout === undefined) return undefined
  const { desired, detail, isAvailable, isComplete, isFailed, pods, ready } = rollout
  const isStopped = (kind !== 'Job' && desired === 0) || at(workload, 'spec', 'suspend') === true
  const good = isComplete ? 'complete' : isStopped ? 'stopped' : isAvailable ? 'ready' : undefined
  return {
    service: serviceOf(workload),
    kind,
    ready: countsOf(workload, ready, desired),
    state: isFailed ? 'failed' : (good ?? 'progressing'),
    reason:
      isStopped && isPutToSleep(workload)
        ? SLEEPING
        : good === undefined || isFailed
          ? detail.replace(/^\d+ of \d+ ready(?:, )?|^failed$/, '')
          : '',
    restarts: restartsOf(pods),
    image: imageOf(workload),
    age: showAge(metadata.creationTimestamp, now),
  }
}

/** Sorted by service, then by kind. `workloads`: those of the environment; `observed` holds them and their pods. */
export const serviceRows = (
  observed: Observed,
  workloads: ReadonlyArray<ClusterObject>,
  developed: DevelopedRows,
  now: string,
): ReadonlyArray<ServiceRow> => {
  const rows = workloads
    .filter(({ kind, metadata }) => liveOf(observed, kind, metadata.name) !== undefined)
    .flatMap((workload): ReadonlyArray<ServiceRow> => {
      const row = serviceRow(observed, workload, now)
      const development = developed.get(`${workload.kind}/${workload.metadata.name}`)
      if (row === undefined) return []
      return [development === undefined ? row : { ...row, state: 'developed', ...development }]
    })
  const key = ({ kind, service }: ServiceRow): string => `${service}\0${kind}`
  return rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
}
