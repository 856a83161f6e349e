/**
 * The log of one container from where it is to begin, whatever happens on the way: streams that break are gone on with,
 * instances that replace each other are read one after the other. Every line comes once.
 */

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, isForbidden } from '../../domain/cluster/failure.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { type LogLine, splitTime } from '../../domain/logs/line.ts'
import { type Reading, reading } from '../../domain/logs/resume.ts'
import { containersOf, keyOf, type LogContainer } from '../../domain/logs/sources.ts'
import { defined } from '../../domain/object/defined.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Cluster, LogOptions } from '../../ports/cluster.ts'

/** `latest`: what a watch knows of the container; `changed` ends when it may know more. */
export type ReaderWorld = {
  readonly cluster: Cluster
  readonly clock: Clock
  readonly namespace: string
  readonly signal: AbortSignal
  readonly sinceSeconds: number
  readonly isFollowing: boolean
  readonly changed: () => Promise<void>
  readonly latest: (key: string) => LogContainer | undefined
}

/** `Lost`: it goes on when the cluster answers again; `Failed` is the last item. */
export type Read =
  | { readonly _tag: 'Line'; readonly line: LogLine }
  | { readonly _tag: 'Lost' | 'Failed'; readonly failure: Failure }

const shortestPauseMs = 250
const longestPauseMs = 10_000
/** How often a log that is not followed is asked for again without a line in between. */
const mostTries = 5

type Streamed = Read | { readonly _tag: 'Skipped' }

async function* stream(
  { cluster, namespace, signal }: ReaderWorld,
  { container, pod }: LogContainer,
  options: Omit<LogOptions, 'container' | 'timestamps'>,
  isNew: (time: string) => boolean,
): AsyncGenerator<Streamed, void, undefined> {
  const key = { resource: resources.Pod, namespace, name: pod }
  for await (const item of cluster.logs(key, { ...options, container, timestamps: true }, signal)) {
    if (item._tag === 'Failed') yield { _tag: 'Lost', failure: item.failure }
    else {
      const line = splitTime(item.text)
      yield isNew(line.time) ? { _tag: 'Line', line } : { _tag: 'Skipped' }
    }
  }
}

/** The container as the server has it now; `undefined` when its pod is gone. */
const current = (
  { cluster, namespace, signal }: ReaderWorld,
  container: LogContainer,
): TE.TaskEither<Failure, LogContainer | undefined> =>
  pipe(
    cluster.get({ resource: resources.Pod, namespace, name: container.pod }, signal),
    TE.map((live) => (live === undefined ? [] : containersOf(live))),
    TE.map((now) => now.find((candidate) => keyOf(candidate) === keyOf(container))),
  )

/** Waits until there is something to read again; tells whether there ever will be. */
const awaitMore = async (world: ReaderWorld, container: LogContainer, restarts: number): Promise<boolean> => {
  for (;;) {
    if (world.signal.aborted) return false
    const now = world.latest(keyOf(container))
    if (now === undefined) return false
    if (now.isRunning || now.isOver || now.restarts > restarts) return true
    await world.changed()
  }
}

/** Temporary: nobody answered, or the container is just being made. A log that is gone for good is a refusal, too. */
const isFinal = (failure: Failure): boolean =>
  failure._tag === 'Aborted' || isForbidden(failure) || (failure._tag === 'Refused' && failure.status === 404)

type Task = {
  readonly world: ReaderWorld
  readonly read: Reading
  /** How the log is asked for until a line has been read. */
  readonly begin: Pick<LogOptions, 'sinceSeconds' | 'tail'>
}

const from = ({ begin, read }: Task): Pick<LogOptions, 'sinceSeconds' | 'sinceTime' | 'tail'> => {
  const sinceTime = read.since()
  return sinceTime === undefined ? begin : { sinceTime }
}

/** What is left of an instance that has ended; that it cannot be read any more is no failure. */
async function* rest(task: Task, container: LogContainer, isPrevious: boolean): AsyncGenerator<Read, void, undefined> {
  const { read, world } = task
  read.reopen()
  const items = stream(world, container, { ...from(task), follow: false, isPrevious }, read.isNew)
  for await (const item of items) if (item._tag === 'Line') yield item
  read.reopen()
}

/**
 * After a stream has ended: what is left of instances that are over, then the container to go on with, `undefined` when
 * there is none. When the cluster does not answer it is the same as before.
 */
async function* goOn(task: Task, container: LogContainer): AsyncGenerator<Read, LogContainer | undefined, undefined> {
  const { read, world } = task
  read.reopen()
  const now = await current(world, container)()
  if (E.isLeft(now)) return container
  if (now.right === undefined) return undefined
  const isNext = now.right.restarts > container.restarts
  if (isNext) yield* rest(task, container, true)
  if (isNext || now.right.isRunning || now.right.isOver) return now.right
  yield* rest(task, container, false)
  if (!(await awaitMore(world, container, now.right.restarts))) return undefined
  const next = world.latest(keyOf(container))
  if (next !== undefined && next.restarts > now.right.restarts + 1) yield* rest(task, container, true)
  return next
}

/**
 * Ends when nothing more can come: not followed, at the end; else when the container is over or its pod is gone. `tail`:
 * lines from the end, absent for all; `hasPrevious`: the instance before the present one is read, too.
 */
export async function* readLog(
  world: ReaderWorld,
  first: LogContainer,
  { hasPrevious, tail }: { readonly hasPrevious: boolean; readonly tail?: number },
): AsyncGenerator<Read, void, undefined> {
  const { clock, isFollowing, signal, sinceSeconds } = world
  const task = {
    world,
    read: reading(tail === undefined),
    begin: { sinceSeconds, ...defined({ tail }) },
  }
  if (hasPrevious && first.restarts > 0) yield* rest(task, first, true)
  let container = first
  let pauseMs = shortestPauseMs
  for (let tries = 0; !signal.aborted; tries += 1) {
    const wasOver = container.isOver
    let lost: Failure | undefined
    for await (const item of stream(world, container, { ...from(task), follow: isFollowing }, task.read.isNew)) {
      if (item._tag === 'Lost') lost = item.failure
      if (item._tag !== 'Line') continue
      yield item
      pauseMs = shortestPauseMs
      tries = 0
    }
    if (lost === undefined && (wasOver || !isFollowing)) return
    if (lost !== undefined) {
      const isLast = isFinal(lost) || (!isFollowing && (lost._tag === 'Refused' || tries >= mostTries))
      yield { _tag: isLast ? 'Failed' : 'Lost', failure: lost }
      if (isLast) return
    }
    await clock.sleep(pauseMs, signal)
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    task.read.reopen()
    const next = isFollowing && !signal.aborted ? yield* goOn(task, container) : container
    if (next === undefined) return
    container = next
  }
}
