/** Keeps the record of an environment in step with what is done. */

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  type Failure,
  failureDiagnostic,
  isAbsent,
  isConflict,
  isStale,
  isUnsure,
} from '../../domain/cluster/failure.ts'
import { isObject, type JsonObject, textAt } from '../../domain/cluster/json.ts'
import { type ClusterObject, isLive } from '../../domain/cluster/live.ts'
import { type ObjectKey, resources } from '../../domain/cluster/resources.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { type EnvironmentRecord, emptyRecord, recordBody } from '../../domain/environment/record.ts'
import { defined } from '../../domain/object/defined.ts'
import { type Backoff, pauseAfter } from '../../domain/time/backoff.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Target } from '../context/target.ts'
import { findRecord, type KnownRecord, ownKey, type ReadableRecord, readable, recordIn } from './find-record.ts'
import type { Lock } from './lock.ts'

const MANAGER = { manager: 'devtool' }

type RecordNamespace = Pick<Target, 'cluster' | 'namespace'>

/**
 * `write` changes the record and stores it, unless the lock is lost (DT3111). A late write, after which another run may
 * have the lock, changes nothing that somebody else wrote.
 */
export type RecordStore = {
  /** The object that was read. */
  readonly found: ClusterObject | undefined
  readonly previous: EnvironmentRecord | undefined
  readonly now: () => EnvironmentRecord
  /** Changes what will be written next. */
  readonly note: (change: Partial<EnvironmentRecord>) => void
  readonly write: (change: Partial<EnvironmentRecord>, signal?: AbortSignal) => TE.TaskEither<Diagnostic, void>
}

const atVersion = (body: JsonObject, { metadata: { resourceVersion, uid } }: ClusterObject): JsonObject => {
  const { metadata } = body
  return { ...body, metadata: { ...(isObject(metadata) ? metadata : {}), resourceVersion, uid } }
}

const mostTries = 6
const backoff: Backoff = { firstMs: 200, longestMs: 6400 }

/** The content of a record, without the metadata of its ConfigMap, which others may change. */
const saidIn = (record: JsonObject): string =>
  JSON.stringify(
    ['status', 'who', 'when'].map((key) => textAt(record, 'data', key)).concat(textAt(record, 'binaryData', 'record')),
  )

/** `ours`: the contents of records that this run read or sent. */
type Saving = {
  readonly place: RecordNamespace
  readonly clock: Pick<Clock, 'sleep'>
  readonly body: JsonObject
  readonly key: ObjectKey
  readonly ours: ReadonlySet<string>
  readonly signal: AbortSignal | undefined
  /**
   * Whether this run still holds the lock: a record that another run wrote meanwhile comes from one whose lock was
   * broken.
   */
  readonly isHeld: () => Promise<boolean>
}

type Saved = TE.TaskEither<Failure, ClusterObject | undefined>

const send = ({ body, key, place, signal }: Saving, live: ClusterObject | undefined): Saved => {
  const { cluster, namespace } = place
  const options = { ...MANAGER, ...defined({ signal }) }
  if (live !== undefined) return cluster.replace(key, atVersion(body, live), options)
  return pipe(
    cluster.create({ resource: resources.ConfigMap, namespace }, body, options),
    TE.flatMap((made) => (isLive(made) ? TE.right(made) : cluster.get(key, signal))),
  )
}

/** The write may have succeeded, or the record has changed: it has to be read before another attempt. */
const needsLook = (failure: Failure, live: ClusterObject | undefined): boolean =>
  isUnsure(failure) || isStale(failure) || (live === undefined ? isConflict(failure) : isAbsent(failure))

/** Overwrites a record that somebody else has written since `live` was read only while this run holds the lock. */
const save = (saving: Saving, live: ClusterObject | undefined, tries = 1): Saved => {
  const { body, clock, isHeld, key, ours, place, signal } = saving
  const again =
    (failure: Failure) =>
    (found: ClusterObject | undefined): Saved =>
    async () => {
      const said = found === undefined ? undefined : saidIn(found)
      if (said === saidIn(body)) return E.right(found)
      const isForeign = live !== undefined && said !== undefined && !ours.has(said)
      return isForeign && !(await isHeld()) ? E.left(failure) : save(saving, found, tries + 1)()
    }
  return pipe(
    send(saving, live),
    TE.orElse((failure) =>
      tries >= mostTries || !needsLook(failure, live)
        ? TE.left(failure)
        : pipe(
            TE.fromTask(() => clock.sleep(pauseAfter(backoff, tries - 1), signal)),
            TE.flatMap(() => place.cluster.get(key, signal)),
            TE.flatMap(again(failure)),
          ),
    ),
  )
}

/**
 * Reads the existing record; `known`, if that is still current. DT3113 when it is invalid. `previous`: `undefined` when
 * the environment has no record yet.
 */
export const openRecordStore =
  ({ clock, machine }: Pick<Ports, 'clock' | 'machine'>) =>
  (
    place: RecordNamespace,
    environment: string,
    lock: Pick<Lock, 'check'>,
    signal: AbortSignal,
    known?: KnownRecord,
  ): TE.TaskEither<Diagnostic, RecordStore> => {
    const open = (found: ReadableRecord): RecordStore => {
      const previous = recordIn(found)
      let record = previous ?? emptyRecord(environment)
      let live = found._tag === 'Known' ? found.live : undefined
      const key = ownKey('ConfigMap', place.namespace, environment)
      const ours = new Set(live === undefined ? [] : [saidIn(live)])
      return {
        found: live,
        previous,
        now: () => record,
        note: (change) => {
          record = { ...record, ...change }
        },
        write: (change, ends) => async () => {
          const lost = await lock.check()
          if (lost !== undefined) return E.left(lost)
          record = { ...record, ...change, who: machine.who, when: clock.date() }
          const body = recordBody(place.namespace, record)
          if (E.isLeft(body)) return body
          ours.add(saidIn(body.right))
          const isHeld = async (): Promise<boolean> => ends?.aborted !== true && (await lock.check()) === undefined
          const saved = await save({ place, clock, key, ours, body: body.right, signal: ends, isHeld }, live)()
          live = E.getOrElse((): ClusterObject | undefined => undefined)(saved) ?? live
          return E.bimap(failureDiagnostic, () => undefined)(saved)
        },
      }
    }
    return pipe(findRecord(place, environment, signal, known), TE.flatMapEither(readable), TE.map(open))
  }
