/** A platform is installed with an image that the command builds itself, upgraded, removed, and installed again. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { listAt, textAt } from '../../src/domain/cluster/json.ts'
import type { ClusterObject } from '../../src/domain/cluster/live.ts'
import { resources } from '../../src/domain/cluster/resources.ts'
import { done, manager } from '../contract/cluster-world.ts'
import { shown } from '../support/e2e/command.ts'
import { gone, PLATFORM, type PlatformLab, told, withPlatform } from '../support/e2e/installed-platform.ts'
import { fresh } from '../support/e2e/platform-world.ts'
import { until } from '../support/process/until.ts'

const isThere = async ({ cluster }: PlatformLab, name: string): Promise<boolean> =>
  (await done(cluster.get({ resource: resources.Namespace, name }))) !== undefined

const deployment = { resource: resources.Deployment, namespace: 'devtool-system', name: 'api' }

const imageIn = async ({ cluster }: PlatformLab): Promise<string> => {
  const [container] = listAt(await done(cluster.get(deployment)), 'spec', 'template', 'spec', 'containers')
  return textAt(container, 'image') ?? ''
}

/** Of a Deployment that cannot be scheduled, `status` tells which pods are missing and why, until it is put back. */
const breakController = async ({ cluster, run }: PlatformLab): Promise<void> => {
  const controller = { ...deployment, name: 'controller' }
  const select = (value: string | null) =>
    done(cluster.merge(controller, { spec: { template: { spec: { nodeSelector: { broken: value } } } } }, { manager }))
  const allowMissing = (maxUnavailable: number) =>
    done(cluster.merge(controller, { spec: { strategy: { rollingUpdate: { maxUnavailable } } } }, { manager }))
  await allowMissing(1)
  await select('yes')
  let status = await run(['platform', 'status'])
  await until('the status says why the controller is not ready', async () => {
    status = await run(['platform', 'status'])
    return /DT6307: 1 of 2 pods of the controller are ready \(not controller-[^)]+\): .*node/.test(status.stderr)
  })
  assert.is(status.status, 1, shown(status))
  assert.match(status.stdout, /^controller +1 of 2 ready$/m)
  await select(null)
  await allowMissing(0)
  await until('the controller is ready', async () => (await run(['platform', 'status'])).status === 0)
}

const LATER = 'dev.devtool/later'

const usersIn = async ({ cluster }: PlatformLab): Promise<ReadonlyArray<ClusterObject>> => {
  const { items } = await done(
    cluster.list({ resource: resources.ServiceAccount, labels: 'dev.devtool/platform=user' }),
  )
  assert.is(items.length, 1)
  return items
}

/** What a later version grants to its programs, and stores with a user. */
const leaveFromLater = async (lab: PlatformLab): Promise<void> => {
  const { cluster } = lab
  const rbac = 'rbac.authorization.k8s.io'
  const metadata = { name: 'devtool-auditor', labels: { 'dev.devtool/platform': 'system' } }
  const rule = { apiGroups: [''], resources: ['events'], verbs: ['list'] }
  const kind = 'ClusterRole'
  const role = { apiVersion: `${rbac}/v1`, kind, metadata, rules: [rule] }
  await done(cluster.create({ resource: resources.ClusterRole }, role, { manager }))
  const subject = { kind: 'ServiceAccount', name: 'devtool-api', namespace: 'devtool-system' }
  const given = { roleRef: { apiGroup: rbac, kind, name: metadata.name }, subjects: [subject] }
  const binding = { apiVersion: `${rbac}/v1`, kind: 'ClusterRoleBinding', metadata, ...given }
  await done(cluster.create({ resource: resources.ClusterRoleBinding }, binding, { manager }))
  for (const user of await usersIn(lab)) {
    const { name, namespace = '' } = user.metadata
    const annotations = { [LATER]: 'kept' }
    await done(
      cluster.merge(
        { resource: resources.ServiceAccount, name, namespace },
        { metadata: { annotations } },
        { manager },
      ),
    )
  }
}

const name = fresh('install')

