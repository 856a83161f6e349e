/** Waits for objects that commands of the manifest created. */
import { failureDiagnostic, isAbsent, isForbidden } from '../../domain/cluster/failure.ts'
import { type ClusterObject, liveOf, type Observed } from '../../domain/cluster/live.ts'
import { type KnownKind, resources } from '../../domain/cluster/resources.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { InventoryEntry } from '../../domain/environment/record.ts'
import { showRef } from '../../domain/plan/action.ts'
import type { StepState } from '../../domain/progress/event.ts'
import type { WorkloadRef } from '../../domain/rollout/rollout.ts'
import { isAwaited, judgeOthers, type MadeObject, runsPods } from '../../domain/why/made.ts'
import type { AwaitedObject } from '../../domain/why/waiting.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Progress } from '../../ports/progress.ts'
import { bounded } from '../concurrency/bounded.ts'
import type { Target } from '../context/target.ts'
import { waitFor } from '../watch/wait.ts'
import { type Watching, watchEnvironment } from '../watch/watch.ts'
import { both, type Executed, nothingDone } from './executed.ts'
import { explainFailure, outOfTime } from './failed.ts'

/** `observed`: the objects before the deploy. */
export type MadeOptions = {
  readonly ports: { readonly clock: Clock; readonly progress: Progress }
  readonly target: Pick<Target, 'cluster' | 'namespace'>
  readonly observed: Observed
  readonly signal: AbortSignal
  readonly failsFast: boolean
}

const pauseMs = 1000

/** The pods and ReplicaSets of these workloads do not carry devtool's labels. */
export const watchedKinds: ReadonlyArray<KnownKind> = [
  'Pod',
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'PersistentVolumeClaim',
  'Event',
]

const isSame = (before: ClusterObject | undefined, now: ClusterObject | undefined): boolean =>
  before !== undefined &&
  before.metadata.uid === now?.metadata.uid &&
  before.metadata.generation === now.metadata.generation

type Workloads = { readonly watching: Watching; readonly refs: ReadonlyArray<WorkloadRef> }

/** The workloads that exist, and a watch that ends with `use`. */
const withWorkloads = async <A>(
  { ports, signal, target: { cluster, namespace } }: MadeOptions,
  entries: ReadonlyArray<InventoryEntry>,
  use: (workloads: Workloads) => Promise<A>,
): Promise<A> => {
  const stopped = new AbortController()
  const ended = AbortSignal.any([signal, stopped.signal])
  try {
    const watching = watchEnvironment({ clock: ports.clock, cluster }, { kinds: watchedKinds, namespace }, ended)
    await watching.begin()
    const observed = watching.state.of('')
    const refs = entries.filter(({ kind, name }) => {
      const live = liveOf(observed, kind, name)
      return live !== undefined && isAwaited(live)
    })
    return await use({ watching, refs })
  } finally {
    stopped.abort()
  }
}

const awaitWorkload = async (
  { failsFast, observed, ports: { clock, progress }, signal, target }: MadeOptions,
  watching: Watching,
  ref: WorkloadRef,
): Promise<Executed> => {
  const name = showRef(ref)
  const wanted: AwaitedObject = { ref, condition: 'available', service: '' }
  let said: string | undefined
  const say = (state: StepState, detail: string): void => {
    if (detail !== said) progress.tell({ _tag: 'Step', id: name, title: name, state, detail, atMs: clock.now() })
    said = detail
  }
  const before = liveOf(observed, ref.kind, ref.name)
  const isUnchanged = isSame(before, liveOf(watching.state.of(''), ref.kind, ref.name))
  const tell = (_: string, detail: string): void => say('Running', detail)
  const waiting = { ...target, clock, watching, signal, failsFast, tell }
  const waited = await waitFor(waiting, wanted, () => ({ publicPorts: [], isUnchanged, mayBeGone: true }))
  said = undefined
  switch (waited._tag) {
    case 'Met':
      say('Done', waited.detail)
      return { ...nothingDone, findings: waited.findings }
    case 'Failed':
      say('Failed', waited.causes[0]?.message ?? 'failed')
      return { ...nothingDone, stuck: [{ wanted, causes: waited.causes }], isComplete: false }
    case 'Aborted':
      say('Skipped', 'no longer waited for')
      return { ...nothingDone, pending: [{ name, wanted, detail: waited.detail }], isComplete: false }
  }
}

