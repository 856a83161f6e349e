/** Carries out the steps of reading the log of one container. Every line is returned once. */

import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Failure } from '../../domain/cluster/failure.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { isLogLost, type LogLine, splitTime } from '../../domain/logs/line.ts'
import {
  beginLog,
  type LogInstances,
  type LogReaderCommand,
  type LogReaderEvent,
  type LogReading,
  type LogTrouble,
  stepLog,
} from '../../domain/logs/reader.ts'
import { reading as readingOf } from '../../domain/logs/resume.ts'
import { containersOf, keyOf, type LogContainer } from '../../domain/logs/sources.ts'
import { defined } from '../../domain/object/defined.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Cluster, LogOptions } from '../../ports/cluster.ts'

/** `latest`: the container's state according to a watch; `changed` resolves when it may have changed. */
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

export type LogRead = { readonly _tag: 'Line'; readonly line: LogLine } | LogTrouble

type StreamEnd = Extract<LogReaderEvent, { readonly _tag: 'Ended' }>

/** Yields the new lines; returns how the stream ended. */
async function* stream(
  { cluster, namespace, signal }: ReaderWorld,
  { container, pod }: LogContainer,
  options: Omit<LogOptions, 'container' | 'timestamps'>,
  isNew: (time: string) => boolean,
): AsyncGenerator<LogRead, StreamEnd, undefined> {
  const key = { resource: resources.Pod, namespace, name: pod }
  let hasLines = false
  let failure: Failure | undefined
  for await (const item of cluster.logs(key, { ...options, container, timestamps: true }, signal)) {
    if (item._tag === 'Failed') failure = item.failure
    else {
      const line = splitTime(item.text)
      if (isLogLost(line)) {
        const asked = { verb: 'get the log of', what: `Pod/${pod}`, namespace }
        failure = { _tag: 'Refused', asked, status: 400, reason: 'BadRequest', message: line.text, causes: [] }
        continue
      }
      if (!isNew(line.time)) continue
      hasLines = true
      yield { _tag: 'Line', line }
    }
  }
  return { _tag: 'Ended', hasLines, ...defined({ failure }) }
}

/** The container's state from the server; `undefined` when its pod is gone. */
const look = ({ cluster, namespace, signal }: ReaderWorld, container: LogContainer): Promise<LogReaderEvent> => {
  const work = pipe(
    cluster.get({ resource: resources.Pod, namespace, name: container.pod }, signal),
    TE.map((live) => (live === undefined ? [] : containersOf(live))),
    TE.match(
      (): LogReaderEvent => ({ _tag: 'LookFailed' }),
      (all): LogReaderEvent => ({ _tag: 'Looked', now: all.find((one) => keyOf(one) === keyOf(container)) }),
    ),
  )
  return work()
}

type WaitingCommand = Exclude<LogReaderCommand, { readonly _tag: 'Stream' | 'Stop' }>

const carryOut = async (
  world: ReaderWorld,
  container: LogContainer,
  command: WaitingCommand,
): Promise<LogReaderEvent> => {
  switch (command._tag) {
    case 'Sleep':
      await world.clock.sleep(command.ms, world.signal)
      return { _tag: 'Slept' }
    case 'Look':
      return look(world, container)
    case 'Peek':
      if (command.isLater) await world.changed()
      return { _tag: 'Seen', now: world.latest(keyOf(container)) }
  }
}

/**
 * Ends when no more lines can come: without following, at the end of the log; otherwise when the container has ended or
 * its pod is gone. `tail`: lines from the end, absent for all.
 */
export async function* readLog(
  world: ReaderWorld,
  first: LogContainer,
  { instances, tail }: { readonly instances: LogInstances; readonly tail?: number },
): AsyncGenerator<LogRead, void, undefined> {
  const { isFollowing, signal, sinceSeconds } = world
  const how: LogReading = { isFollowing, instances }
  const lines = readingOf(tail === undefined)
  let { command, state } = beginLog(how, first)
  while (command._tag !== 'Stop' && !signal.aborted) {
    let event: LogReaderEvent
    if (command._tag === 'Stream') {
      const since = lines.since()
      const from = since === undefined ? { sinceSeconds, ...defined({ tail }) } : { sinceTime: since }
      const options = { ...from, follow: command.isFollowed, isPrevious: command.isPrevious }
      lines.reopen()
      event = yield* stream(world, state.container, options, lines.isNew)
    } else event = await carryOut(world, state.container, command)
    const next = stepLog(how, state, event)
    if (next.trouble !== undefined) yield next.trouble
    ;({ command, state } = next)
  }
}
