/** Changes objects, and decides which requests may be retried. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Failure } from '../../domain/cluster/failure.ts'
import { type JsonObject, textAt } from '../../domain/cluster/json.ts'
import { pathOf, pathOfAll } from '../../domain/cluster/resources.ts'
import { defined } from '../../domain/object/defined.ts'
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

/** The request identifies the object, so a second one with the same name is left alone. */
const namesUid = (body: JsonObject | undefined): boolean => textAt(body, 'metadata', 'uid') !== undefined

/** A retry would conflict with the version written by the first attempt. */
const namesVersion = (body: JsonObject | undefined): boolean =>
  textAt(body, 'metadata', 'resourceVersion') !== undefined

/** The state of an object after its deletion. */
type Removal = 'Absent' | 'Going'

/** Reviews are created to ask a question, and nothing is stored. */
const isReview = (kind: string): boolean => kind.endsWith('Review')

export const applying =
  (ask: Asker, server: string): Cluster['apply'] =>
  (key, body, options) => {
    const asked = askedFor('patch', key)
    const { force, isDryRun, signal } = options
    const query = queryOf({
      ...writeQuery(options),
      fieldValidation: 'Strict',
      force: force === undefined ? undefined : String(force),
    })
    const named = readObject(body)
    return pipe(
      ask({
        asked,
        method: 'PATCH',
        path: `${pathOf(key)}${query}`,
        type: 'application/apply-patch+yaml',
        body,
        signal,
        isRepeatable: isDryRun === true || (namesUid(named) && !namesVersion(named)),
        repeatsStale: !namesVersion(named),
      }),
      TE.flatMapEither(({ json, status, warnings }) =>
        pipe(
          liveOr(json, () => noObject(asked, server)),
          E.map((object) => ({ object, isNew: status === 201, warnings })),
        ),
      ),
    )
  }

export const creating =
  (ask: Asker): Cluster['create'] =>
  (selection, body, options) =>
    pipe(
      ask({
        asked: askedOf('create', selection),
        method: 'POST',
        path: `${pathOfAll(selection)}${queryOf(writeQuery(options))}`,
        type: 'application/json',
        body: JSON.stringify(body),
        signal: options.signal,
        isRepeatable: options.isDryRun === true || isReview(selection.resource.kind),
      }),
      TE.map(({ json }) => json),
    )

type Change = { readonly verb: string; readonly method: 'PUT' | 'PATCH'; readonly type: string }

/** A body without a resourceVersion applies to any version, so it may be sent again. */
const changing =
  ({ method, type, verb }: Change) =>
  (ask: Asker, server: string): Cluster['replace'] & Cluster['merge'] =>
  (key, body, options) => {
    const asked = askedFor(verb, key)
    return pipe(
      ask({
        asked,
        method,
        path: `${pathOf(key)}${queryOf(writeQuery(options))}`,
        type,
        body: JSON.stringify(body),
        signal: options.signal,
        isRepeatable: options.isDryRun === true || !namesVersion(body),
        repeatsStale: !namesVersion(body),
      }),
      TE.flatMapEither(({ json }) => liveOr(json, () => noObject(asked, server))),
    )
  }

export const replacing = changing({ verb: 'update', method: 'PUT', type: 'application/json' })
export const merging = changing({ verb: 'patch', method: 'PATCH', type: 'application/merge-patch+json' })

export const removing =
  (ask: Asker): Cluster['remove'] =>
  (key, { isDryRun, propagation, resourceVersion, signal, uid }) =>
    pipe(
      ask({
        asked: askedFor('delete', key),
        method: 'DELETE',
        path: `${pathOf(key)}${queryOf(dryRun(isDryRun))}`,
        type: 'application/json',
        body: JSON.stringify({
          kind: 'DeleteOptions',
          apiVersion: 'v1',
          propagationPolicy: propagation,
          preconditions: defined({ uid, resourceVersion }),
        }),
        signal,
        isRepeatable: isDryRun === true || (uid !== undefined && resourceVersion === undefined),
      }),
      // A Status means that the object is gone, an object that it still exists.
      TE.map(({ json }): Removal => (json['kind'] === 'Status' ? 'Absent' : 'Going')),
      TE.orElse((failure) =>
        failure._tag === 'Refused' && failure.status === 404 ? TE.right<Failure, Removal>('Absent') : TE.left(failure),
      ),
    )
