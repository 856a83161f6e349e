/** Who holds a development container, and what others may do with it. */
import * as E from 'fp-ts/lib/Either.js'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { readMoment } from '../text/moment.ts'
import type { DevRecord, Holder } from './record.ts'

/** A holder that has not updated the record for this long, by the clock of the cluster, counts as dead. */
const silenceMs = 90_000

/**
 * Mine: of this session, or of an earlier one of the same user and machine whose process has ended. Busy: another
 * running session of mine on this machine. Away: a session of mine on another machine. Foreign: another user's.
 */
export type Ownership =
  | { readonly _tag: 'Mine' }
  | { readonly _tag: 'Busy' }
  | { readonly _tag: 'Away'; readonly isSilent: boolean }
  | { readonly _tag: 'Foreign'; readonly isSilent: boolean }

/** `isRunning`: a process of this machine has the pid of the record's holder. */
export type DevAsker = { readonly me: Holder; readonly isRunning: boolean; readonly nowMs: number }

export const ownershipOf = ({ beat, holder }: DevRecord, { isRunning, me, nowMs }: DevAsker): Ownership => {
  const heardAt = readMoment(beat)?.seconds
  const isSilent = heardAt === undefined || nowMs - heardAt * 1000 >= silenceMs
  if (holder.session === me.session) return { _tag: 'Mine' }
  if (holder.user !== me.user) return { _tag: 'Foreign', isSilent }
  if (holder.machine !== me.machine) return { _tag: 'Away', isSilent }
  return isRunning ? { _tag: 'Busy' } : { _tag: 'Mine' }
}

const showWorkload = ({ workload: { kind, name } }: DevRecord): string => `${kind}/${name}`

const heard = (record: DevRecord, isSilent: boolean): string =>
  isSilent ? `, last heard of at ${record.beat}` : ` since ${record.since}`

/**
 * DT5005: held by another session of the same user; DT5006: by somebody else. With `takesOver`, either is taken over.
 */
export const mayDevelop = (
  record: DevRecord,
  asker: DevAsker,
  takesOver: boolean,
): E.Either<Diagnostic, { readonly isTakenOver: boolean }> => {
  const owned = ownershipOf(record, asker)
  if (owned._tag === 'Mine') return E.right({ isTakenOver: false })
  if (takesOver || (owned._tag === 'Away' && owned.isSilent)) return E.right({ isTakenOver: true })
  const { holder } = record
  const what = showWorkload(record)
  if (owned._tag === 'Busy') {
    const message = `${what} is developed by another session of yours (process ${holder.pid}) since ${record.since}`
    const help = `\`devtool exec ${record.dev} -- sh\` opens another terminal in it; --take-over ends that session`
    return E.left(error('DT5005', message, { help }))
  }
  if (owned._tag === 'Away') {
    const message = `${what} is developed by you on ${holder.machine} since ${record.since}`
    return E.left(error('DT5005', message, { help: '--take-over ends that session and continues here' }))
  }
  const message = `${what} is developed by ${holder.user} on ${holder.machine}${heard(record, owned.isSilent)}`
  return E.left(error('DT5006', message, { help: 'ask them, or take it over with --take-over' }))
}

/** Users may end their own from any machine; DT5006 for another user's, unless `takesOver`. */
export const mayEnd = (record: DevRecord, asker: DevAsker, takesOver: boolean): E.Either<Diagnostic, DevRecord> => {
  const owned = ownershipOf(record, asker)
  if (owned._tag !== 'Foreign' || takesOver) return E.right(record)
  const { holder } = record
  const message = `${showWorkload(record)} is developed by ${holder.user} on ${holder.machine}${heard(record, owned.isSilent)}`
  return E.left(error('DT5006', message, { help: 'ask them, or end it with --take-over' }))
}
