/** Gets and lists objects. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Failure } from '../../domain/cluster/failure.ts'
import { isObject, type Json, type JsonObject, listAt, textAt } from '../../domain/cluster/json.ts'
import { type ClusterObject, isLive } from '../../domain/cluster/live.ts'
import { apiVersionOf, pathOf, pathOfAll, type Resource } from '../../domain/cluster/resources.ts'
import { defined } from '../../domain/object/defined.ts'
import type { Cluster, Listing, Page } from '../../ports/cluster.ts'
import { tooLarge } from '../http/body.ts'
import { bodyLimits } from './api/answer.ts'
import { askedFor, askedOf, queryOf } from './api/paths.ts'
import type { Asker } from './api/request.ts'

const pageSize = 500
/**
 * A list whose continue token expires is started again; if this happens repeatedly, the list is too large for the
 * server.
 */
const mostBeginnings = 4
const metadataOnly = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json'

/** The response as an object; anything else is a failure. */
export const liveOr = (json: JsonObject, failure: () => Failure): E.Either<Failure, ClusterObject> =>
  isLive(json) ? E.right(json) : E.left(failure())

/** The failure for a response that is not an object of the API. */
export const noObject = (asked: Failure['asked'], server: string): Failure => ({
  _tag: 'Unreachable',
  asked,
  server,
  cause: 'the response is not a Kubernetes object',
  mayHaveHappened: asked.verb !== 'get' && asked.verb !== 'list',
})

export const getting =
  (ask: Asker, server: string): Cluster['get'] =>
  (key, signal) =>
  async () => {
    const asked = askedFor('get', key)
    const answer = await ask({ asked, method: 'GET', path: pathOf(key), signal, isRepeatable: true })()
    if (E.isRight(answer)) return liveOr(answer.right.json, () => noObject(asked, server))
    const { left } = answer
    return left._tag === 'Refused' && left.status === 404 ? E.right(undefined) : answer
  }

/** Adds the members that items of lists lack. */
export const typed = (resource: Resource, item: Json | undefined): ReadonlyArray<ClusterObject> => {
  const object = isObject(item) ? { ...item, apiVersion: apiVersionOf(resource), kind: resource.kind } : undefined
  return isLive(object) ? [object] : []
}

export const paging =
  (ask: Asker): Cluster['page'] =>
  (selection, { isMetadataOnly = false, limit, next, signal }) => {
    const query = queryOf({
      limit: String(limit),
      continue: next,
      labelSelector: selection.labels,
      fieldSelector: selection.fields,
    })
    const toPage = (json: JsonObject): Page => ({
      items: listAt(json, 'items').flatMap((item) => typed(selection.resource, item)),
      version: textAt(json, 'metadata', 'resourceVersion') ?? '',
      ...defined({ next: textAt(json, 'metadata', 'continue') || undefined }),
    })
    return pipe(
      ask({
        asked: askedOf('list', selection),
        method: 'GET',
        path: `${pathOfAll(selection)}${query}`,
        accept: isMetadataOnly ? metadataOnly : 'application/json',
        limitBytes: bodyLimits.list,
        signal,
        isRepeatable: true,
      }),
      TE.map(({ json }) => toPage(json)),
    )
  }

/** Pages of objects that are unusually large are asked for again, with fewer of them. */
const isTooLarge = (failure: Failure): boolean => failure._tag === 'Unreachable' && failure.cause === tooLarge

export const listing =
  (page: Cluster['page']): Cluster['list'] =>
  (selection, options = {}) =>
  async () => {
    const all: TE.TaskEither<Failure, Listing> = async () => {
      const items: Array<ClusterObject> = []
      let limit = pageSize
      for (let next: string | undefined; ; ) {
        const answer = await page(selection, { ...options, limit, ...defined({ next }) })()
        if (E.isLeft(answer) && limit > 1 && isTooLarge(answer.left)) {
          limit = Math.ceil(limit / 10)
          continue
        }
        if (E.isLeft(answer)) return answer
        for (const item of answer.right.items) items.push(item)
        next = answer.right.next
        if (next === undefined) return E.right({ items, version: answer.right.version })
      }
    }
    let listed = await all()
    for (let times = 1; times < mostBeginnings && E.isLeft(listed) && listed.left._tag === 'Gone'; times += 1) {
      listed = await all()
    }
    return listed
  }
