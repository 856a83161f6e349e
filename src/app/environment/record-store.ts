/** Keeps the record of an environment in step with what is done. */

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, failureDiagnostic, isAbsent } from '../../domain/cluster/failure.ts'
import type { JsonObject } from '../../domain/cluster/json.ts'
import type { ClusterObject } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { type EnvironmentRecord, emptyRecord, recordBody } from '../../domain/environment/record.ts'
import { defined } from '../../domain/object/defined.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Target } from '../context/target.ts'
import { findRecord, ownKey, type ReadableRecord, readable, recordIn } from './find-record.ts'
import type { Lock } from './lock.ts'

const MANAGER = { manager: 'devtool' }

type RecordNamespace = Pick<Target, 'cluster' | 'namespace'>

/**
 * `write` changes the record and stores it, unless the lock is lost (DT3111). The last write wins, since nobody else
 * writes.
 */
export type RecordStore = {
  readonly previous: EnvironmentRecord | undefined
  readonly now: () => EnvironmentRecord
  readonly write: (change: Partial<EnvironmentRecord>, signal?: AbortSignal) => TE.TaskEither<Diagnostic, void>
}

const isTaken = (failure: Failure): boolean => failure._tag === 'Refused' && failure.status === 409

const save = (
  { cluster, namespace }: RecordNamespace,
  record: EnvironmentRecord,
  live: ClusterObject | undefined,
  signal: AbortSignal | undefined,
): TE.TaskEither<Diagnostic, ClusterObject | undefined> => {
  const options = { ...MANAGER, ...defined({ signal }) }
  const key = ownKey('ConfigMap', namespace, record.environment)
  const replace = (body: JsonObject): TE.TaskEither<Failure, ClusterObject | undefined> =>
    cluster.replace(key, body, options)
  const create = (body: JsonObject) =>
    pipe(
      cluster.create({ resource: resources.ConfigMap, namespace }, body, options),
      TE.flatMap(() => cluster.get(key)),
    )
  const write = (body: JsonObject) =>
    live === undefined
      ? TE.orElse((failure: Failure) => (isTaken(failure) ? replace(body) : TE.left(failure)))(create(body))
      : TE.orElse((failure: Failure) => (isAbsent(failure) ? create(body) : TE.left(failure)))(replace(body))
  return pipe(
    TE.fromEither(recordBody(namespace, record)),
    TE.flatMap((body) => TE.mapLeft(failureDiagnostic)(write(body))),
  )
}

/**
 * Reads the existing record. DT3113 when it is invalid. `previous`: `undefined` when the environment has no record yet.
 */
export const openRecordStore =
  ({ clock, machine }: Pick<Ports, 'clock' | 'machine'>) =>
  (
    place: RecordNamespace,
    environment: string,
    lock: Pick<Lock, 'check'>,
    signal: AbortSignal,
  ): TE.TaskEither<Diagnostic, RecordStore> => {
    const open = (found: ReadableRecord): RecordStore => {
      const previous = recordIn(found)
      let record = previous ?? emptyRecord(environment)
      let live = found._tag === 'Known' ? found.live : undefined
      return {
        previous,
        now: () => record,
        write: (change, ends) => async () => {
          const lost = lock.check()
          if (lost !== undefined) return E.left(lost)
          record = { ...record, ...change, who: machine.who, when: clock.date() }
          const saved = await save(place, record, live, ends)()
          live = E.getOrElse((): ClusterObject | undefined => undefined)(saved) ?? live
          return E.map(() => undefined)(saved)
        },
      }
    }
    return pipe(findRecord(place, environment, signal), TE.flatMapEither(readable), TE.map(open))
  }
