/** Watches objects as the API server streams them. Never retries: the caller knows where to resume. */
import * as E from 'fp-ts/lib/Either.js'
import type { ApiRequest, Failure } from '../../domain/cluster/failure.ts'
import { at, type JsonObject, objectAt, textAt } from '../../domain/cluster/json.ts'
import { pathOfAll, type Resource } from '../../domain/cluster/resources.ts'
import type { Cluster, WatchEvent } from '../../ports/cluster.ts'
import { readObject, refusalOf } from './api/answer.ts'
import { askedOf, queryOf } from './api/paths.ts'
import { streamLines } from './api/stream.ts'
import type { ApiTransport } from './api/transport.ts'
import { typed } from './read.ts'

/** A stalled stream looks like one without events, and must be noticed within a minute. */
const idleMs = 40_000
/** Less than that: a quiet stream that works is ended by the server. */
const lastsSeconds = 35
/** Some servers do not end it themselves. */
const longestMs = lastsSeconds * 1000 + idleMs
const metadataOnly = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json'
/** Larger than any object can be. */
const limitBytes = 64 * 1024 * 1024

const broken = (server: string, asked: ApiRequest): Failure => ({
  _tag: 'Unreachable',
  asked,
  server,
  cause: 'the stream has something that is not a watch event',
  mayHaveHappened: false,
})

const eventOf = (server: string, asked: ApiRequest, resource: Resource, json: JsonObject | undefined): WatchEvent => {
  const [object] = typed(resource, at(json, 'object'))
  switch (textAt(json, 'type') ?? '') {
    case 'ADDED':
    case 'MODIFIED':
      if (object !== undefined) return { _tag: 'Seen', object }
      break
    case 'DELETED':
      if (object !== undefined) return { _tag: 'Removed', object }
      break
    case 'BOOKMARK':
      return { _tag: 'Version', version: textAt(json, 'object', 'metadata', 'resourceVersion') ?? '' }
    case 'ERROR':
      return { _tag: 'Failed', failure: refusalOf(asked, 0, JSON.stringify(objectAt(json, 'object'))) }
    default:
      break
  }
  return { _tag: 'Failed', failure: broken(server, asked) }
}

async function* eventsFrom(
  upstream: ApiTransport,
  selection: Parameters<Cluster['watch']>[0],
  version: string,
  signal: AbortSignal,
): AsyncGenerator<WatchEvent, void, undefined> {
  const asked = askedOf('watch', selection)
  const query = queryOf({
    watch: 'true',
    allowWatchBookmarks: 'true',
    resourceVersion: version,
    timeoutSeconds: String(lastsSeconds),
    labelSelector: selection.labels,
    fieldSelector: selection.fields,
  })
  const path = `${pathOfAll(selection)}${query}`
  const accept = selection.isMetadataOnly === true ? metadataOnly : 'application/json'
  const ending = new AbortController()
  const letGo = upstream.clock.after(longestMs, () => ending.abort())
  const until = AbortSignal.any([signal, ending.signal])
  try {
    for await (const line of streamLines(upstream, { asked, path, accept, idleMs, limitBytes }, until)) {
      const event =
        line._tag === 'Failed' ? line : eventOf(upstream.server, asked, selection.resource, readObject(line.text))
      yield event
      if (event._tag === 'Failed') return
    }
  } finally {
    letGo()
  }
}

/** {@link Cluster.watch}: begins with the existing objects when there is no version to resume from. */
export const watching = (upstream: ApiTransport, list: Cluster['list']): Cluster['watch'] =>
  async function* (selection, signal) {
    if (selection.version !== undefined) {
      yield* eventsFrom(upstream, selection, selection.version, signal)
      return
    }
    const { isMetadataOnly = false } = selection
    const listed = await list(selection, { isMetadataOnly, signal })()
    if (E.isLeft(listed)) {
      if (listed.left._tag !== 'Aborted') yield { _tag: 'Failed', failure: listed.left }
      return
    }
    for (const object of listed.right.items) yield { _tag: 'Seen', object }
    yield { _tag: 'Version', version: listed.right.version }
    yield* eventsFrom(upstream, selection, listed.right.version, signal)
  }
