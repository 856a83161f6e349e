/**
 * The controller: watches runs and namespaces, and moves them forward. One replica leads; a second one that wrongly
 * believes to lead only causes conflicts, since every write requires the objects as they were read.
 */
import type { ClusterObject } from '../../../domain/cluster/live.ts'
import { resources } from '../../../domain/cluster/resources.ts'
import { defined } from '../../../domain/object/defined.ts'
import { MANAGED_SELECTOR } from '../../../domain/platform/access.ts'
import { TOKEN_SELECTOR } from '../../../domain/platform/account.ts'
import { BUILDER_NAMESPACE, SCOPED_NAMESPACE, USERS_NAMESPACE } from '../../../domain/platform/names.ts'
import { BUILDER_BINDING_SELECTOR } from '../../../domain/platform/run/builder-binding.ts'
import { ACTIVE_SELECTOR, RUN_SELECTOR } from '../../../domain/platform/run/record.ts'
import { SCOPED_SELECTOR } from '../../../domain/platform/scoped.ts'
import type { Cluster, Selection, WatchEvent } from '../../../ports/cluster.ts'
import { inform } from '../../watch/informer.ts'
import { tendNamespaces } from './deletions.ts'
import { tendIdle } from './idle.ts'
import { noteLastRuns } from './last-runs.ts'
import { beginRuns, pruneRuns, tendRuns } from './runs.ts'
import { tendScoped } from './scoped.ts'
import { type ControllerWorld, type KnownObjects, keyOf } from './world.ts'

/** At this interval everything is inspected, to find timeouts and missed events. */
const THOROUGH_MS = 10_000
/** Changes within this time are handled together. */
const TOGETHER_MS = 50

/** Of a record, which changes whenever its run writes lines of its log. */
const labelled = ({ metadata: { annotations, deletionTimestamp, labels } }: ClusterObject): string =>
  JSON.stringify([labels, annotations, deletionTimestamp])

/**
 * `forgot` is called with objects that are no longer selected. `toldOf`: only a change of this is a reason to act;
 * without it, every change is.
 */
const followed = (
  told: () => void,
  forgot: (live: ClusterObject) => void = () => {},
  toldOf?: (live: ClusterObject) => string,
) => {
  const objects = new Map<string, ClusterObject>()
  let isListed = false
  return {
    objects,
    isListed: () => isListed,
    sink: {
      see: (live: ClusterObject) => {
        const before = objects.get(keyOf(live))
        objects.set(keyOf(live), live)
        if (toldOf === undefined || before === undefined || toldOf(before) !== toldOf(live)) told()
      },
      forget: (live: ClusterObject) => {
        objects.delete(keyOf(live))
        forgot(live)
        told()
      },
      reset: (all: ReadonlyArray<ClusterObject>) => {
        objects.clear()
        for (const live of all) objects.set(keyOf(live), live)
        isListed = true
        told()
      },
    },
  }
}

/** Records are large, and their labels are enough to find the active ones. */
const metadataOnly = ({ list, watch }: Pick<Cluster, 'list' | 'watch'>): Pick<Cluster, 'list' | 'watch'> => ({
  list: (selection, options) => list(selection, { ...options, isMetadataOnly: true }),
  watch: (selection, signal): AsyncIterable<WatchEvent> => watch({ ...selection, isMetadataOnly: true }, signal),
})

/** Runs until the signal is aborted. */
export const control = async (world: ControllerWorld, signal: AbortSignal): Promise<void> => {
  const { clock, cluster, hasBuilder = false, note } = world
  let wake = (): void => {}
  let isChanged = true
  const told = (): void => {
    isChanged = true
    wake()
  }
  const ended: Array<ClusterObject> = []
  const jobs = followed(told)
  const records = followed(told, (live) => void ended.push(live), labelled)
  const namespaces = followed(told)
  const [tokens, accounts, bindings] = [followed(told), followed(told), followed(told)]
  const watchKind = async (
    from: Pick<Cluster, 'list' | 'watch'>,
    selection: Selection,
    { sink }: ReturnType<typeof followed>,
  ): Promise<void> => {
    const trouble: Parameters<typeof inform>[2]['trouble'] = (failure) => {
      if (failure !== undefined) note('watch', `${selection.resource.kind} ${failure._tag}`)
    }
    while (!signal.aborted) {
      await inform({ cluster: from, clock, signal }, selection, { ...sink, trouble })
      await clock.sleep(THOROUGH_MS, signal)
    }
  }
  const small = metadataOnly(cluster)
  const watching = [
    watchKind(cluster, { resource: resources.Job, labels: RUN_SELECTOR }, jobs),
    watchKind(small, { resource: resources.ConfigMap, labels: ACTIVE_SELECTOR }, records),
    watchKind(small, { resource: resources.Namespace, labels: MANAGED_SELECTOR }, namespaces),
    watchKind(small, { resource: resources.Secret, namespace: USERS_NAMESPACE, labels: TOKEN_SELECTOR }, tokens),
    watchKind(
      small,
      { resource: resources.ServiceAccount, namespace: SCOPED_NAMESPACE, labels: SCOPED_SELECTOR },
      accounts,
    ),
  ]
  const ofRuns = { resource: resources.RoleBinding, namespace: BUILDER_NAMESPACE, labels: BUILDER_BINDING_SELECTOR }
  if (hasBuilder) watching.push(watchKind(small, ofRuns, bindings))
  // Without one of the kinds nothing can be concluded about the others.
  const known = (): KnownObjects | undefined => {
    const needed = [jobs, records, namespaces, ...(hasBuilder ? [bindings] : [])]
    if (!needed.every(({ isListed }) => isListed())) return undefined
    const builderBindings = hasBuilder ? bindings.objects : undefined
    const all = { jobs: jobs.objects, records: records.objects, namespaces: namespaces.objects }
    return { ...all, ...defined({ builderBindings }) }
  }
  watching.push(tendIdle(world, known, signal))
  const pause = (ms: number): Promise<void> => {
    const woken = new AbortController()
    wake = () => woken.abort()
    const stop = (): void => woken.abort()
    signal.addEventListener('abort', stop, { once: true })
    if (isChanged || signal.aborted) woken.abort()
    return clock.sleep(ms, woken.signal).finally(() => signal.removeEventListener('abort', stop))
  }
  let thoroughMs = clock.now()
  while (!signal.aborted) {
    await pause(Math.max(0, thoroughMs - clock.now()))
    await clock.sleep(TOGETHER_MS, signal)
    if (signal.aborted) break
    const isThorough = clock.now() >= thoroughMs
    isChanged = false
    if (isThorough) thoroughMs = clock.now() + THOROUGH_MS
    const objects = known()
    if (objects === undefined) continue
    // Before any of them is closed, even if this process ends then: how a noted run has ended is read later.
    await noteLastRuns(world, objects)
    await beginRuns(world, objects)
    await tendRuns(world, objects, isThorough)
    await tendNamespaces(world, objects.namespaces)
    if (tokens.isListed()) await tendScoped(world, accounts.objects, tokens.objects)
    for (const live of ended.splice(0)) await pruneRuns(world, live)
  }
  await Promise.all(watching)
}
