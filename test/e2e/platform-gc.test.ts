/** What is left behind in a platform is found, and deleted without touching anything else. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { resources } from '../../src/domain/cluster/resources.ts'
import { userIdOf } from '../../src/domain/platform/names.ts'
import { recordObject } from '../../src/domain/platform/run/record.ts'
import { done, manager } from '../contract/cluster-world.ts'
import { withPlatform } from '../support/e2e/installed-platform.ts'
import { fresh } from '../support/e2e/platform-world.ts'
import { runOf } from '../support/platform/runs.ts'
import { until } from '../support/process/until.ts'

const name = fresh('left')
const idOf = (number: number): string => String(number).padStart(16, '0')
const RUNS = 12

test('access of deleted users and runs over the limit are found, and deleted after confirmation', () =>
  withPlatform([name], async ({ asUser, cluster, install, join, must, run }) => {
    await install('--builder', 'none')
    const ann = await asUser(await join('ann'), name)
    const ben = await asUser(await join('ben'), name)
    await until('the platform answers', async () => (await run(['namespace', 'list'], ann)).status === 0)
    await must(['namespace', 'create', name], ann)
    await must(['namespace', 'members', 'add', 'ben@example.com'], ann)
    await must(['namespace', 'list'], ben)
    const place = { resource: resources.ConfigMap, namespace: name }
    for (let number = 1; number <= RUNS; number += 1) {
      const record = recordObject(runOf({ id: idOf(number), namespace: name }), number)
      await done(cluster.create(place, record, { manager }))
    }
    assert.match((await must(['platform', 'gc', '--yes'])).stdout, /^(ConfigMap.*\n){2}$/)

    const gone = userIdOf('https://login.e2e.example.com', 'ben')
    const account = { resource: resources.ServiceAccount, namespace: 'devtool-users', name: gone }
    await done(cluster.remove(account, { propagation: 'Background' }))
    const listed = await must(['platform', 'gc', '--dry-run'])
    assert.match(
      listed.stdout,
      new RegExp(`^RoleBinding/devtool-${gone}\\S* in ${name}, of a user who does not exist$`, 'm'),
    )
    assert.match(listed.stdout, /^Secret\/tok-\S+ in devtool-users, of a user who does not exist$/m, listed.stdout)
    assert.is(listed.stdout.trimEnd().split('\n').length, 2, listed.stdout)
    assert.is.not((await run(['platform', 'gc'])).status, 0, 'nobody can be asked')
    assert.is((await must(['platform', 'gc', '--dry-run'])).stdout, listed.stdout)

    assert.is((await must(['platform', 'gc', '--yes'])).stdout, listed.stdout)
    assert.match((await must(['platform', 'gc', '--yes'])).stderr, 'there is nothing to delete')
    const { items } = await done(cluster.list({ ...place, labels: 'dev.devtool/kind=run' }))
    assert.equal(
      items.map(({ metadata }) => metadata.name).toSorted(),
      Array.from({ length: RUNS - 2 }, (_, index) => `devtool-run-${idOf(index + 3)}`),
    )
    assert.match((await must(['namespace', 'list'], ann)).stdout, name)
  }))

test.run()