test('a platform is installed, upgraded and removed, and the next installation finds its users and namespaces', () =>
  withPlatform([name], async (lab) => {
    const { asUser, install, join, must, run } = lab
    const printed = await must(['platform', 'install', ...told, '--dry-run'])
    assert.match(printed.stdout, /kind: ValidatingAdmissionPolicy\n/)
    assert.match(printed.stdout, /kind: StatefulSet\n/)

    const refused = await run(['platform', 'install', ...told, '--tls', 'issuer=nobody', '--yes'])
    assert.is(refused.status, 5, shown(refused))
    assert.match(refused.stderr, /DT6303: --tls issuer=nobody/)
    assert.not.ok(await isThere(lab, 'devtool-system'))

    lab.write('secret.txt', 's3cret\n')
    const diff = ['platform', 'install', ...told, '--oidc-secret', 'secret.txt', '--builder', 'none', '--diff']
    const wanted = await run(diff)
    assert.is(wanted.status, 1, shown(wanted))
    // The roles of namespaces stay when a platform is removed.
    assert.match(wanted.stderr, /DT3140: the cluster differs from this installation: \d+ to create(, 3 unchanged)?\n/)
    assert.match(wanted.stdout, /^\+\+\+ installed\/devtool-system\/Deployment\/api$/m)
    assert.not.ok(await isThere(lab, 'devtool-users'))

    const { stdout } = await install('--builder', 'none')
    assert.is(stdout, `${PLATFORM}\n`)
    assert.is((await must(diff)).stdout, '')
    assert.is((await must(['platform', 'upgrade', '--diff'])).stdout, '')
    const more = await run([...diff, '--allow-domain', 'example.com'])
    assert.is(more.status, 1, shown(more))
    assert.match(more.stdout, /^\+ +value: example\.com$/m)
    const image = await imageIn(lab)
    assert.match(image, new RegExp(`^${lab.registry}/devtool-platform(:[^@]+)?@sha256:[0-9a-f]{64}$`))
    const status = await must(['platform', 'status'])
    assert.match(status.stdout, /^api +2 of 2 ready\ncontroller +2 of 2 ready$/m)
    await breakController(lab)
    await must(['why', '--name', 'platform', '--namespace', 'devtool-system'])

    const token = await join('ann')
    const ann = await asUser(token)
    await until('the platform answers', async () => (await run(['namespace', 'list'], ann)).status === 0)
    await must(['namespace', 'create', name], ann)

    // An earlier version had no accounts of tokens. Nothing else has changed, so it is the same image.
    await gone(lab.cluster, 'devtool-scoped')
    await must(['platform', 'upgrade', '--yes', '--timeout', '10m'])
    assert.is(await imageIn(lab), image)
    assert.ok(await isThere(lab, 'devtool-scoped'))
    assert.is((await must(['platform', 'upgrade', '--diff'])).stdout, '')

    await leaveFromLater(lab)
    const back = await run(['platform', 'upgrade', '--diff'])
    assert.is(back.status, 1, shown(back))
    assert.match(back.stdout, /^--- live\/ClusterRoleBinding\/devtool-auditor$/m)
    await must(['platform', 'upgrade', '--yes', '--timeout', '10m'])
    assert.is((await must(['platform', 'upgrade', '--diff'])).stdout, '')
    for (const kind of ['ClusterRoleBinding', 'ClusterRole'] as const)
      assert.is(await done(lab.cluster.get({ resource: resources[kind], name: 'devtool-auditor' })), undefined)
    for (const user of await usersIn(lab)) assert.is(textAt(user, 'metadata', 'annotations', LATER), 'kept')
    assert.match((await must(['namespace', 'list'], ann)).stdout, name)

    const removed = await must(['platform', 'uninstall', '--yes'])
    assert.match(removed.stderr, /1 namespace of theirs/)
    for (const own of ['devtool-system', 'devtool-scoped']) assert.not.ok(await isThere(lab, own))
    assert.ok(await isThere(lab, name))

    await install('--builder', 'none')
    const found = await must(['platform', 'status', '-o', 'json'])
    const { namespaces, users }: { readonly users: number; readonly namespaces: number } = JSON.parse(found.stdout)
    assert.equal([users, namespaces], [1, 1])
    const again = await asUser(token)
    await until('the platform knows its user', async () => {
      const { stdout: list } = await run(['namespace', 'list'], again)
      return list.includes(name)
    })
  }))

test.run()
