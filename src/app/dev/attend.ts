/** What `up` does in the background: shows that it is alive, and notices what others do to its development container. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ClusterObject } from '../../domain/cluster/live.ts'
import { type KnownKind, resources } from '../../domain/cluster/resources.ts'
import { type Followed, follow } from '../../domain/dev/follow.ts'
import { mirrorSelector } from '../../domain/dev/names.ts'
import { beatPatch, recordOf } from '../../domain/dev/record.ts'
import { devKinds } from '../../domain/dev/workload.ts'
import { UP_MANAGER } from '../../domain/k8s/managers.ts'
import { listed } from '../../domain/text/listed.ts'
import { inform } from '../watch/informer.ts'
import type { Activated } from './activate.ts'
import { observe, type RoundsWorld, write } from './rounds.ts'
import type { DevSession } from './session.ts'

/** Others take a session for dead after four of them. */
const beatMs = 20_000

/** `restarts`: a changed workload is applied to the running container at once. */
export type Attended = {
  readonly world: RoundsWorld
  readonly activated: Activated
  readonly session: Pick<DevSession, 'end'>
  readonly say: (text: string) => void
  readonly restarts: () => Promise<void>
}

const beat = async ({ activated: { record }, world }: Attended): Promise<void> => {
  const { ports, signal, target } = world
  const key = { resource: resources.ConfigMap, namespace: target.namespace, name: record.mirror }
  while (!signal.aborted) {
    await ports.clock.sleep(beatMs, signal)
    if (signal.aborted) return
    // A beat that is missed does no harm, and whatever is wrong shows elsewhere.
    await target.cluster.merge(key, beatPatch(ports.clock.date()), { manager: UP_MANAGER, signal })()
  }
}

/** Ends the session when its record is gone, or somebody else's. */
const watchRecord = ({ activated: { record }, session, world }: Attended): Promise<void> => {
  const { ports, signal, target } = world
  const end = (reason: string): void => session.end({ _tag: 'RecordGone', reason })
  const see = (live: ClusterObject): void => {
    if (live.metadata.name !== record.mirror) return
    const now = recordOf(live)
    if (E.isRight(now) && now.right.holder.session !== record.holder.session) {
      const { machine, user } = now.right.holder
      end(`${user} on ${machine} has taken it over`)
    }
  }
  const gone = 'it was taken down, or destroyed with its environment'
  return inform(
    { cluster: target.cluster, clock: ports.clock, signal },
    { resource: resources.ConfigMap, namespace: target.namespace, labels: mirrorSelector(record.mirror) },
    {
      see,
      forget: (live) => (live.metadata.name === record.mirror ? end(gone) : undefined),
      reset: (items) =>
        items.some(({ metadata }) => metadata.name === record.mirror) ? items.forEach(see) : end(gone),
      trouble: () => {},
    },
  )
}

const isKind = (kind: string): kind is (typeof devKinds)[number] & KnownKind => devKinds.some((one) => one === kind)

const endings = (what: string): Readonly<Record<Extract<Followed, { readonly _tag: 'Ended' }>['missing'], string>> => ({
  Original: `${what} was deleted or replaced`,
  Mirror: 'it was taken down',
  Container: `${what} no longer has the container`,
})

const apply = async (attended: Attended): Promise<void> => {
  const { activated, restarts, say, session, world } = attended
  const { record, request } = activated
  const followed = await pipe(
    observe(world),
    TE.map((observed) => ({ observed, change: follow(request, record, observed) })),
  )()
  if (followed._tag === 'Left') return
  const { change, observed } = followed.right
  const what = `${record.workload.kind}/${record.workload.name}`
  if (change._tag === 'Same') return
  if (change._tag === 'Ended') return session.end({ _tag: 'RecordGone', reason: endings(what)[change.missing] })
  const written = await write(world, { actions: change.actions, waitsFor: [] }, observed)()
  if (written._tag === 'Left') return
  say(
    `${what} has changed (${listed(change.fields)}): \`devtool restart ${record.dev}\` applies it to the development container`,
  )
  await restarts()
}

/** Whenever the workload itself is changed. */
const watchWorkload = (attended: Attended): Promise<void> => {
  const { activated, world } = attended
  const { kind, name } = activated.record.workload
  const { ports, signal, target } = world
  let generation: number | undefined
  let running = Promise.resolve()
  const see = (live: ClusterObject): void => {
    if (live.metadata.name !== name) return
    const isFirst = generation === undefined
    if (live.metadata.generation === generation) return
    generation = live.metadata.generation
    if (!isFirst) running = running.then(() => apply(attended))
  }
  if (!isKind(kind)) return Promise.resolve()
  return inform(
    { cluster: target.cluster, clock: ports.clock, signal },
    { resource: resources[kind], namespace: target.namespace, fields: `metadata.name=${name}` },
    {
      see,
      forget: () => void (running = running.then(() => apply(attended))),
      reset: (items) => items.forEach(see),
      trouble: () => {},
    },
  )
}

/** Until the signal of its world. */
export const attend = (attended: Attended): void => {
  void beat(attended)
  void watchRecord(attended)
  void watchWorkload(attended)
}
