/** Runs on a real cluster: queued by a member, begun by the controller, carried out in a pod with the platform's image. */
import { randomBytes } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { textAt } from '../../src/domain/cluster/json.ts'
import type { ClusterObject } from '../../src/domain/cluster/live.ts'
import { type KnownKind, resources } from '../../src/domain/cluster/resources.ts'
import { accountOf, USERS_NAMESPACE, userIdOf } from '../../src/domain/platform/names.ts'
import { deletionChange, deletionIn } from '../../src/domain/platform/namespace/deletion.ts'
import {
  bindingObject,
  completedObject,
  namespaceObject,
  templateOf,
} from '../../src/domain/platform/namespace/objects.ts'
import { type RunLine, unpackLog } from '../../src/domain/platform/run/log.ts'
import {
  cancellation,
  hasEnded,
  logIn,
  type RunRecord,
  type RunStatus,
  recordObject,
  runIn,
  runName,
} from '../../src/domain/platform/run/record.ts'
import { queuedRun, type RunRequest, randomRunId, runJob, runSecret } from '../../src/domain/platform/run/request.ts'
import type { Cluster } from '../../src/ports/cluster.ts'
import { runController } from '../../src/server/control.ts'
import { done, manager } from '../contract/cluster-world.ts'
import { type GitServer, withGitServer } from '../support/e2e/git-server.ts'
import { withRights } from '../support/e2e/platform.ts'
import { fresh, keyOf } from '../support/e2e/platform-world.ts'
import { until } from '../support/until.ts'

const programs = { image: 'devtool/platform:test', domain: 'apps.example.com', registry: '' }
const ann = { id: userIdOf('https://login.example.com', 'ann'), email: 'ann@example.com' }

type World = {
  readonly cluster: Cluster
  readonly api: Cluster
  readonly controller: Cluster
  readonly member: Cluster
  readonly namespace: string
  readonly git: GitServer
}

/** As the API makes one. */
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

const host = process.env['DEVTOOL_E2E_HOST'] ?? ''

const within = (use: (world: World) => Promise<void>): Promise<void> =>
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
  timeoutSeconds: 120,
  ...more,
})

/** In the order in which the API writes. */
const queued = async (world: World, more: Partial<RunRequest>): Promise<string> => {
  const { member, namespace } = world
  const request = requestOf(world, more)
  const job = await done(member.create({ resource: resources.Job, namespace }, runJob(programs, request), { manager }))
  const secret = runSecret(request, { uid: textAt(job, 'metadata', 'uid') ?? '' })
  if (secret !== undefined) await done(member.create({ resource: resources.Secret, namespace }, secret, { manager }))
  const record = recordObject(queuedRun(request))
  await done(member.create({ resource: resources.ConfigMap, namespace }, record, { manager }))
  return request.id
}

const recordOf = async ({ member, namespace }: World, id: string): Promise<ClusterObject> => {
  const live = await done(member.get(keyOf('ConfigMap', runName(id), namespace)))
  assert.ok(live !== undefined, `the run ${id} has a record`)
  return live
}

const runOf = async (world: World, id: string): Promise<RunRecord> => {
  const run = runIn(await recordOf(world, id))
  assert.ok(run !== undefined)
  return run
}

const linesOf = async (world: World, id: string): Promise<ReadonlyArray<RunLine>> =>
  unpackLog(logIn(await recordOf(world, id)) ?? new Uint8Array())

const textOf = async (world: World, id: string): Promise<string> =>
  (await linesOf(world, id)).map(({ text }) => text).join('\n')

