/**
 * Keeps the state of one kind up to date: a list, then a watch that is kept running. A stream that ends resumes from
 * its last resourceVersion; if that has expired, it starts over with a list; after an error it waits longer each time.
 */
import { type Failure, isForbidden } from '../../domain/cluster/failure.ts'
import type { ClusterObject } from '../../domain/cluster/live.ts'
import { type Backoff, pauseAfter } from '../../domain/time/backoff.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Cluster, Selection } from '../../ports/cluster.ts'

/** `trouble`: why the kind cannot be watched; `undefined` when it can be again. */
export type Sink = {
  readonly reset: (items: ReadonlyArray<ClusterObject>) => void
  readonly see: (object: ClusterObject) => void
  readonly forget: (object: ClusterObject) => void
  readonly trouble: (failure: Failure | undefined) => void
}

export type Informing = {
  readonly cluster: Pick<Cluster, 'list' | 'watch'>
  readonly clock: Pick<Clock, 'now' | 'sleep'>
  readonly signal: AbortSignal
}

const backoff: Backoff = { firstMs: 250, longestMs: 10_000 }

/** A stream that ends earlier without an event is refused rather than quiet. */
const QUIET_MS = 5000

/** `version`: where to resume; `undefined` to begin with a list. `wasServed`: the server did not refuse it. */
type StreamEnd = { readonly version: string | undefined; readonly wasServed: boolean }

const followStream = async (
  { clock, cluster, signal }: Informing,
  selection: Selection,
  sink: Sink,
  from: string,
): Promise<StreamEnd> => {
  let version: string | undefined = from
  let wasUseful = false
  const begunMs = clock.now()
  for await (const event of cluster.watch({ ...selection, version: from }, signal)) {
    if (event._tag === 'Failed') {
      const isGone = event.failure._tag === 'Gone'
      if (!isGone) sink.trouble(event.failure)
      return { version: isGone || !wasUseful ? undefined : version, wasServed: wasUseful }
    }
    if (!wasUseful) sink.trouble(undefined)
    wasUseful = true
    if (event._tag === 'Version') version = event.version
    else {
      version = event.object.metadata.resourceVersion
      if (event._tag === 'Seen') sink.see(event.object)
      else sink.forget(event.object)
    }
  }
  // A proxy on the way may hold back events: only a list shows that there were none.
  const wasServed = wasUseful || clock.now() - begunMs >= QUIET_MS
  return { version: wasUseful ? version : undefined, wasServed }
}

/**
 * Runs until the signal is aborted, or until listing the kind is forbidden. `from`: the version of a list that the
 * caller has. `listed` is called after the first list, or when there will never be one.
 */
export const inform = async (
  informing: Informing,
  selection: Selection,
  sink: Sink,
  from?: string,
  listed: () => void = () => {},
): Promise<void> => {
  const { clock, cluster, signal } = informing
  let version = from
  for (let failures = 0; !signal.aborted; failures += 1) {
    if (version === undefined) {
      const list = await cluster.list(selection, { signal })()
      sink.trouble(list._tag === 'Left' ? list.left : undefined)
      if (list._tag === 'Left' && isForbidden(list.left)) break
      if (list._tag === 'Right') {
        sink.reset(list.right.items)
        version = list.right.version
        listed()
      }
    }
    if (version !== undefined) {
      const ended = await followStream(informing, selection, sink, version)
      version = ended.version
      if (ended.wasServed) failures = 0
    }
    await clock.sleep(pauseAfter(backoff, failures), signal)
  }
  listed()
}
