/** The pods of a namespace, kept up to date by one watch that begins with a list somebody has. */
import type { Failure } from '../../domain/cluster/failure.ts'
import type { Live } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Cluster, Listing } from '../../ports/cluster.ts'

const shortestPauseMs = 250
const longestPauseMs = 10_000

/** `changed` ends at the next change, or with the signal. `tell`: `undefined` when what was wrong is over. */
export type Pods = { readonly all: () => ReadonlyArray<Live>; readonly changed: () => Promise<void> }

type Following = {
  readonly cluster: Cluster
  readonly clock: Clock
  readonly namespace: string
  readonly signal: AbortSignal
  readonly tell: (failure: Failure) => void
}

const podsIn = (namespace: string) => ({ resource: resources.Pod, namespace })

/** The pods at one moment; whoever waits is woken by `wake`. */
const podStore = (items: ReadonlyArray<Live>) => {
  const byUid = new Map<string, Live>()
  let waiting: Array<() => void> = []
  const see = (pod: Live): unknown => byUid.set(pod.metadata.uid, pod)
  for (const pod of items) see(pod)
  return {
    all: (): ReadonlyArray<Live> => [...byUid.values()],
    see,
    forget: (pod: Live): unknown => byUid.delete(pod.metadata.uid),
    reset: (pods: ReadonlyArray<Live>): void => {
      byUid.clear()
      for (const pod of pods) see(pod)
    },
    wake: (): void => {
      const woken = waiting
      waiting = []
      for (const go of woken) go()
    },
    woken: (): Promise<void> => new Promise((go) => waiting.push(go)),
  }
}

type Store = ReturnType<typeof podStore>

/** Tells the version to go on from; `undefined` when it is too old. */
const followStream = async (
  { cluster, namespace, signal, tell }: Following,
  store: Store,
  from: string,
): Promise<string | undefined> => {
  let reached = from
  for await (const event of cluster.watch({ ...podsIn(namespace), version: from }, signal)) {
    if (event._tag === 'Failed') {
      if (event.failure._tag === 'Gone') return undefined
      tell(event.failure)
      return reached
    }
    if (event._tag === 'Version') reached = event.version
    else {
      reached = event.object.metadata.resourceVersion
      if (event._tag === 'Seen') store.see(event.object)
      else store.forget(event.object)
      store.wake()
    }
  }
  return reached
}

const relist = async ({ cluster, namespace, signal, tell }: Following, store: Store): Promise<string | undefined> => {
  const list = await cluster.list(podsIn(namespace), { signal })()
  if (list._tag === 'Left') {
    tell(list.left)
    return undefined
  }
  store.reset(list.right.items)
  store.wake()
  return list.right.version
}

/** Until the signal: a stream that ends goes on, one whose version is too old begins with a list, one that breaks waits. */
const follow = async (following: Following, store: Store, version: string): Promise<void> => {
  const { clock, signal } = following
  let at: string | undefined = version
  for (let pauseMs = shortestPauseMs; !signal.aborted; ) {
    const before: string | undefined = at
    at = at === undefined ? await relist(following, store) : await followStream(following, store, at)
    pauseMs = at === undefined || at === before ? Math.min(pauseMs * 2, longestPauseMs) : shortestPauseMs
    await clock.sleep(pauseMs, signal)
  }
}

export const followPods = (following: Following, { items, version }: Listing): Pods => {
  const { signal } = following
  const store = podStore(items)
  signal.addEventListener('abort', store.wake, { once: true })
  void follow(following, store, version)
  return { all: store.all, changed: () => (signal.aborted ? Promise.resolve() : store.woken()) }
}
