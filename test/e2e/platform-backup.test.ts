/** A platform loses its users and namespaces, and has them back from a backup: their tokens, rights and variables. */
import { readFileSync, statSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { textAt } from '../../src/domain/cluster/json.ts'
import { resources } from '../../src/domain/cluster/resources.ts'
import { userIdOf } from '../../src/domain/platform/names.ts'
import { done, manager } from '../contract/cluster-world.ts'
import { shown } from '../support/e2e/command.ts'
import { type PlatformLab, withPlatform } from '../support/e2e/installed-platform.ts'
import { fresh } from '../support/e2e/platform-world.ts'
import { until } from '../support/process/until.ts'

const name = fresh('kept')
const users = 'devtool-users'
const accounts = { resource: resources.ServiceAccount, namespace: users }
const secrets = { resource: resources.Secret, namespace: users }

/** Everything of users and tenants. */
const lost = async ({ cluster }: PlatformLab): Promise<void> => {
  const propagation = 'Background'
  const namespace = { resource: resources.Namespace, name }
  await done(cluster.remove(namespace, { propagation }))
  for (const place of [accounts, secrets]) {
    const { items } = await done(cluster.list({ ...place, labels: 'dev.devtool/platform in (user,token)' }))
    for (const { metadata } of items) await done(cluster.remove({ ...place, name: metadata.name }, { propagation }))
  }
  await until('the namespace is gone', async () => (await done(cluster.get(namespace))) === undefined)
}

test('a restore brings back users, tokens, members and variables, and nothing else', () =>
  withPlatform([name], async (lab) => {
    const { asUser, cluster, folder, install, join, must, run, write } = lab
    await install('--builder', 'none')
    await must(['platform', 'backup', 'unused.yaml'])
    const unused = await must(['platform', 'restore', 'unused.yaml', '--yes'])
    assert.match(unused.stderr, /restored 0 users, 0 tokens, 0 namespaces\n/)
    const [ann, ben] = [await asUser(await join('ann'), name), await asUser(await join('ben'), name)]
    await until('the platform answers', async () => (await run(['namespace', 'list'], ann)).status === 0)
    await must(['namespace', 'create', name], ann)
    await must(['namespace', 'members', 'add', 'ben@example.com', '--role', 'viewer'], ann)
    await must(['variable', 'set', 'COLOR', 'red'], ann)
    const quota = { resource: resources.ResourceQuota, namespace: name, name: 'devtool' }
    await done(cluster.merge(quota, { spec: { hard: { pods: '7' } } }, { manager }))

    await must(['platform', 'backup', 'kept.yaml'])
    const kept = `${folder}/kept.yaml`
    const file = readFileSync(kept, 'utf8')
    assert.is(statSync(kept).mode & 0o777, 0o600)
    const nothing = await must(['platform', 'restore', 'kept.yaml', '--yes'])
    assert.match(nothing.stderr, /restored 0 users, 0 tokens, 0 namespaces\n\d+ objects were there already/)

    await lost(lab)
    await until('the platform knows neither of them', async () => (await run(['namespace', 'list'], ben)).status === 4)
    const hostile = file.replaceAll('name: devtool-viewer', 'name: cluster-admin')
    write('hostile.yaml', hostile)
    const refused = await run(['platform', 'restore', 'hostile.yaml', '--yes'])
    assert.is(refused.status, 3, shown(refused))
    assert.match(refused.stderr, /DT6308/)

    const restored = await must(['platform', 'restore', 'kept.yaml', '--yes'])
    assert.match(restored.stderr, /restored 2 users, 2 tokens, 1 namespace\n/)
    assert.is((await must(['platform', 'backup'])).stdout, file)
    await until('ann has her namespace', async () => (await run(['namespace', 'list'], ann)).stdout.includes(name))
    const members = JSON.parse((await must(['namespace', 'members', 'list', '-o', 'json'], ann)).stdout)
    assert.equal(
      members.members
        .map(({ email, role }: { readonly email: string; readonly role: string }) => `${email} ${role}`)
        .toSorted(),
      ['ann@example.com owner', 'ben@example.com viewer'],
    )
    assert.match((await must(['variable', 'list'], ann)).stdout, /COLOR/)
    assert.is(textAt(await done(cluster.get(quota)), 'spec', 'hard', 'pods'), '7')

    // With their own rights in the cluster, and no others.
    await must(['list'], ben)
    await must(['variable', 'set', 'COLOR', 'blue'], ann)
    const viewer = await run(['variable', 'set', 'COLOR', 'green'], ben)
    assert.is(viewer.status, 4, shown(viewer))

    const account = { ...accounts, name: userIdOf('https://login.e2e.example.com', 'ben') }
    await done(cluster.merge(account, { metadata: { annotations: { 'dev.devtool/disabled': 'true' } } }, { manager }))
    const differs = await run(['platform', 'restore', 'kept.yaml', '--yes'])
    assert.is(differs.status, 7, shown(differs))
    assert.match(differs.stderr, /DT6309: ServiceAccount\/u-/)
    assert.match(differs.stderr, new RegExp(`DT6309: Secret/devtool-variables in namespace ${name}`))
  }))

test.run()
