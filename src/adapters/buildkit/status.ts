/** Turns the messages of Control/Status into build events. */

import { TextDecoder } from 'node:util'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { BuildEvent, SourcePart } from '../../domain/build/event.ts'
import { defined, ifDefined } from '../../domain/object/defined.ts'
import { publicUrl } from '../../domain/text/public-url.ts'
import {
  type Range,
  type SourceInfo,
  StatusResponse,
  type Timestamp,
  type Vertex,
  type VertexLog,
  type VertexStatus,
  type VertexWarning,
} from './gen/buildkit.ts'
import { wholeRanges } from './ranges.ts'

export type StatusReader = {
  /** Left: the bytes are not a valid message. */
  readonly read: (message: Uint8Array) => E.Either<string, ReadonlyArray<BuildEvent>>
  /** Incomplete characters at the end of the output. */
  readonly rest: () => ReadonlyArray<BuildEvent>
  /** The last step that failed. Steps cancelled because of another failure do not count. */
  readonly failed: () => FailedStep | undefined
}

export type FailedStep = { readonly vertex: string; readonly error: string }

/** Fractions of a millisecond are kept: they distinguish a step that ran from one that did not. */
const msOf = ({ nanos, seconds }: Timestamp): number => Number(seconds) * 1000 + nanos / 1e6

const moments = ({
  completed,
  started,
}: Pick<Vertex, 'started' | 'completed'>): { readonly startedMs?: number; readonly endedMs?: number } => ({
  ...defined({ startedMs: ifDefined(started, msOf), endedMs: ifDefined(completed, msOf) }),
})

/** The name of a step may contain the URL of its source. */
const vertexEvent = (vertex: Vertex): BuildEvent => ({
  _tag: 'Vertex',
  digest: vertex.digest,
  name: publicUrl(vertex.name),
  isCached: vertex.cached,
  ...moments(vertex),
  ...(vertex.error === '' ? {} : { error: publicUrl(vertex.error) }),
})

const transferEvent = (status: VertexStatus): BuildEvent => ({
  _tag: 'Transfer',
  vertex: status.vertex,
  id: publicUrl(status.id),
  name: publicUrl(status.name),
  current: Number(status.current),
  total: Number(status.total),
  ...moments(status),
})

/** The text may be invalid UTF-8. */
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

const sourcePart = ({ data, filename }: SourceInfo, ranges: ReadonlyArray<Range>): SourcePart => ({
  file: filename,
  text: textOf(data),
  ranges: wholeRanges(ranges.map(({ end, start }) => ({ start: start?.line ?? 0, end: end?.line ?? 0 }))),
})

const lintEvent = ({ detail, info, ranges, short, url }: VertexWarning): BuildEvent => ({
  _tag: 'Lint',
  text: textOf(short),
  details: detail.map(textOf),
  url,
  ...defined({ source: info && sourcePart(info, ranges) }),
})

const errors = 2

/** A character may arrive in two pieces, with other outputs in between. */
const logReader = () => {
  const outputs = new Map<
    string,
    { readonly log: Pick<VertexLog, 'vertex' | 'stream'>; readonly decoder: TextDecoder }
  >()
  const event = ({ stream, vertex }: Pick<VertexLog, 'vertex' | 'stream'>, text: string): ReadonlyArray<BuildEvent> =>
    text === '' ? [] : [{ _tag: 'Log', vertex, isError: Number(stream) === errors, text }]
  return {
    read: (log: VertexLog): ReadonlyArray<BuildEvent> => {
      const key = `${log.stream} ${log.vertex}`
      const { decoder } = outputs.get(key) ?? { decoder: new TextDecoder() }
      outputs.set(key, { log: { vertex: log.vertex, stream: log.stream }, decoder })
      return event(log, decoder.decode(log.data, { stream: true }))
    },
    rest: (): ReadonlyArray<BuildEvent> =>
      [...outputs.values()].flatMap(({ decoder, log }) => event(log, decoder.decode())),
  }
}

const isGivenUp = (error: string): boolean => /context canceled|code = Canceled/i.test(error)

export const statusReader = (): StatusReader => {
  const logs = logReader()
  let failed: FailedStep | undefined
  return {
    read: (message) =>
      pipe(
        E.tryCatch(
          () => StatusResponse.decode(message),
          () => 'what it says of the build cannot be read',
        ),
        E.map(({ logs: said, statuses, vertexes, warnings }) => {
          for (const { digest, error } of vertexes)
            if (error !== '' && !isGivenUp(error)) failed = { vertex: digest, error: publicUrl(error) }
          return [
            ...vertexes.map(vertexEvent),
            ...statuses.map(transferEvent),
            ...said.flatMap(logs.read),
            ...warnings.map(lintEvent),
          ]
        }),
      ),
    rest: logs.rest,
    failed: () => failed,
  }
}
