/** A namespace of the platform with a member who queues runs, controllers in this process, and a git server. */
import { randomBytes } from 'node:crypto'
import * as assert from 'uvu/assert'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { textAt } from '../../../src/domain/cluster/json.ts'
import type { ClusterObject } from '../../../src/domain/cluster/live.ts'
import { type KnownKind, resources } from '../../../src/domain/cluster/resources.ts'
import { accountOf, USERS_NAMESPACE, userIdOf } from '../../../src/domain/platform/names.ts'
import {
  bindingObject,
  completedObject,
  namespaceObject,
  templateOf,
} from '../../../src/domain/platform/namespace/objects.ts'
import { type RunLine, unpackLog } from '../../../src/domain/platform/run/log.ts'
import {
  cancellation,
  hasEnded,
  logIn,
  type RunRecord,
  type RunStatus,
  recordObject,
  runIn,
  runName,
} from '../../../src/domain/platform/run/record.ts'
import { queuedRun, type RunRequest, randomRunId, runJob, runSecret } from '../../../src/domain/platform/run/request.ts'
import type { Cluster } from '../../../src/ports/cluster.ts'
import { type ControlOptions, runController } from '../../../src/server/control.ts'
import { done, manager } from '../../contract/cluster-world.ts'
import { until } from '../process/until.ts'
import { type GitServer, withGitServer } from './git-server.ts'
import { withRights } from './platform.ts'
import { fresh, keyOf } from './platform-world.ts'

export const programs = { image: 'devtool/platform:test', domain: 'apps.example.com', registry: '' }
export const ann = { id: userIdOf('https://login.example.com', 'ann'), email: 'ann@example.com' }

export type World = {
  readonly cluster: Cluster
  readonly api: Cluster
  readonly controller: Cluster
  readonly member: Cluster
  readonly namespace: string
  readonly git: GitServer
}

/** Like the API does. */
const furnished = async (api: Cluster, name: string): Promise<void> => {
  await done(api.create({ resource: resources.Namespace }, namespaceObject(name, 'namespace', ann.id), { manager }))
  const objects: ReadonlyArray<{ readonly kind: KnownKind; readonly name: string; readonly object: object }> =
    templateOf(name)
  for (const { kind, name: named, object } of objects) {
    await done(api.apply(keyOf(kind, named, name), JSON.stringify(object), { manager }))
  }
  const place = { resource: resources.RoleBinding, namespace: name }
  await done(api.create(place, bindingObject(name, ann, 'member'), { manager }))
  const live = await done(api.get(keyOf('Namespace', name)))
  await done(api.merge(keyOf('Namespace', name), completedObject(live?.metadata.uid ?? ''), { manager }))
}

export const host = process.env['DEVTOOL_E2E_HOST'] ?? ''

export const within = (use: (world: World) => Promise<void>): Promise<void> =>
  withRights('apps.example.com', ({ api, cluster, controller }) =>
    withGitServer(host, async (git) => {
      const namespace = fresh('runs')
      const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: ann.id } }
      await done(api.create({ resource: resources.ServiceAccount, namespace: USERS_NAMESPACE }, account, { manager }))
      try {
        await furnished(api, namespace)
        const member = api.as({ user: accountOf(ann.id) })
        const data = { DEVTOOL_GIT_CA: git.authority, COLOR: 'purple', DEVTOOL_GIT_TOKEN_OTHER: 'not-for-runs' }
        const encoded = Object.entries(data).map(([name, text]) => [name, Buffer.from(text).toString('base64')])
        const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'devtool-variables', namespace } }
        await until('the roles have their rules', async () => {
          const body = { ...secret, data: Object.fromEntries(encoded) }
          return (await member.create({ resource: resources.Secret, namespace }, body, { manager })())._tag === 'Right'
        })
        await use({ cluster, api, controller, member, namespace, git })
      } finally {
        await done(cluster.remove(keyOf('Namespace', namespace), { propagation: 'Background' }))
      }
    }),
  )

