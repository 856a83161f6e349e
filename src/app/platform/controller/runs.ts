/** Starts queued runs, and ends those whose own program cannot. */
import { at } from '../../../domain/cluster/json.ts'
import { type ClusterObject, labelOf } from '../../../domain/cluster/live.ts'
import { type ObjectKey, resources } from '../../../domain/cluster/resources.ts'
import { RUN_LABEL, RUN_OF_LABEL } from '../../../domain/k8s/labels.ts'
import { surplusRuns } from '../../../domain/platform/run/age.ts'
import {
  cancelledBy,
  hasEnded,
  type RunRecord,
  recordChange,
  runIn,
  runName,
  runsOfSelector,
} from '../../../domain/platform/run/record.ts'
import { isJobOver, type RunJob, runJobIn, scheduleRuns } from '../../../domain/platform/run/schedule.ts'
import { PATIENCE_SECONDS, replacedRun, stepRun } from '../../../domain/platform/run/step.ts'
import { secondsBetween } from '../../../domain/text/moment.ts'
import { bounded } from '../../concurrency/bounded.ts'
import { acted, answered } from './acting.ts'
import { tendBuilderAccess } from './builder-access.ts'
import { completedLog } from './closing-log.ts'
import { CONTROLLER, type ControllerWorld, type KnownObjects } from './world.ts'

const jobKey = (namespace: string, id: string): ObjectKey => ({ resource: resources.Job, namespace, name: runName(id) })
const recordKey = (namespace: string, id: string): ObjectKey => ({
  resource: resources.ConfigMap,
  namespace,
  name: runName(id),
})

/** The current run of a record, if it can be read. */
export const readRun = async (
  { cluster }: Pick<ControllerWorld, 'cluster'>,
  namespace: string,
  id: string,
): Promise<{ readonly live: ClusterObject; readonly run: RunRecord } | undefined> => {
  const live = (await answered(cluster.get(recordKey(namespace, id))))?.value
  const run = live === undefined ? undefined : runIn(live)
  return live === undefined || run === undefined ? undefined : { live, run }
}

const removeJob = (world: ControllerWorld, act: string, job: ClusterObject): Promise<boolean> => {
  const { name, namespace, resourceVersion, uid } = job.metadata
  const key = { resource: resources.Job, name, namespace: namespace ?? '' }
  return acted(world, act, job, world.cluster.remove(key, { uid, resourceVersion, propagation: 'Background' }))
}

const close = (world: ControllerWorld, live: ClusterObject, run: RunRecord, log?: Uint8Array): Promise<boolean> => {
  const change = recordChange(run, live.metadata.resourceVersion, log)
  return acted(world, 'closed', live, world.cluster.merge(recordKey(run.namespace, run.id), change, CONTROLLER))
}

/** Why the pod of a Job cannot be made or started; nothing when that cannot be read. */
const eventsAbout = async (
  { cluster }: ControllerWorld,
  lives: ReadonlyArray<ClusterObject>,
): Promise<ReadonlyArray<ClusterObject>> => {
  const about = lives.map(({ metadata: { namespace = '', uid } }) =>
    answered(cluster.list({ resource: resources.Event, namespace, fields: `involvedObject.uid=${uid}` })),
  )
  return (await Promise.all(about)).flatMap((found) => found?.value.items ?? [])
}

/** Reads everything about one run again, since the known state may be old, and acts on it. */
const inspect = async (world: ControllerWorld, namespace: string, id: string): Promise<void> => {
  const { clock, cluster } = world
  const read = await readRun(world, namespace, id)
  const found = await answered(cluster.get(jobKey(namespace, id)))
  const labels = `${RUN_LABEL}=${id}`
  const pods = await answered(cluster.list({ resource: resources.Pod, namespace, labels }))
  if (read === undefined || found === undefined || pods === undefined) return
  const { live, run } = read
  const [job, isCancelled] = [found.value, cancelledBy(live) !== undefined]
  const { items } = pods.value
  const hasBegun = job === undefined || run.started !== undefined || hasEnded(run)
  const events = hasBegun ? [] : await eventsAbout(world, [job, ...items])
  const act = stepRun({ run, isCancelled, job, pods: items, events, now: clock.date() })
  if (act._tag === 'Stop' && job !== undefined) await removeJob(world, 'stopped', job)
  if (act._tag === 'Close') await close(world, live, act.run, await completedLog(world, live, items))
}

/** Deletes its Job first, if unchanged since it was read: then the run has not started. */
const replace = async (
  world: ControllerWorld,
  { id, namespace }: RunJob,
  by: string,
  job: ClusterObject,
): Promise<void> => {
  const read = await readRun(world, namespace, id)
  if (read === undefined || !(await removeJob(world, 'replaced', job))) return
  if (!hasEnded(read.run)) await close(world, read.live, replacedRun(read.run, by, world.clock.date()))
}

