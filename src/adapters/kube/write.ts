/** Changing objects. Which of these may be asked twice is decided here. */
import * as E from 'fp-ts/lib/Either.js'
import { type JsonObject, textAt } from '../../domain/cluster/json.ts'
import { pathOf, pathOfAll } from '../../domain/cluster/resources.ts'
import type { Cluster, WriteOptions } from '../../ports/cluster.ts'
import { readObject } from './api/answer.ts'
import { askedFor, askedOf, queryOf } from './api/paths.ts'
import type { Asker } from './api/request.ts'
import { liveOr, noObject } from './read.ts'

const dryRun = (isDryRun: boolean | undefined): Readonly<Record<string, string | undefined>> => ({
  dryRun: isDryRun === true ? 'All' : undefined,
})

const writeQuery = ({ isDryRun, manager }: WriteOptions): Readonly<Record<string, string | undefined>> => ({
  fieldManager: manager,
  ...dryRun(isDryRun),
})

/** Says which object it means, so that a second one of the same name is left alone. */
const namesUid = (body: JsonObject | undefined): boolean => textAt(body, 'metadata', 'uid') !== undefined

/** A second write would meet the version of the first one. */
const namesVersion = (body: JsonObject | undefined): boolean =>
  textAt(body, 'metadata', 'resourceVersion') !== undefined

/** Questions that are asked by creating them keep nothing. */
const isReview = (kind: string): boolean => kind.endsWith('Review')

export const applying =
  (ask: Asker, server: string): Cluster['apply'] =>
  (key, body, options) =>
  async () => {
    const asked = askedFor('patch', key)
    const { force, isDryRun, signal } = options
    const query = queryOf({
      ...writeQuery(options),
      fieldValidation: 'Strict',
      force: force === undefined ? undefined : String(force),
    })
    const named = readObject(body)
    const answer = await ask({
      asked,
      method: 'PATCH',
      path: `${pathOf(key)}${query}`,
      type: 'application/apply-patch+yaml',
      body,
      signal,
      isRepeatable: isDryRun === true || (namesUid(named) && !namesVersion(named)),
      repeatsStale: !namesVersion(named),
    })()
    if (E.isLeft(answer)) return answer
    const { json, status, warnings } = answer.right
    const object = liveOr(json, () => noObject(asked, server))
    return E.isLeft(object) ? object : E.right({ object: object.right, isNew: status === 201, warnings })
  }

export const creating =
  (ask: Asker): Cluster['create'] =>
  (selection, body, options) =>
  async () => {
    const answer = await ask({
      asked: askedOf('create', selection),
      method: 'POST',
      path: `${pathOfAll(selection)}${queryOf(writeQuery(options))}`,
      type: 'application/json',
      body: JSON.stringify(body),
      signal: options.signal,
      isRepeatable: options.isDryRun === true || isReview(selection.resource.kind),
    })()
    return E.isLeft(answer) ? answer : E.right(answer.right.json)
  }

export const replacing =
  (ask: Asker, server: string): Cluster['replace'] =>
  (key, body, options) =>
  async () => {
    const asked = askedFor('update', key)
    const answer = await ask({
      asked,
      method: 'PUT',
      path: `${pathOf(key)}${queryOf(writeQuery(options))}`,
      type: 'application/json',
      body: JSON.stringify(body),
      signal: options.signal,
      isRepeatable: options.isDryRun === true || !namesVersion(body),
      repeatsStale: !namesVersion(body),
    })()
    return E.isLeft(answer) ? answer : liveOr(answer.right.json, () => noObject(asked, server))
  }

export const merging =
  (ask: Asker, server: string): Cluster['merge'] =>
  (key, body, options) =>
  async () => {
    const asked = askedFor('patch', key)
    const answer = await ask({
      asked,
      method: 'PATCH',
      path: `${pathOf(key)}${queryOf(writeQuery(options))}`,
      type: 'application/merge-patch+json',
      body: JSON.stringify(body),
      signal: options.signal,
      isRepeatable: options.isDryRun === true || !namesVersion(body),
      repeatsStale: !namesVersion(body),
    })()
    return E.isLeft(answer) ? answer : liveOr(answer.right.json, () => noObject(asked, server))
  }

export const removing =
  (ask: Asker): Cluster['remove'] =>
  (key, { isDryRun, propagation, resourceVersion, signal, uid }) =>
  async () => {
    const preconditions = {
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    }
    const answer = await ask({
      asked: askedFor('delete', key),
      method: 'DELETE',
      path: `${pathOf(key)}${queryOf(dryRun(isDryRun))}`,
      type: 'application/json',
      body: JSON.stringify({
        kind: 'DeleteOptions',
        apiVersion: 'v1',
        propagationPolicy: propagation,
        preconditions,
      }),
      signal,
      isRepeatable: isDryRun === true || (uid !== undefined && resourceVersion === undefined),
    })()
    if (E.isLeft(answer)) {
      const { left } = answer
      return left._tag === 'Refused' && left.status === 404 ? E.right('Absent') : answer
    }
    // A Status says that it is gone, an object that it is still there.
    return E.right(answer.right.json['kind'] === 'Status' ? 'Absent' : 'Going')
  }
