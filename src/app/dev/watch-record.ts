/** Ends a session when its development container was taken down or taken over, here or elsewhere. */
import * as E from 'fp-ts/lib/Either.js'
import type { ClusterObject } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { mirrorSelector } from '../../domain/dev/names.ts'
import { type DevRecord, recordOf } from '../../domain/dev/record.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Target } from '../context/target.ts'
import { inform } from '../watch/informer.ts'
import type { DevSession } from './session.ts'

type RecordWorld = {
  readonly ports: Pick<Ports, 'clock'>
  readonly target: Pick<Target, 'cluster' | 'namespace'>
  readonly signal: AbortSignal
}

type Session = Pick<DevSession, 'end'>

/** `see` gets the current record. */
const whileThere = (
  { ports, signal, target }: RecordWorld,
  { mirror }: DevRecord,
  session: Session,
  see: (live: ClusterObject) => void = () => {},
): Promise<void> => {
  const gone = (): void =>
    session.end({ _tag: 'RecordGone', reason: 'it was taken down, or destroyed with its environment' })
  const isRecord = ({ metadata }: ClusterObject): boolean => metadata.name === mirror
  return inform(
    { cluster: target.cluster, clock: ports.clock, signal },
    { resource: resources.ConfigMap, namespace: target.namespace, labels: mirrorSelector(mirror) },
    {
      see: (live) => (isRecord(live) ? see(live) : undefined),
      forget: (live) => (isRecord(live) ? gone() : undefined),
      reset: (items) => (items.some(isRecord) ? items.filter(isRecord).forEach(see) : gone()),
      trouble: () => {},
    },
  )
}

/** Watches the record for the session that wrote it, until the signal is aborted. */
export const watchRecord = (world: RecordWorld, record: DevRecord, session: Session): Promise<void> =>
  whileThere(world, record, session, (live) => {
    const now = recordOf(live)
    if (E.isRight(now) && now.right.holder.session !== record.holder.session) {
      const { machine, user } = now.right.holder
      session.end({ _tag: 'RecordGone', reason: `${user} on ${machine} has taken it over` })
    }
  })

/**
 * Watches the record for another session, which goes on when the container is taken over, for as long as the work
 * lasts.
 */
export const whileDeveloped =
  (world: RecordWorld, record: DevRecord, session: Session) =>
  <A>(work: () => Promise<A>): (() => Promise<A>) =>
  async () => {
    const done = new AbortController()
    void whileThere({ ...world, signal: AbortSignal.any([world.signal, done.signal]) }, record, session)
    try {
      return await work()
    } finally {
      done.abort()
    }
  }
