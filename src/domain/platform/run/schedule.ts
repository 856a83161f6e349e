/**
 * Which queued runs start now. A run is queued while its Job is suspended. Law: of the runs of an environment at most
 * one is under way.
 */
import { at, listAt, textAt } from '../../cluster/json.ts'
import { type ClusterObject, labelOf } from '../../cluster/live.ts'
import { RUN_LABEL, RUN_OF_LABEL } from '../../k8s/labels.ts'
import { byRunAge, type RunAge, runAgeOf } from './age.ts'
import type { RunWait } from './record.ts'

export type RunLimits = { readonly namespace: number; readonly cluster: number }
export const usualLimits: RunLimits = { namespace: 3, cluster: 50 }

/** Read from the Job of a run. */
export type RunJob = RunAge & {
  readonly id: string
  readonly namespace: string
  readonly environment: string
  readonly state: 'Queued' | 'Active' | 'Ended'
}

/** Whether a Job has a condition such as `Failed`. */
const jobHas = (job: ClusterObject, type: string): boolean =>
  listAt(job, 'status', 'conditions').some(
    (condition) => textAt(condition, 'type') === type && textAt(condition, 'status') === 'True',
  )

export const isJobOver = (job: ClusterObject): boolean => jobHas(job, 'Complete') || jobHas(job, 'Failed')

/** `undefined` for a Job that is not of a run. A run whose Job is being deleted is under way until the Job is gone. */
export const runJobIn = (job: ClusterObject): RunJob | undefined => {
  const [id, environment] = [labelOf(job, RUN_LABEL), labelOf(job, RUN_OF_LABEL)]
  const { deletionTimestamp, namespace } = job.metadata
  if (id === undefined || environment === undefined || namespace === undefined) return undefined
  const isQueued = at(job, 'spec', 'suspend') === true && deletionTimestamp === undefined
  const state = isJobOver(job) ? 'Ended' : isQueued ? 'Queued' : 'Active'
  return { id, namespace, environment, ...runAgeOf(job), state }
}

/** `jobs`: those of its namespace. `undefined` for a run that is not queued. */
export const waitOf = (jobs: ReadonlyArray<RunJob>, id: string): RunWait | undefined => {
  const own = jobs.find((job) => job.id === id)
  if (own?.state !== 'Queued') return undefined
  const active = jobs.filter(({ state }) => state === 'Active')
  const before = active.find(({ environment }) => environment === own.environment)
  if (before !== undefined) return { for: 'run', run: before.id }
  return { for: active.length < usualLimits.namespace ? 'platform' : 'namespace' }
}

/** `resume`: start now. `replace`: never start, since a newer run of the same environment, `by`, is queued. */
export type Schedule = {
  readonly resume: ReadonlyArray<RunJob>
  readonly replace: ReadonlyArray<{ readonly job: RunJob; readonly by: RunJob }>
}

/** Oldest first; runs of the same moment by id, so that every controller decides alike. */
const byAge = (a: RunJob, b: RunJob): number => byRunAge(a, b) || (a.id < b.id ? -1 : 1)

const environmentOf = ({ environment, namespace }: RunJob): string => `${namespace}/${environment}`

const countedBy = (jobs: ReadonlyArray<RunJob>, keyOf: (job: RunJob) => string): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const job of jobs) counts.set(keyOf(job), (counts.get(keyOf(job)) ?? 0) + 1)
  return counts
}

export const scheduleRuns = (jobs: ReadonlyArray<RunJob>, limits: RunLimits): Schedule => {
  const active = jobs.filter(({ state }) => state === 'Active')
  const queued = jobs.filter(({ state }) => state === 'Queued').toSorted(byAge)
  const newest = new Map(queued.map((job) => [environmentOf(job), job]))
  const replace = queued.flatMap((job) => {
    const by = newest.get(environmentOf(job)) ?? job
    return by === job ? [] : [{ job, by }]
  })
  const [ofEnvironment, ofNamespace] = [countedBy(active, environmentOf), countedBy(active, (job) => job.namespace)]
  let total = active.length
  const resume: Array<RunJob> = []
  for (const job of queued) {
    const [key, inNamespace] = [environmentOf(job), ofNamespace.get(job.namespace) ?? 0]
    const isFree = total < limits.cluster && inNamespace < limits.namespace && !ofEnvironment.has(key)
    if (newest.get(key) !== job || !isFree) continue
    resume.push(job)
    total += 1
    ofNamespace.set(job.namespace, inNamespace + 1)
    ofEnvironment.set(key, 1)
  }
  return { resume, replace }
}
