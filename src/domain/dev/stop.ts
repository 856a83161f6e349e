/** How a workload is stopped while it is developed, and the changes that keep it stopped and its data safe. */
import { at, isObject, listAt, numberAt, textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { resources } from '../cluster/resources.ts'
import { NOWHERE_LABEL } from '../k8s/labels.ts'
import { changeOf, touchedBy } from './field-changes.ts'
import type { FieldChange, Touched } from './record.ts'
import { type DevKind, devKindOf } from './workload.ts'

const isFinished = (job: ClusterObject): boolean =>
  listAt(job, 'status', 'conditions').some(
    (one) => ['Complete', 'Failed'].includes(textAt(one, 'type') ?? '') && textAt(one, 'status') === 'True',
  )

/** A Job that has begun and has not ended. */
export const isRunningJob = (live: ClusterObject): boolean =>
  live.kind === 'Job' && !isFinished(live) && at(live, 'spec', 'suspend') !== true

/** The number of nodes that a DaemonSet runs on. */
export const nodesOf = (live: ClusterObject): number => numberAt(live, 'status', 'currentNumberScheduled') ?? 0

const nodeSelectorPath = ['spec', 'template', 'spec', 'nodeSelector']

const stops: { readonly [K in DevKind]: (live: ClusterObject) => ReadonlyArray<FieldChange> } = {
  Deployment: (live) => changeOf(live, ['spec', 'replicas'], 0),
  StatefulSet: (live) => changeOf(live, ['spec', 'replicas'], 0),
  // A DaemonSet cannot be scaled: a node selector that matches no node stops it.
  DaemonSet: (live) => {
    const selector = at(live, ...nodeSelectorPath)
    return changeOf(live, nodeSelectorPath, { ...(isObject(selector) ? selector : {}), [NOWHERE_LABEL]: 'true' })
  },
  Job: (live) => (isRunningJob(live) ? changeOf(live, ['spec', 'suspend'], true) : []),
  CronJob: (live) => changeOf(live, ['spec', 'suspend'], true),
}

const retentionPath = ['spec', 'persistentVolumeClaimRetentionPolicy', 'whenScaled']

/** With `whenScaled: Delete`, a StatefulSet without replicas loses its claims, and their data. */
const keptClaims = (live: ClusterObject): ReadonlyArray<FieldChange> =>
  live.kind === 'StatefulSet' && textAt(live, ...retentionPath) === 'Delete'
    ? changeOf(live, retentionPath, 'Retain')
    : []

/** In this order: each change takes effect before the next is made. */
export const stoppedBy = (live: ClusterObject): ReadonlyArray<Touched> => {
  const kind = devKindOf(live)
  if (kind === undefined) return []
  const target = { resource: resources[kind], name: live.metadata.name }
  return [...touchedBy(live, target, keptClaims(live)), ...touchedBy(live, target, stops[kind](live))]
}
