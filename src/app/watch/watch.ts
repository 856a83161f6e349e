/** The objects of an environment, kept up to date by one informer per kind. Kinds that may not be read are left out. */
import type { Failure } from '../../domain/cluster/failure.ts'
import type { KnownKind } from '../../domain/cluster/resources.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { type ClusterState, clusterState } from '../../domain/cluster/state.ts'
import { environmentSelector } from '../../domain/k8s/labels.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Cluster } from '../../ports/cluster.ts'
import { waiters } from '../concurrency/waiters.ts'
import { inform, type Sink } from './informer.ts'

/** Events do not carry devtool's labels. */
const unlabelled: ReadonlySet<KnownKind> = new Set(['Event', 'ResourceQuota'])

/**
 * `changed` resolves at the next change of the service, after `ms`, or when the signal is aborted. A change of a shared
 * object wakes no waiter, since it would wake all of them; it is seen after `ms`. `begin` starts watching, once, and
 * resolves when all kinds have been listed, or when the signal is aborted.
 */
export type Watching = {
  readonly state: ClusterState
  readonly changed: (service: string, ms: number) => Promise<void>
  readonly pause: (ms: number) => Promise<void>
  readonly begin: () => Promise<void>
  /** Kinds that cannot be watched now, and why. */
  readonly troubles: () => ReadonlyArray<Failure>
}

/**
 * Without bookmarks a stream in which no object changed is followed by a list, not resumed: should an event have been
 * lost, waiting does not last for ever.
 */
const withoutBookmarks = ({ list, watch }: Cluster): Pick<Cluster, 'list' | 'watch'> => ({
  list,
  watch: async function* (selection, signal) {
    for await (const event of watch(selection, signal)) if (event._tag !== 'Version') yield event
  },
})

/** Watches the kinds in an environment, or in the whole namespace, from `begin` until the signal is aborted. */
export const watchEnvironment = (
  ports: { readonly clock: Clock; readonly cluster: Cluster },
  { environment, kinds, namespace }: { environment?: string; kinds: ReadonlyArray<KnownKind>; namespace: string },
  signal: AbortSignal,
): Watching => {
  const { wait, wake } = waiters(ports.clock, signal)
  const informing = { clock: ports.clock, cluster: withoutBookmarks(ports.cluster), signal }
  const state = clusterState(wake)
  const troubles = new Map<string, Failure>()
  const sinkOf = (kind: KnownKind): Sink => ({
    see: state.see,
    forget: state.forget,
    reset: (items) => state.reset(kind, items),
    trouble: (failure) => void (failure === undefined ? troubles.delete(kind) : troubles.set(kind, failure)),
  })
  const follow = (kind: KnownKind): Promise<void> => {
    const isOfAll = environment === undefined || unlabelled.has(kind)
    const labels = isOfAll ? {} : { labels: environmentSelector(environment) }
    const selection = { resource: resources[kind], namespace, ...labels }
    return new Promise<void>((done) => void inform(informing, selection, sinkOf(kind), undefined, done))
  }
  let begun: Promise<void> | undefined
  return {
    state,
    begin: () => (begun ??= Promise.race([Promise.all(kinds.map(follow)).then(() => undefined), wait(undefined)])),
    troubles: () => [...troubles.values()],
    changed: wait,
    pause: (ms) => wait(undefined, ms),
  }
}
