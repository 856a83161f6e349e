/**
 * One watch a kind, kept going: a stream that ends goes on from the last version it told, one whose version is gone begins
 * with a new list, one that breaks waits longer each time. What may not be read is left out.
 */

import { type Failure, isForbidden } from '../../domain/cluster/failure.ts'
import type { KnownKind } from '../../domain/cluster/resources.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { emptyWorld, type World } from '../../domain/cluster/world.ts'
import { environmentSelector } from '../../domain/k8s/labels.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Cluster, Selection } from '../../ports/cluster.ts'

/** Events carry no labels of ours. */
const unlabelled: ReadonlySet<KnownKind> = new Set(['Event', 'ResourceQuota'])

const longestPauseMs = 10_000
const shortestPauseMs = 250

/**
 * `changed` ends at the next change of the service, after `ms`, or with the signal. What all services share wakes nobody: it
 * would wake everybody, and is seen after `ms`. `ready`: all kinds have been listed once.
 */
export type Watching = {
  readonly world: World
  readonly changed: (service: string, ms: number) => Promise<void>
  readonly ready: Promise<void>
  /** Why a kind cannot be followed now, while that is so. */
  readonly troubles: () => ReadonlyArray<Failure>
}

type Follow = {
  readonly cluster: Cluster
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly world: World
  readonly trouble: (kind: string, failure: Failure | undefined) => void
}

/** Follows one stream to its end. Tells the version to go on from, `undefined` to begin anew. */
const followStream = async (
  { cluster, signal, trouble, world }: Follow,
  selection: Selection,
  from: string,
): Promise<{ readonly version: string | undefined; readonly wasUseful: boolean }> => {
  let version: string | undefined = from
  let wasUseful = false
  for await (const event of cluster.watch({ ...selection, version: from }, signal)) {
    if (event._tag === 'Failed') {
      if (event.failure._tag === 'Gone') return { version: undefined, wasUseful }
      trouble(selection.resource.kind, event.failure)
      return { version, wasUseful }
    }
    if (!wasUseful) trouble(selection.resource.kind, undefined)
    wasUseful = true
    if (event._tag === 'Version') version = event.version
    else {
      version = event.object.metadata.resourceVersion
      if (event._tag === 'Seen') world.see(event.object)
      else world.forget(event.object)
    }
  }
  return { version, wasUseful }
}

const followKind = async (follow: Follow, selection: Selection, listed: () => void): Promise<void> => {
  const { clock, cluster, signal, trouble, world } = follow
  const { kind } = selection.resource
  let version: string | undefined
  for (let pauseMs = shortestPauseMs; !signal.aborted; ) {
    if (version === undefined) {
      const list = await cluster.list(selection, { signal })()
      if (list._tag === 'Left') {
        trouble(kind, list.left)
        if (isForbidden(list.left)) return listed()
      } else {
        trouble(kind, undefined)
        world.reset(kind, list.right.items)
        version = list.right.version
        listed()
      }
    }
    if (version !== undefined) {
      const ended = await followStream(follow, selection, version)
      // Something on the way may keep streams back for good: then lists are the only way to see.
      version = ended.wasUseful ? ended.version : undefined
      if (ended.wasUseful) pauseMs = shortestPauseMs
    }
    await clock.sleep(pauseMs, signal)
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  }
  listed()
}

/** Sleep that ends early for one service, or with the signal for all. */
const alarms = (clock: Clock, signal: AbortSignal) => {
  const asleep = new Map<string, Set<AbortController>>()
  const wake = (service: string): void => {
    const woken = asleep.get(service) ?? []
    asleep.delete(service)
    for (const one of woken) one.abort()
  }
  // One listener for all: that many of them, come and gone each second, are slow.
  signal.addEventListener('abort', () => [...asleep.keys()].forEach(wake), { once: true })
  const sleep = async (service: string, ms: number): Promise<void> => {
    if (signal.aborted) return
    const early = new AbortController()
    const others = asleep.get(service) ?? new Set<AbortController>()
    asleep.set(service, others.add(early))
    await clock.sleep(ms, early.signal)
    others.delete(early)
    if (others.size === 0 && asleep.get(service) === others) asleep.delete(service)
  }
  return { wake, sleep }
}

/** Follows the kinds in an environment until the signal. */
export const watchEnvironment = (
  { clock, cluster }: { readonly clock: Clock; readonly cluster: Cluster },
  { environment, kinds, namespace }: { environment: string; kinds: ReadonlyArray<KnownKind>; namespace: string },
  signal: AbortSignal,
): Watching => {
  const sleepers = alarms(clock, signal)
  const world = emptyWorld(sleepers.wake)
  const troubles = new Map<string, Failure>()
  const trouble = (kind: string, failure: Failure | undefined): void => {
    if (failure === undefined) troubles.delete(kind)
    else troubles.set(kind, failure)
  }
  const follow: Follow = { cluster, clock, signal, world, trouble }
  const ready = kinds.map((kind) => {
    const labels = unlabelled.has(kind) ? {} : { labels: environmentSelector(environment) }
    return new Promise<void>((listed) => {
      void followKind(follow, { resource: resources[kind], namespace, ...labels }, listed)
    })
  })
  return {
    world,
    ready: Promise.all(ready).then(() => undefined),
    troubles: () => [...troubles.values()],
    changed: sleepers.sleep,
  }
}
