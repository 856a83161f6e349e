/** Watches of the memory cluster: the changes since a version, then those to come, as one stream. */
import { setMaxListeners } from 'node:events'
import type { ApiRequest, Failure } from '../../src/domain/cluster/failure.ts'
import type { ClusterObject } from '../../src/domain/cluster/live.ts'
import type { Cluster, Selection, WatchEvent } from '../../src/ports/cluster.ts'
import { hasFields, hasLabels } from './selectors.ts'
import { type Change, collectionId, type Store } from './store.ts'

/** Whether the object matches the selectors. */
export const isSelected = (object: ClusterObject, { fields, labels, namespace }: Selection): boolean =>
  (namespace === undefined || object.metadata.namespace === namespace) &&
  (labels === undefined || hasLabels(object, labels)) &&
  (fields === undefined || hasFields(object, fields))

/** An object that no longer matches is reported as deleted. */
const eventOf = (change: Change, selection: Selection): WatchEvent | undefined => {
  const { _tag, before, object, resource } = change
  if (collectionId(resource) !== collectionId(selection.resource)) return undefined
  const [was, is] = [before !== undefined && isSelected(before, selection), isSelected(object, selection)]
  if (_tag === 'Seen' && is) return { _tag: 'Seen', object }
  return was ? { _tag: 'Removed', object } : undefined
}

export const metadataOnly = ({ apiVersion, kind, metadata }: ClusterObject): ClusterObject => ({
  apiVersion,
  kind,
  metadata,
})

const bare = (event: WatchEvent): WatchEvent =>
  event._tag === 'Seen' || event._tag === 'Removed' ? { ...event, object: metadataOnly(event.object) } : event

export type Watch = {
  readonly push: (event: WatchEvent) => void
  /** Closed by the server. */
  readonly end: () => void
}

/** Queues values until they are read. Ends with the signal. */
export const streamOf = <A>(signal: AbortSignal) => {
  const waiting: Array<A> = []
  let isEnded = signal.aborted
  let wake = (): void => {}
  const end = (): void => {
    isEnded = true
    wake()
  }
  setMaxListeners(0, signal)
  signal.addEventListener('abort', end, { once: true })
  async function* items(): AsyncGenerator<A, void, undefined> {
    while (!signal.aborted) {
      const item = waiting.shift()
      if (item !== undefined) yield item
      else if (isEnded) return
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  }
  return {
    push: (item: A): void => {
      if (isEnded) return
      waiting.push(item)
      wake()
    },
    end,
    items: items(),
  }
}

/** `open` holds all active watches. Without a version a watch begins with the existing objects. */
export const watchStore = (
  store: Store,
  open: Map<Watch, ApiRequest>,
  selection: Parameters<Cluster['watch']>[0],
  { asked, failure }: { readonly asked: ApiRequest; readonly failure: Failure | undefined },
  signal: AbortSignal,
): AsyncIterable<WatchEvent> => {
  const { end, items, push: pushWhole } = streamOf<WatchEvent>(signal)
  const push = (event: WatchEvent): void => pushWhole(selection.isMetadataOnly === true ? bare(event) : event)
  const from = selection.version === undefined ? store.version() : Number(selection.version)
  const first = store.changes()[0]?.version ?? store.version() + 1
  if (selection.version === undefined) {
    for (const object of store.all(selection.resource, selection.namespace)) {
      if (isSelected(object, selection)) push({ _tag: 'Seen', object })
    }
    push({ _tag: 'Version', version: String(from) })
  }
  const broken = failure ?? (from < first - 1 ? ({ _tag: 'Gone', asked } as const) : undefined)
  if (broken !== undefined) {
    push({ _tag: 'Failed', failure: broken })
    end()
    return items
  }
  const tell = (change: Change): void => {
    const event = change.version > from ? eventOf(change, selection) : undefined
    if (event !== undefined) push(event)
  }
  for (const change of store.changes()) tell(change)
  const stop = store.listen(tell)
  const watch: Watch = { push, end }
  open.set(watch, asked)
  signal.addEventListener(
    'abort',
    () => {
      stop()
      open.delete(watch)
    },
    { once: true },
  )
  return items
}
