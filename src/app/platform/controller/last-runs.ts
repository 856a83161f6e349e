/** Notes on each preview how its last run goes. */
import { type ClusterObject, labelOf } from '../../../domain/cluster/live.ts'
import { resources } from '../../../domain/cluster/resources.ts'
import { KIND_LABEL } from '../../../domain/k8s/labels.ts'
import { type LastRun, lastRunChange, lastRunIn, lastRunOf, newestRuns } from '../../../domain/platform/run/last-run.ts'
import { hasEnded, runName } from '../../../domain/platform/run/record.ts'
import { acted, answered } from './acting.ts'
import { CONTROLLER, type ControllerWorld, type KnownObjects } from './world.ts'

/** How a run that was under way goes now, or ended; as it was when that cannot be read. */
const now = async ({ cluster }: ControllerWorld, namespace: string, run: LastRun): Promise<LastRun | undefined> => {
  const found = await answered(cluster.get({ resource: resources.ConfigMap, namespace, name: runName(run.id) }))
  if (found === undefined) return run
  return found.value === undefined ? undefined : lastRunOf(found.value)
}

const noteOn = async (
  world: ControllerWorld,
  preview: ClusterObject,
  record: ClusterObject | undefined,
): Promise<void> => {
  const { name } = preview.metadata
  const noted = lastRunIn(preview)
  const isKnown = record === undefined && (noted === undefined || hasEnded(noted))
  if (isKnown) return
  const last = record === undefined && noted !== undefined ? await now(world, name, noted) : record && lastRunOf(record)
  if (last?.id === noted?.id && last?.status === noted?.status) return
  const key = { resource: resources.Namespace, name }
  await acted(world, 'noted', preview, world.cluster.merge(key, lastRunChange(preview, last), CONTROLLER))
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
