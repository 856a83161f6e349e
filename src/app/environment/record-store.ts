/** The record of an environment, kept in step with what is done. */

import * as E from 'fp-ts/lib/Either.js'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import type { Live } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { type EnvironmentRecord, emptyRecord, recordBody } from '../../domain/environment/record.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Session } from '../context/target.ts'
import { findRecord, ownKey, recordIn } from './find-record.ts'
import type { Lock } from './lock.ts'

const MANAGER = { manager: 'devtool' }

type Place = Pick<Session, 'cluster' | 'namespace'>

/**
 * `write` changes what is remembered and writes it down, unless the lock is lost (DT3111): the last writing wins, since
 * nobody else writes.
 */
export type Journal = {
  readonly previous: EnvironmentRecord | undefined
  readonly now: () => EnvironmentRecord
  readonly write: (change: Partial<EnvironmentRecord>, signal?: AbortSignal) => Promise<E.Either<Diagnostic, void>>
}

const save = async (
  { cluster, namespace }: Place,
  record: EnvironmentRecord,
  live: Live | undefined,
  signal: AbortSignal | undefined,
): Promise<E.Either<Diagnostic, Live | undefined>> => {
  const options = { ...MANAGER, ...(signal === undefined ? {} : { signal }) }
  const body = recordBody(namespace, record)
  if (E.isLeft(body)) return body
  const key = ownKey('ConfigMap', namespace, record.environment)
  if (live !== undefined) {
    const replaced = await cluster.replace(key, body.right, options)()
    if (E.isRight(replaced)) return replaced
    const isGone = replaced.left._tag === 'Refused' && replaced.left.status === 404
    if (!isGone) return E.left(failureDiagnostic(replaced.left))
  }
  const created = await cluster.create({ resource: resources.ConfigMap, namespace }, body.right, options)()
  if (E.isRight(created)) return E.mapLeft(failureDiagnostic)(await cluster.get(key)())
  const isThere = created.left._tag === 'Refused' && created.left.status === 409
  if (!isThere || live !== undefined) return E.left(failureDiagnostic(created.left))
  return E.mapLeft(failureDiagnostic)(await cluster.replace(key, body.right, options)())
}

/** Reads what there is. DT3113 when it cannot be read. `previous`: `undefined` when the environment has no record yet. */
export const openJournal =
  ({ clock, machine }: Pick<Ports, 'clock' | 'machine'>) =>
  async (
    place: Place,
    environment: string,
    lock: Pick<Lock, 'check'>,
    signal: AbortSignal,
  ): Promise<E.Either<Diagnostic, Journal>> => {
    const found = await findRecord(place, environment, signal)()
    if (E.isLeft(found)) return found
    if (found.right._tag === 'Unreadable' || found.right._tag === 'Forbidden') return E.left(found.right.why)
    const previous = recordIn(found.right)
    let record = previous ?? emptyRecord(environment)
    let live = found.right._tag === 'Known' ? found.right.live : undefined
    return E.right({
      previous,
      now: () => record,
      write: async (change, ends) => {
        const lost = lock.check()
        if (lost !== undefined) return E.left(lost)
        record = { ...record, ...change, who: machine.who, when: clock.date() }
        const saved = await save(place, record, live, ends)
        if (E.isLeft(saved)) return saved
        live = saved.right ?? live
        return E.right(undefined)
      },
    })
  }
