/**
 * Follows the log of a run: from its pod while that exists, then from its record. Each line has a number, so a client
 * that has lost the connection can resume at any replica without losing or repeating lines. The pod is followed once for
 * all clients of this replica, with the permissions of the first.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ClusterObject } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { RUN_LABEL } from '../../domain/k8s/labels.ts'
import type { EventStream, ServerEvent } from '../../domain/platform/api/events.ts'
import { hasRunLog, RUN_CONTAINER, RunLine, readRunLine, unpackLog } from '../../domain/platform/run/log.ts'
import { hasEnded, logIn, RunRecord, runIn, runName } from '../../domain/platform/run/record.ts'
import { pauseAfter } from '../../domain/time/backoff.ts'
import type { Cluster } from '../../ports/cluster.ts'
import { type Shared, shared } from '../concurrency/shared.ts'
import { asUser, foundRun } from './runs.ts'
import type { Handlers, PlatformWorld } from './world.ts'

const pauses = { firstMs: 300, longestMs: 2000 }
/** Failures of the cluster in a row, after which the client has to ask again. */
const mostFailures = 10

const lineEvent = (line: RunLine): ServerEvent => ({ event: 'log', id: line.n, data: { ...RunLine.encode(line) } })
const endEvent = (run: RunRecord): ServerEvent => ({
  event: 'end',
  data: JSON.parse(JSON.stringify({ run: RunRecord.encode(run) })),
})

type Feeds = Shared<ServerEvent>

type Followed = { readonly cluster: Cluster; readonly namespace: string; readonly id: string }

/** The pod, if its log can be read. */
const podOf = (
  { cluster, id, namespace }: Followed,
  signal: AbortSignal,
): TE.TaskEither<unknown, ClusterObject | undefined> =>
  pipe(
    cluster.list({ resource: resources.Pod, namespace, labels: `${RUN_LABEL}=${id}` }, { signal }),
    TE.map(({ items }) => items.find(hasRunLog)),
  )

/**
 * The lines that can be read now, from the beginning. The record has only the last lines of a long log, so it is read
 * when the pod yields no more.
 */
async function* linesNow(followed: Followed, live: ClusterObject, run: RunRecord, signal: AbortSignal) {
  const { cluster, namespace } = followed
  const found = await podOf(followed, signal)()
  if (found._tag === 'Left') return
  const pod = found.right
  if (pod !== undefined) {
    const key = { resource: resources.Pod, namespace, name: pod.metadata.name }
    for await (const item of cluster.logs(key, { container: RUN_CONTAINER, follow: !hasEnded(run) }, signal)) {
      const line = item._tag === 'Line' ? readRunLine(item.text) : undefined
      if (line !== undefined) yield line
    }
  }
  const packed = logIn(live)
  if (packed !== undefined && (pod === undefined || hasEnded(run))) yield* unpackLog(packed)
}

const readOnce = async (
  { cluster, id, namespace }: Followed,
  signal: AbortSignal,
): Promise<{ readonly live: ClusterObject; readonly run: RunRecord } | undefined> => {
  const found = await cluster.get({ resource: resources.ConfigMap, namespace, name: runName(id) }, signal)()
  const live = E.isRight(found) ? found.right : undefined
  const run = live === undefined ? undefined : runIn(live)
  return live === undefined || run === undefined ? undefined : { live, run }
}

/** Ends without the event `end` when the record cannot be read any more: the client then asks again. */
const runEvents = ({ sleep }: PlatformWorld['clock'], followed: Followed): EventStream =>
  async function* events(signal) {
    let [last, quiet, failures] = [0, 0, 0]
    while (!signal.aborted && failures < mostFailures) {
      const found = await readOnce(followed, signal)
      failures = found === undefined ? failures + 1 : 0
      quiet += 1
      if (found !== undefined) {
        for await (const line of linesNow(followed, found.live, found.run, signal)) {
          if (line.n <= last) continue
          last = line.n
          quiet = 0
          yield lineEvent(line)
        }
        if (hasEnded(found.run) && !signal.aborted) {
          yield endEvent(found.run)
          return
        }
      }
      await sleep(pauseAfter(pauses, quiet), signal)
    }
  }

/** The lines after this one that can be read now, with the client's own permissions. Whether it could read them. */
async function* missed(followed: Followed, last: number, signal: AbortSignal): AsyncGenerator<RunLine, boolean> {
  const { cluster, namespace } = followed
  const found = await readOnce(followed, signal)
  const pod = found === undefined ? undefined : await podOf(followed, signal)()
  if (found === undefined || pod === undefined || pod._tag === 'Left') return false
  if (pod.right === undefined) {
    for (const line of unpackLog(logIn(found.live) ?? new Uint8Array())) if (line.n > last) yield line
    return true
  }
  const key = { resource: resources.Pod, namespace, name: pod.right.metadata.name }
  for await (const item of cluster.logs(key, { container: RUN_CONTAINER, follow: false }, signal)) {
    if (item._tag === 'Failed') return false
    const line = readRunLine(item.text)
    if (line !== undefined && line.n > last) yield line
  }
  return true
}

/** Ends without the event `end` when nothing comes any more: the client then asks again. */
const sharedEvents = (clock: PlatformWorld['clock'], feeds: Feeds, followed: Followed, after: number): EventStream =>
  async function* events(signal) {
    let last = after
    async function* catchUp(): AsyncGenerator<ServerEvent, boolean> {
      const lines = missed(followed, last, signal)
      for (;;) {
        const next = await lines.next()
        if (next.done === true) return next.value
        last = next.value.n
        yield lineEvent(next.value)
      }
    }
    for (let tries = 0; tries < mostFailures && !signal.aborted; tries += 1) {
      const before = last
      const feed = feeds(`${followed.namespace}/${followed.id}`, runEvents(clock, followed))
      try {
        for await (const event of feed.items(signal)) {
          const { id } = event
          if (id === undefined) {
            yield event
            return
          }
          // Those before are not kept for who comes later.
          if (id > last + 1 && !feed.isFirst && !(yield* catchUp())) break
          if (id <= last) continue
          last = id
          yield event
        }
      } finally {
        feed.leave()
      }
      if (last > before) tries = 0
      else if (feed.isFirst) return
      await clock.sleep(pauseAfter(pauses, tries), signal)
    }
  }

export const runLogHandlers = (world: PlatformWorld): Handlers<'followRun'> => {
  const feeds: Feeds = shared()
  return {
    followRun: ({ caller, headers: { 'last-event-id': after = 0 }, params: { namespace, run: id } }) => {
      const cluster = asUser(world, caller)
      return pipe(
        foundRun(cluster, namespace, id),
        TE.map(() => sharedEvents(world.clock, feeds, { cluster, namespace, id }, after)),
      )
    },
  }
}
