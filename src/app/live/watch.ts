/**
 * One watch a kind, kept going: a stream that ends goes on from the last version it told, one whose version is gone begins
 * with a new list, one that breaks waits longer each time. What may not be read is left out.
 */
import { type Failure, isForbidden } from '../../domain/cluster/failure.ts'
import type { KnownKind } from '../../domain/cluster/resources.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { emptyWorld, type World } from '../../domain/cluster/world.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Cluster, Selection } from '../../ports/cluster.ts'

/** Events carry no labels of ours. */
const unlabelled: ReadonlySet<KnownKind> = new Set(['Event', 'ResourceQuota'])

const longestPauseMs = 10_000
const shortestPauseMs = 250

/** `changed` ends at the next change, after `ms`, or with the signal. `ready`: all kinds have been listed once. */
export type Watching = {
  readonly world: World
  readonly changed: (ms: number) => Promise<void>
  readonly ready: Promise<void>
  /** Why a kind cannot be followed now, while that is so. */
  readonly troubles: () => ReadonlyArray<Failure>
}

type Follow = {
  readonly cluster: Cluster
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly world: World
  readonly wake: () => void
  readonly trouble: (kind: string, failure: Failure | undefined) => void
}

/** Follows one stream to its end. Tells the version to go on from, `undefined` to begin anew. */
const followStream = async (
  { cluster, signal, trouble, wake, world }: Follow,
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
      wake()
    }
  }
  return { version, wasUseful }
}

const followKind = async (follow: Follow, selection: Selection, listed: () => void): Promise<void> => {
  const { clock, cluster, signal, trouble, wake, world } = follow
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
        wake()
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

/** Follows the kinds in an environment until the signal. */
export const watchEnvironment = (
  { clock, cluster }: { readonly clock: Clock; readonly cluster: Cluster },
  { environment, kinds, namespace }: { environment: string; kinds: ReadonlyArray<KnownKind>; namespace: string },
  signal: AbortSignal,
): Watching => {
  const world = emptyWorld()
  const troubles = new Map<string, Failure>()
  let waiting: Array<() => void> = []
  const wake = (): void => {
    const woken = waiting
    waiting = []
    for (const go of woken) go()
  }
  const trouble = (kind: string, failure: Failure | undefined): void => {
    if (failure === undefined) troubles.delete(kind)
    else troubles.set(kind, failure)
  }
  const follow: Follow = { cluster, clock, signal, world, wake, trouble }
  const ready = kinds.map((kind) => {
    const labels = unlabelled.has(kind) ? {} : { labels: `dev.devtool/environment=${environment}` }
    return new Promise<void>((listed) => {
      void followKind(follow, { resource: resources[kind], namespace, ...labels }, listed)
    })
  })
  return {
    world,
    ready: Promise.all(ready).then(() => undefined),
    troubles: () => [...troubles.values()],
    changed: (ms) => {
      const early = new AbortController()
      const woken = new Promise<void>((go) => waiting.push(go)).then(() => early.abort())
      const slept = clock.sleep(ms, AbortSignal.any([signal, early.signal]))
      return Promise.race([woken, slept])
    },
  }
}
