/**
 * Deletes namespaces: destroy runs first, with the permissions of the namespace. Expired previews are deleted in the
 * same way.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { annotationOf, type ClusterObject } from '../../../domain/cluster/live.ts'
import { resources } from '../../../domain/cluster/resources.ts'
import { type EnvironmentRecord, readRecord } from '../../../domain/environment/record.ts'
import { EXPIRES_ANNOTATION, KIND_LABEL, RECORD_SELECTOR } from '../../../domain/k8s/labels.ts'
import { defined } from '../../../domain/object/defined.ts'
import { type ManagedNamespace, managedIn } from '../../../domain/platform/access.ts'
import { deletionIn, type NamespaceDeletion } from '../../../domain/platform/deletion-record.ts'
import {
  deletionChange,
  destroyRunId,
  MOST_DELETION_SECONDS,
  stepDeletion,
} from '../../../domain/platform/namespace/deletion.ts'
import { type RunRecord, runIn, runName, runsOfSelector } from '../../../domain/platform/run/record.ts'
import { isOfFork, repositoryHost } from '../../../domain/platform/run/repository.ts'
import type { RunRequest } from '../../../domain/platform/run/request.ts'
import { secondsBetween } from '../../../domain/text/moment.ts'
import { sharedVariables, writeRun } from '../start-run.ts'
import { acted, answered } from './acting.ts'
import { readRun } from './runs.ts'
import { CONTROLLER, type ControllerWorld } from './world.ts'

const namespaceKey = (name: string) => ({ resource: resources.Namespace, name })

const change = (
  world: ControllerWorld,
  act: string,
  live: ClusterObject,
  status: 'Deleting' | 'DeleteFailed',
  deletion: NamespaceDeletion,
): Promise<boolean> => {
  const body = deletionChange(live, status, deletion)
  return acted(world, act, live, world.cluster.merge(namespaceKey(live.metadata.name), body, CONTROLLER))
}

/** The environments with destroy commands; `undefined` when a record cannot be read. */
const environmentsIn = async (
  { cluster }: ControllerWorld,
  namespace: string,
): Promise<ReadonlyArray<EnvironmentRecord> | undefined> => {
  const found = await answered(cluster.list({ resource: resources.ConfigMap, namespace, labels: RECORD_SELECTOR }))
  if (found === undefined) return undefined
  const read = found.value.items.map(readRecord)
  const records = read.flatMap((one) => (E.isRight(one) ? [one.right] : []))
  return records.length < read.length
    ? undefined
    : records.filter(({ destroyCommands = [] }) => destroyCommands.length > 0)
}

/** The last run that cloned the repository, whose record has the full address. */
const lastRun = async (
  { cluster }: ControllerWorld,
  namespace: string,
  environment: string,
): Promise<RunRecord | undefined> => {
  const selection = { resource: resources.ConfigMap, namespace, labels: runsOfSelector(environment) }
  const found = await answered(cluster.list(selection))
  const runs = (found?.value.items ?? []).flatMap((live) => runIn(live) ?? [])
  return runs
    .filter(({ action, repository }) => action === 'deploy' && repository !== undefined)
    .toSorted((a, b) => (a.created < b.created ? 1 : -1))[0]
}

type Place = Pick<RunRequest, 'repository' | 'branch' | 'file'>

/** The source of the destroy commands, unless only the record has them. */
const placeOf = (record: EnvironmentRecord, last: RunRecord | undefined): Place => {
  if (last !== undefined) {
    const { branch, file, repository } = last
    return defined({ repository, branch, file })
  }
  const { branch, folder, repository } = record.source
  const address = `https://${repository ?? ''}`
  // The recorded commands also run without the files of a user's machine.
  return repository === undefined || folder !== '' || repositoryHost(address) === undefined
    ? {}
    : { repository: address, ...defined({ branch }) }
}