/** The first failure ends the wait for all. */
const awaitWorkloads = (options: MadeOptions, entries: ReadonlyArray<InventoryEntry>): Promise<Executed> =>
  withWorkloads(options, entries, async ({ refs, watching }) => {
    const halted = new AbortController()
    const signal = AbortSignal.any([options.signal, halted.signal])
    const all = await Promise.all(
      refs.map(async ({ kind, name }) => {
        const one = await awaitWorkload({ ...options, signal }, watching, { kind, name })
        if (one.stuck.length > 0) halted.abort()
        return one
      }),
    )
    const executed = all.reduce(both, nothingDone)
    if (executed.isComplete) return executed
    const causes = await explainFailure({ ...options, watching }, executed)
    return { ...executed, findings: [...causes, ...executed.findings] }
  })

const readMade = async (
  { signal, target: { cluster, namespace } }: MadeOptions,
  entries: ReadonlyArray<InventoryEntry>,
): Promise<ReadonlyArray<MadeObject>> => {
  const found = await bounded(entries, async (entry) => {
    const read = await cluster.get(
      { resource: { ...entry, isNamespaced: true }, namespace, name: entry.name },
      signal,
    )()
    if (read._tag === 'Right') return read.right === undefined ? [] : [{ entry, live: read.right }]
    if (isAbsent(read.left) || isForbidden(read.left)) return []
    return [{ entry, live: { unreadable: failureDiagnostic(read.left).message } }]
  })
  return found.flat()
}

/** Waits for objects with the condition Ready or Available. Objects that may not be read are not waited for. */
const awaitOthers = async (options: MadeOptions, entries: ReadonlyArray<InventoryEntry>): Promise<Executed> => {
  const { ports, signal } = options
  const sinceMs = ports.clock.now()
  for (;;) {
    const judged = judgeOthers(await readMade(options, entries), ports.clock.now() - sinceMs)
    if (judged !== 'Wait' && !signal.aborted) return { ...nothingDone, findings: judged }
    await ports.clock.sleep(pauseMs, signal)
    if (signal.aborted) {
      const pending = [{ name: 'what commands made', detail: 'not ready' }]
      const executed: Executed = { ...nothingDone, pending, isComplete: false }
      return { ...executed, findings: [outOfTime(executed, signal)] }
    }
  }
}

export const awaitMade = async (options: MadeOptions, entries: ReadonlyArray<InventoryEntry>): Promise<Executed> => {
  const workloads = entries.filter(runsPods)
  const waited = workloads.length === 0 ? nothingDone : await awaitWorkloads(options, workloads)
  const others = entries.filter((entry) => !runsPods(entry) && !Object.hasOwn(resources, entry.kind))
  return waited.isComplete && others.length > 0 ? both(waited, await awaitOthers(options, others)) : waited
}

/** When services fail, objects that commands created may be the cause. */
export const madeCauses = (
  options: MadeOptions,
  entries: ReadonlyArray<InventoryEntry>,
): Promise<ReadonlyArray<Diagnostic>> => {
  const workloads = entries.filter(runsPods)
  if (workloads.length === 0 || options.signal.aborted) return Promise.resolve([])
  return withWorkloads(options, workloads, ({ refs, watching }) => {
    const pending = refs.map(({ kind, name }) => ({
      name,
      detail: '',
      wanted: { ref: { kind, name }, condition: 'available', service: '' } as const,
    }))
    return explainFailure({ ...options, watching }, { ...nothingDone, pending, isComplete: false })
  })
}
