/** Objects of several kinds of a namespace, kept up to date and reported after each change. */
import type { Failure } from '../../domain/cluster/failure.ts'
import type { ClusterObject, Observed } from '../../domain/cluster/live.ts'
import { type KnownKind, resources } from '../../domain/cluster/resources.ts'
import { defined } from '../../domain/object/defined.ts'
import type { Ports } from '../../ports/ports.ts'
import { waiters } from '../concurrency/waiters.ts'
import type { Target } from '../context/target.ts'
import { inform } from './informer.ts'

/** Changes arrive in groups: after the first, the next ones are waited for this long. */
const settleMs = 200
/** Lists show ages, so they are repeated this often without any change. */
const agingMs = 5_000

type Kinds = ReadonlyMap<KnownKind, { readonly labels?: string }>

type Watched = Pick<Target, 'cluster' | 'namespace'> & { readonly kinds: Kinds; readonly signal: AbortSignal }

/** `troubles`: why kinds cannot be watched. `seen` returns false to end. */
export const followKinds = async (
  { clock }: Pick<Ports, 'clock'>,
  { cluster, kinds, namespace, signal: interrupted }: Watched,
  seen: (observed: Observed, troubles: ReadonlyArray<Failure>) => Promise<boolean>,
): Promise<void> => {
  const stop = new AbortController()
  const signal = AbortSignal.any([interrupted, stop.signal])
  const { wait, wake } = waiters(clock, signal)
  const observed = new Map<KnownKind, Map<string, ClusterObject>>()
  const troubles = new Map<KnownKind, Failure>()
  let changes = 0
  const follow = (kind: KnownKind, labels: string | undefined): Promise<void> => {
    const known = new Map<string, ClusterObject>()
    observed.set(kind, known)
    const changed = (): void => {
      changes += 1
      wake('change')
    }
    const put = (object: ClusterObject): void => void known.set(object.metadata.name, object)
    const sink = {
      see: (object: ClusterObject): void => {
        put(object)
        changed()
      },
      forget: ({ metadata: { name } }: ClusterObject): void => {
        known.delete(name)
        changed()
      },
      reset: (items: ReadonlyArray<ClusterObject>): void => {
        known.clear()
        items.forEach(put)
        changed()
      },
      trouble: (failure: Failure | undefined): void => {
        if (failure === undefined && !troubles.delete(kind)) return
        if (failure !== undefined) troubles.set(kind, failure)
        changed()
      },
    }
    const selection = { resource: resources[kind], namespace, ...defined({ labels }) }
    return new Promise((done) => void inform({ cluster, clock, signal }, selection, sink, undefined, done))
  }
  const listed = Promise.all([...kinds].map(([kind, { labels }]) => follow(kind, labels)))
  await Promise.race([listed, wait(undefined)])
  while (!signal.aborted) {
    const before = changes
    if (!(await seen(observed, [...troubles.values()]))) stop.abort()
    if (changes === before) await wait('change', agingMs)
    await clock.sleep(settleMs, signal)
  }
}
