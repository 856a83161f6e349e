/** Notes on each preview how its last run goes. */
import { type ClusterObject, labelOf } from '../../../domain/cluster/live.ts'
import { resources } from '../../../domain/cluster/resources.ts'
import { KIND_LABEL, RUN_LABEL, RUN_STATUS_LABEL } from '../../../domain/k8s/labels.ts'
import { type LastRun, lastRunChange, lastRunIn } from '../../../domain/platform/last-run.ts'
import { newestRuns } from '../../../domain/platform/run/age.ts'
import { hasEnded, RunStatus, runName } from '../../../domain/platform/run/record.ts'
import { isRunId } from '../../../domain/platform/run/request.ts'
import { acted, answered } from './acting.ts'
import { CONTROLLER, type ControllerWorld, type KnownObjects } from './world.ts'

/** From the metadata of its record, which members can change. */
const lastRunOf = (record: ClusterObject): LastRun | undefined => {
  const [id = '', status = ''] = [labelOf(record, RUN_LABEL), labelOf(record, RUN_STATUS_LABEL)]
  return isRunId(id) && RunStatus.is(status) ? { id, status } : undefined
}

/** How a run without a record of one that is under way has ended; as it was when that cannot be read. */
const ended = async (
  { cluster }: ControllerWorld,
  namespace: string,
  run: LastRun | undefined,
): Promise<LastRun | undefined> => {
  if (run === undefined || hasEnded(run)) return run
  const found = await answered(cluster.get({ resource: resources.ConfigMap, namespace, name: runName(run.id) }))
  if (found === undefined) return run
  return found.value === undefined ? undefined : lastRunOf(found.value)
}

const noteOn = async (
  world: ControllerWorld,
  live: ClusterObject,
  record: ClusterObject | undefined,
): Promise<void> => {
  const [{ name }, noted] = [live.metadata, lastRunIn(live)]
  const last = record === undefined ? await ended(world, name, noted) : lastRunOf(record)
  if (last?.id === noted?.id && last?.status === noted?.status) return
  const key = { resource: resources.Namespace, name }
  await acted(world, 'noted', live, world.cluster.merge(key, lastRunChange(live, last), CONTROLLER))
}

/** Records are those of runs under way: one that is not among them any more has ended. */
export const noteLastRuns = async (
  world: ControllerWorld,
  { namespaces, records }: Pick<KnownObjects, 'namespaces' | 'records'>,
): Promise<void> => {
  const newest = newestRuns(records.values())
  for (const live of namespaces.values()) {
    const isPreview = labelOf(live, KIND_LABEL) === 'preview' && live.metadata.deletionTimestamp === undefined
    if (isPreview) await noteOn(world, live, newest.get(live.metadata.name))
  }
}