const startDestroy = async (
  world: ControllerWorld,
  { kind, name: namespace, preview }: ManagedNamespace,
  deletion: NamespaceDeletion,
  record: EnvironmentRecord,
): Promise<void> => {
  const { clock, cluster, programs } = world
  const { environment } = record
  const place = placeOf(record, await lastRun(world, namespace, environment))
  const requestWith = (shared: ReadonlyMap<string, string>): RunRequest => ({
    id: destroyRunId(namespace, deletion, environment),
    action: 'destroy',
    environment,
    namespace,
    who: { user: deletion.user, email: deletion.email },
    now: clock.date(),
    nowMs: clock.wallMs(),
    timeoutSeconds: MOST_DELETION_SECONDS,
    variables: { given: new Map(), shared },
    isFork: isOfFork(place.repository, preview?.sourceUrl),
    ...place,
  })
  const name = runName(destroyRunId(namespace, deletion, environment))
  const started = pipe(
    sharedVariables(cluster, kind),
    TE.flatMap((shared) => writeRun({ cluster, programs, ...CONTROLLER }, requestWith(shared))),
  )
  await acted(world, 'destroying', { metadata: { namespace, name, uid: '', resourceVersion: '' } }, started)
}

const remove = (world: ControllerWorld, live: ClusterObject): Promise<boolean> => {
  const { name, uid } = live.metadata
  return acted(world, 'deleted', live, world.cluster.remove(namespaceKey(name), { uid, propagation: 'Background' }))
}

const step = async (
  world: ControllerWorld,
  live: ClusterObject,
  managed: ManagedNamespace,
  deletion: NamespaceDeletion,
): Promise<void> => {
  const { name } = managed
  const records = deletion.force ? [] : await environmentsIn(world, name)
  if (records === undefined) {
    const reason = 'the record of an environment cannot be read'
    // The cluster may only be slow.
    if (secondsBetween(deletion.since, world.clock.date()) > MOST_DELETION_SECONDS) {
      await change(world, 'deletion failed', live, 'DeleteFailed', { ...deletion, reason })
    }
    return
  }
  const runs = new Map<string, RunRecord>()
  for (const { environment } of records) {
    const read = await readRun(world, name, destroyRunId(name, deletion, environment))
    if (read !== undefined) runs.set(environment, read.run)
  }
  const environments = records.map(({ environment }) => environment)
  const act = stepDeletion({ deletion, environments, runs, now: world.clock.date() })
  switch (act._tag) {
    case 'Wait':
      return
    case 'Destroy':
      for (const record of records.filter(({ environment }) => act.environments.includes(environment))) {
        await startDestroy(world, managed, deletion, record)
      }
      return
    case 'End':
      await remove(world, live)
      return
    case 'Fail':
      await change(world, 'deletion failed', live, 'DeleteFailed', act.deletion)
  }
}

const hasExpired = (live: ClusterObject, now: string): boolean => {
  const expires = annotationOf(live, EXPIRES_ANNOTATION)
  return live.metadata.labels?.[KIND_LABEL] === 'preview' && expires !== undefined && secondsBetween(expires, now) > 0
}

/** An expired preview whose deletion failed is tried again so often: what was in the way may be gone. */
const RETRY_SECONDS = 86_400

/** `namespaces`: those of the platform. */
export const tendNamespaces = async (
  world: ControllerWorld,
  namespaces: ReadonlyMap<string, ClusterObject>,
): Promise<void> => {
  const now = world.clock.date()
  for (const live of namespaces.values()) {
    const managed = managedIn(live)
    const deletion = deletionIn(live)
    if (managed === undefined || live.metadata.deletionTimestamp !== undefined) continue
    if (managed.status === 'Deleting' && deletion !== undefined) await step(world, live, managed, deletion)
    const isDue = deletion === undefined || secondsBetween(deletion.since, now) > RETRY_SECONDS
    const isIdle = managed.status === 'Active' || (managed.status === 'DeleteFailed' && isDue)
    if (isIdle && hasExpired(live, now)) {
      const expired = { since: now, user: managed.owner, email: '', force: false }
      await change(world, 'expired', live, 'Deleting', expired)
    }
  }
}