const resume = (world: ControllerWorld, { id, namespace }: RunJob, job: ClusterObject): Promise<boolean> => {
  const { resourceVersion, uid } = job.metadata
  const body = { metadata: { uid, resourceVersion }, spec: { suspend: false } }
  return acted(world, 'resumed', job, world.cluster.merge(jobKey(namespace, id), body, CONTROLLER))
}

/** A Job whose request stopped before it wrote the record. */
const isOrphan = ({ clock }: ControllerWorld, job: ClusterObject): boolean =>
  secondsBetween(job.metadata.creationTimestamp ?? '', clock.date()) > PATIENCE_SECONDS

/** Queued runs that have a record, and all runs that are under way. */
export const beginRuns = async (
  world: ControllerWorld,
  { builderBindings, jobs, namespaces, records }: KnownObjects,
): Promise<void> => {
  const known = [...jobs].flatMap(([key, live]) => {
    const job = runJobIn(live)
    return job === undefined || !namespaces.has(`/${job.namespace}`) ? [] : [{ job, key, live }]
  })
  const lives = new Map(known.map(({ job, live }) => [job, live]))
  const isStartable = ({ job, key }: (typeof known)[number]): boolean => {
    const record = records.get(key)
    return job.state !== 'Queued' || (record !== undefined && cancelledBy(record) === undefined)
  }
  const startable = known.filter(isStartable).map(({ job }) => job)
  const { replace: older, resume: next } = scheduleRuns(startable, world.limits)
  const active = startable.filter(({ state }) => state === 'Active')
  // Before they are resumed. Those of which it is not yet known that they were resumed are among the next.
  await tendBuilderAccess(world, builderBindings, new Set([...active, ...next].map(({ namespace }) => namespace)))
  for (const { by, job } of older) {
    const live = lives.get(job)
    if (live !== undefined) await replace(world, job, by.id, live)
  }
  for (const job of next) {
    const live = lives.get(job)
    if (live !== undefined) await resume(world, job, live)
  }
}

/** Runs that are inspected at once. */
const AT_ONCE = 8

/** Whether nothing seems wrong, judging by the known state only. */
const isWell = (record: ClusterObject, job: ClusterObject | undefined): boolean =>
  job !== undefined &&
  !isJobOver(job) &&
  job.metadata.deletionTimestamp === undefined &&
  cancelledBy(record) === undefined

/** `isThorough`: also inspects runs that look fine, which may have timed out. */
export const tendRuns = async (
  world: ControllerWorld,
  { jobs, namespaces, records }: KnownObjects,
  isThorough: boolean,
): Promise<void> => {
  const suspects = [...records].flatMap(([key, record]) => {
    const [id, { namespace = '' }] = [labelOf(record, RUN_LABEL), record.metadata]
    const job = jobs.get(key)
    const isTended = namespaces.has(`/${namespace}`) && (isThorough || !isWell(record, job))
    // A queued run that waits for its turn need not be inspected.
    const isWaiting = job !== undefined && at(job, 'spec', 'suspend') === true && isWell(record, job)
    return id !== undefined && isTended && !isWaiting ? [{ id, namespace }] : []
  })
  // The log of a pod may take long to read.
  await bounded(suspects, ({ id, namespace }) => inspect(world, namespace, id), AT_ONCE)
  if (!isThorough) return
  for (const [key, job] of jobs) {
    const run = runJobIn(job)
    if (run === undefined || run.state === 'Ended' || records.has(key) || !namespaces.has(`/${run.namespace}`)) continue
    const read = await answered(world.cluster.get(recordKey(run.namespace, run.id)))
    if (read === undefined) continue
    if (read.value !== undefined) await inspect(world, run.namespace, run.id)
    else if (isOrphan(world, job)) await removeJob(world, 'collected', job)
  }
}

/** Deletes the records of older runs of the same environment. */
export const pruneRuns = async (world: ControllerWorld, record: ClusterObject): Promise<void> => {
  const [environment, { namespace = '' }] = [labelOf(record, RUN_OF_LABEL), record.metadata]
  if (environment === undefined) return
  const selection = { resource: resources.ConfigMap, namespace, labels: runsOfSelector(environment) }
  const all = await answered(world.cluster.list(selection, { isMetadataOnly: true }))
  for (const old of surplusRuns(all?.value.items ?? [])) {
    const { name, resourceVersion, uid } = old.metadata
    const key = { resource: resources.ConfigMap, namespace, name }
    const removal = world.cluster.remove(key, { uid, resourceVersion, propagation: 'Background' })
    await acted(world, 'pruned', old, removal)
  }
}