const requestOf = ({ namespace }: World, more: Partial<RunRequest>): RunRequest => ({
  id: randomRunId(randomBytes(8)),
  action: 'deploy',
  environment: 'shop',
  namespace,
  who: { user: ann.id, email: ann.email },
  now: systemClock.date(),
  nowMs: systemClock.wallMs(),
  timeoutSeconds: 120,
  ...more,
})

/** In the order in which the API writes. `image`: of its containers. */
export const queued = async (
  world: World,
  more: Partial<RunRequest>,
  image: string = programs.image,
): Promise<string> => {
  const { member, namespace } = world
  const request = requestOf(world, more)
  const body = runJob({ ...programs, image }, request)
  const job = await done(member.create({ resource: resources.Job, namespace }, body, { manager }))
  const secret = runSecret(request, { uid: textAt(job, 'metadata', 'uid') ?? '' })
  if (secret !== undefined) await done(member.create({ resource: resources.Secret, namespace }, secret, { manager }))
  const record = recordObject(queuedRun(request), request.nowMs)
  await done(member.create({ resource: resources.ConfigMap, namespace }, record, { manager }))
  return request.id
}

const recordOf = async ({ member, namespace }: World, id: string): Promise<ClusterObject> => {
  const live = await done(member.get(keyOf('ConfigMap', runName(id), namespace)))
  assert.ok(live !== undefined, `the run ${id} has a record`)
  return live
}

export const runOf = async (world: World, id: string): Promise<RunRecord> => {
  const run = runIn(await recordOf(world, id))
  assert.ok(run !== undefined)
  return run
}

export const linesOf = async (world: World, id: string): Promise<ReadonlyArray<RunLine>> =>
  unpackLog(logIn(await recordOf(world, id)) ?? new Uint8Array())

export const textOf = async (world: World, id: string): Promise<string> =>
  (await linesOf(world, id)).map(({ text }) => text).join('\n')

export const reached = async (world: World, id: string, status: RunStatus): Promise<RunRecord> => {
  await until(`the run is ${status}`, async () => {
    const run = await runOf(world, id)
    if (run.status !== status && hasEnded(run)) {
      throw new Error(`it is ${run.status}: ${JSON.stringify(run.failure)}\n${await textOf(world, id)}`)
    }
    return run.status === status
  })
  return runOf(world, id)
}

/** `names`: one controller each. */
export const controlled = async (
  { controller: cluster }: World,
  names: ReadonlyArray<string>,
  use: (stopFirst: () => Promise<void>) => Promise<void>,
  limits: Pick<ControlOptions, 'maxRuns'> = {},
): Promise<void> => {
  const lines: Array<string> = []
  const all = names.map((holder) => {
    const write = (line: string): void => void lines.push(`${holder} ${line}`)
    return runController({ cluster, clock: systemClock, programs, holder, write, ...limits })
  })
  try {
    await use(async () => all[0]?.stop())
  } catch (cause) {
    throw new Error(`${String(cause)}\n${lines.join('\n')}`, { cause })
  } finally {
    for (const one of all) await one.stop()
  }
}

export const manifest = (deploy: string, destroy = 'echo bye'): Readonly<Record<string, string>> => ({
  'devtool.yml': `deploy:\n  - name: hello\n    command: ${deploy}\ndestroy:\n  - name: bye\n    command: ${destroy}\n`,
})

export const removal = (kind: KnownKind, { member, namespace }: World, name: string) =>
  done(member.remove(keyOf(kind, name, namespace), { propagation: 'Background' }))

/** Like the API does. */
export const cancelled = async (world: World, id: string): Promise<void> => {
  const key = keyOf('ConfigMap', runName(id), world.namespace)
  await done(world.member.merge(key, cancellation({ user: ann.id, email: ann.email }), { manager }))
  await removal('Job', world, runName(id))
}

export const podsOf = async ({ member, namespace }: World, id: string): Promise<ReadonlyArray<ClusterObject>> =>
  (await done(member.list({ resource: resources.Pod, namespace, labels: `dev.devtool/run=${id}` }))).items

/** Its command has begun, so its log is on the way. */
export const underWay = async (world: World, id: string): Promise<void> => {
  await reached(world, id, 'running')
  await until('the command runs', async () => (await textOf(world, id)).includes('hello running'))
}