const reached = async (world: World, id: string, status: RunStatus): Promise<RunRecord> => {
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
const controlled = async (
  { controller: cluster }: World,
  names: ReadonlyArray<string>,
  use: (stopFirst: () => Promise<void>) => Promise<void>,
): Promise<void> => {
  const lines: Array<string> = []
  const all = names.map((holder) =>
    runController({ cluster, clock: systemClock, programs, holder, write: (line) => lines.push(`${holder} ${line}`) }),
  )
  try {
    await use(async () => all[0]?.stop())
  } catch (cause) {
    throw new Error(`${String(cause)}\n${lines.join('\n')}`, { cause })
  } finally {
    for (const one of all) await one.stop()
  }
}

const manifest = (deploy: string, destroy = 'echo bye'): Readonly<Record<string, string>> => ({
  'devtool.yml': `deploy:\n  - name: hello\n    command: ${deploy}\ndestroy:\n  - name: bye\n    command: ${destroy}\n`,
})

const removal = (kind: KnownKind, { member, namespace }: World, name: string) =>
  done(member.remove(keyOf(kind, name, namespace), { propagation: 'Background' }))

/** As the API does. */
const cancelled = async (world: World, id: string): Promise<void> => {
  const key = keyOf('ConfigMap', runName(id), world.namespace)
  await done(world.member.merge(key, cancellation(ann.id), { manager }))
  await removal('Job', world, runName(id))
}

const podsOf = async ({ member, namespace }: World, id: string): Promise<ReadonlyArray<ClusterObject>> =>
  (await done(member.list({ resource: resources.Pod, namespace, labels: `dev.devtool/run=${id}` }))).items

/** Its command has begun, so its log is on the way. */
const underWay = async (world: World, id: string): Promise<void> => {
  await reached(world, id, 'running')
  await until('the command runs', async () => (await textOf(world, id)).includes('hello running'))
}

/** The controllers get the rights of an installation, and nothing else. */
test('a run is queued, begins, clones, deploys, and keeps its log', () =>
  within((world) =>
    controlled(world, ['one', 'two'], async () => {
      const { git } = world
      git.protect('/shop.git', 'secret-token')
      const token = Buffer.from('secret-token').toString('base64')
      const variable = `DEVTOOL_GIT_TOKEN_${host.toUpperCase().replace('.', '_')}`
      const variables = keyOf('Secret', 'devtool-variables', world.namespace)
      await done(world.member.merge(variables, { data: { [variable]: token } }, { manager }))
      const repository = git.add('shop', {
        ...manifest(
          'test "$COLOR $SIZE $EXTRA" = "purple large given" && ! env | grep -q -e secret-token -e not-for-runs && echo right',
        ),
      })
      const values = { given: new Map([['EXTRA', 'given']]), shared: new Map([['SIZE', 'large']]) }
      const id = await queued(world, { repository, branch: 'main', variables: values })
      const run = await reached(world, id, 'succeeded')
      assert.match(run.commit ?? '', /^[0-9a-f]{40}$/)
      assert.is(run.exitStatus, 0)
      const lines = await linesOf(world, id)
      assert.equal(
        lines.map(({ n }) => n),
        lines.map((_, index) => index + 1),
      )
      const text = await textOf(world, id)
      // Credentials of git are not among its variables.
      assert.ok(text.includes('hello: right'), text)
    }),
  ))

test('a run that fails, cannot be cloned, takes too long, is cancelled or replaced says so', () =>
  within((world) =>
    controlled(world, ['one'], async () => {
      const { git } = world
      const slow = git.add('slow', manifest('sleep 300'))
      const repository = git.add('broken', manifest('exit 7'))
      const failing = await queued(world, { repository, environment: 'failing' })
      const late = await queued(world, { repository: slow, environment: 'late', timeoutSeconds: 8 })
      const missing = await queued(world, { repository: `${git.url}/nothing.git`, environment: 'missing' })
      assert.is((await reached(world, failing, 'failed')).failure?.code, 'DT3501')
      assert.is((await reached(world, missing, 'failed')).failure?.code, 'DT6403')
      const run = await reached(world, late, 'timed-out')
      assert.is(run.exitStatus, 6)

      const first = await queued(world, { repository: slow })
      await underWay(world, first)
      const second = await queued(world, { repository: slow })
      const third = await queued(world, { repository: slow })
      await reached(world, second, 'cancelled')
      assert.is((await runOf(world, third)).status, 'queued')
      await cancelled(world, third)
      await reached(world, third, 'cancelled')
      await cancelled(world, first)
      await reached(world, first, 'cancelled')
      assert.match(await textOf(world, first), 'hello running')
      await until('its pod is gone', async () => (await podsOf(world, first)).length === 0)
    }),
  ))

test('a run whose pod is killed is ended by the controller, also by another one', () =>
  within(async (world) => {
    const repository = world.git.add('slow', manifest('sleep 300'))
    await controlled(world, ['one', 'two'], async (stopFirst) => {
      const killed = await queued(world, { repository })
      await underWay(world, killed)
      await stopFirst()
      const key = keyOf('Pod', (await podsOf(world, killed))[0]?.metadata.name ?? '', world.namespace)
      // As when its node is lost: it cannot write anything any more.
      const resource = { ...key.resource, plural: 'pods' }
      await done(world.member.remove({ ...key, resource }, { propagation: 'Background' }))
      const run = await reached(world, killed, 'failed')
      assert.is(run.failure?.code, 'DT6401')
    })
    const forced = await queued(world, { repository })
    await controlled(world, ['three'], async () => {
      await underWay(world, forced)
    })
    // Nobody leads, and its Job goes.
    await removal('Job', world, runName(forced))
    await controlled(world, ['four'], async () => {
      await reached(world, forced, 'failed')
    })
  }))

test('a hostile repository reaches nothing outside of it', () =>
  within((world) =>
    controlled(world, ['one'], async () => {
      const { git } = world
      const token = '/var/run/secrets/kubernetes.io/serviceaccount/token'
      const hostile = git.add('hostile', {
        ...manifest('cat hooks/out 2>/dev/null; ls sub; echo over'),
        link: `-> ${token}`,
        'hooks/post-checkout': '#!/bin/sh\necho hooked > /work/source/hooks/out\n',
        '.gitmodules': '[submodule "sub"]\n\tpath = sub\n\turl = ext::sh -c "touch% /work/owned"\n',
        '.gitattributes': '* filter=evil\n',
        big: 'x'.repeat(30_000_000),
      })
      const run = await reached(
        world,
        await queued(world, { repository: hostile, environment: 'hostile' }),
        'succeeded',
      )
      const text = await textOf(world, run.id)
      assert.ok(text.includes('hello: over') && !text.includes('hooked'), text)
      git.redirect('/moved.git', '/hostile.git')
      const addresses = [`${git.url}/moved.git`, 'file:///work', 'ext::sh -c id', `${git.url}/hostile.git/../x`]
      for (const [index, repository] of addresses.entries()) {
        const id = await queued(world, { repository, environment: `odd-${index}` })
        const odd = await reached(world, id, 'failed')
        assert.is(odd.failure?.code, 'DT6403', `${repository}: ${JSON.stringify(odd)}`)
      }
      assert.not(git.requests.slice(-1)[0]?.includes('/hostile.git/info'))
    }),
  ))

const ending = async ({ api, namespace }: World, isForced: boolean): Promise<void> => {
  const live = await done(api.get(keyOf('Namespace', namespace)))
  assert.ok(live !== undefined)
  const deletion = { since: systemClock.date(), user: ann.id, email: ann.email, force: isForced }
  await done(api.merge(keyOf('Namespace', namespace), deletionChange(live, 'Deleting', deletion), { manager }))
}

test('a namespace is deleted after its destroy commands, and stays when they fail', () =>
  within((world) =>
    controlled(world, ['one'], async () => {
      const { api, git, namespace } = world
      const key = keyOf('Namespace', namespace)
      const repository = git.add('shop', manifest('echo deployed', '"test -n \\"$MAY_GO\\" && echo destroyed"'))
      await reached(world, await queued(world, { repository }), 'succeeded')
      await ending(world, false)
      let live: ClusterObject | undefined
      await until('the deletion has failed', async () => {
        live = await done(api.get(key))
        return textAt(live, 'metadata', 'annotations', 'dev.devtool/status') === 'DeleteFailed'
      })
      const failure = live === undefined ? undefined : deletionIn(live)
      const run = await runOf(world, failure?.run ?? '')
      assert.equal([run.action, run.status, run.who.user], ['destroy', 'failed', ann.id])
      assert.match(await textOf(world, run.id), 'bye')

      await reached(world, await queued(world, { repository }), 'succeeded')
      const allowed = { data: { MAY_GO: Buffer.from('yes').toString('base64') } }
      await done(world.member.merge(keyOf('Secret', 'devtool-variables', namespace), allowed, { manager }))
      await ending(world, false)
      await until('the namespace is going', async () => {
        const found = await done(api.get(key))
        const status = textAt(found, 'metadata', 'annotations', 'dev.devtool/status')
        assert.is.not(status, 'DeleteFailed', JSON.stringify(found))
        return found === undefined || found.metadata.deletionTimestamp !== undefined
      })
    }),
  ))

test.run()
