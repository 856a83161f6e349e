/**
 * Background work of `up`: keeps the record alive, and notices changes that others make to the development container.
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ClusterObject } from '../../domain/cluster/live.ts'
import { type KnownKind, resources } from '../../domain/cluster/resources.ts'
import { type Followed, follow, startedBy } from '../../domain/dev/follow.ts'
import { beatPatch, type DevRecord } from '../../domain/dev/record.ts'
import { devKinds } from '../../domain/dev/workload.ts'
import { UP_MANAGER } from '../../domain/k8s/managers.ts'
import { listed } from '../../domain/text/listed.ts'
import { type Backoff, pauseAfter } from '../../domain/time/backoff.ts'
import { inform } from '../watch/informer.ts'
import { observe, type RoundsWorld, write } from './rounds.ts'
import type { DevSession } from './session.ts'
import { watchRecord } from './watch-record.ts'

/** Others consider a session dead after four missed beats. */
const beatMs = 20_000

/** `beside`: the records of its services. `restarts`: changes are applied to what runs at once, if that is wanted. */
export type Attended = {
  readonly world: RoundsWorld
  readonly record: DevRecord
  readonly beside: ReadonlyArray<DevRecord>
  readonly session: Pick<DevSession, 'end'>
  readonly say: (text: string) => void
  readonly sayOnce: (text: string) => void
  readonly restarts: (changed: DevRecord) => Promise<void>
}

const beat = async ({ record, world }: Attended): Promise<void> => {
  const { ports, signal, target } = world
  const key = { resource: resources.ConfigMap, namespace: target.namespace, name: record.mirror }
  while (!signal.aborted) {
    await ports.clock.sleep(beatMs, signal)
    if (signal.aborted) return
    // A single missed beat does no harm, and a real problem is reported elsewhere.
    await target.cluster.merge(key, beatPatch(ports.clock.date()), { manager: UP_MANAGER, signal })()
  }
}

const isKind = (kind: string): kind is (typeof devKinds)[number] & KnownKind => devKinds.some((one) => one === kind)

const endings = (what: string): Readonly<Record<Extract<Followed, { readonly _tag: 'Ended' }>['missing'], string>> => ({
  Original: `${what} was deleted or replaced`,
  Mirror: 'it was taken down',
  Container: `${what} no longer has the container`,
})

const pauses: Backoff = { firstMs: 200, longestMs: 10_000 }

/** Whether nothing is left to do: reads and writes can fail, and others can write in between. */
const isApplied = async (attended: Attended, record: DevRecord): Promise<boolean> => {
  const { restarts, say, sayOnce, session, world } = attended
  const followed = await pipe(
    observe(world),
    TE.map((observed) => ({ observed, change: follow(record, observed) })),
  )()
  if (followed._tag === 'Left') return false
  const { change, observed } = followed.right
  const what = `${record.workload.kind}/${record.workload.name}`
  const isService = record !== attended.record
  if (change._tag === 'Ended') {
    const reason = endings(what)[change.missing]
    if (isService) sayOnce(`${record.dev}: its service has ended: ${reason}`)
    else session.end({ _tag: 'RecordGone', reason })
    return true
  }
  const starter = startedBy(record, observed)
  if (starter !== undefined) {
    sayOnce(
      `${what} was started by ${starter}, and runs beside ${isService ? 'its copy' : 'the development container'} until it is stopped or \`devtool down ${record.dev}\``,
    )
  }
  if (change._tag === 'Same') return true
  const written = await write(world, { actions: change.actions, waitsFor: [] }, observed)()
  if (written._tag === 'Left' || written.right._tag === 'Spoiled') return false
  say(
    `${what} has changed (${listed(change.fields)}): \`devtool restart ${record.dev}\` applies it to the ${isService ? 'service' : 'development container'}`,
  )
  await restarts(record)
  return true
}

const apply = async (attended: Attended, record: DevRecord): Promise<void> => {
  const { ports, signal } = attended.world
  for (let failed = 0; !signal.aborted; failed += 1) {
    if (await isApplied(attended, record)) return
    await ports.clock.sleep(pauseAfter(pauses, failed), signal)
  }
}

/** Applies changes of the workload, which may have changed since the development container was created from it. */
const watchWorkload = (attended: Attended, record: DevRecord): Promise<void> => {
  const { kind, name } = record.workload
  const { ports, signal, target } = attended.world
  let generation: number | undefined
  let running = Promise.resolve()
  const see = (live: ClusterObject): void => {
    if (live.metadata.name !== name) return
    if (live.metadata.generation === generation) return
    generation = live.metadata.generation
    running = running.then(() => apply(attended, record))
  }
  if (!isKind(kind)) return Promise.resolve()
  return inform(
    { cluster: target.cluster, clock: ports.clock, signal },
    { resource: resources[kind], namespace: target.namespace, fields: `metadata.name=${name}` },
    {
      see,
      forget: () => void (running = running.then(() => apply(attended, record))),
      reset: (items) => items.forEach(see),
      trouble: () => {},
    },
  )
}

/** Runs until the signal of its world is aborted. */
export const attend = (attended: Attended): void => {
  const { beside, record, session, world } = attended
  void beat(attended)
  void watchRecord(world, record, session)
  for (const followed of [record, ...beside]) void watchWorkload(attended, followed)
}
