/** How runs and namespaces of a platform end when a pod is killed, controllers change, or destroy commands fail. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { textAt } from '../../src/domain/cluster/json.ts'
import type { ClusterObject } from '../../src/domain/cluster/live.ts'
import { resources } from '../../src/domain/cluster/resources.ts'
import { deletionIn } from '../../src/domain/platform/deletion-record.ts'
import { deletionChange } from '../../src/domain/platform/namespace/deletion.ts'
import { hasEnded, runName } from '../../src/domain/platform/run/record.ts'
import { done, manager } from '../contract/cluster-world.ts'
import {
  ann,
  controlled,
  manifest,
  podsOf,
  queued,
  reached,
  removal,
  runOf,
  textOf,
  underWay,
  type World,
  within,
} from '../support/e2e/platform-runs.ts'
import { keyOf } from '../support/e2e/platform-world.ts'
import { until } from '../support/process/until.ts'

test('a run whose pod is killed is ended by the controller, even after a change of the leader', () =>
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

const ending = async ({ api, namespace }: World, isForced: boolean): Promise<void> => {
  const live = await done(api.get(keyOf('Namespace', namespace)))
  assert.ok(live !== undefined)
  const deletion = { since: systemClock.date(), user: ann.id, email: ann.email, force: isForced }
  await done(api.merge(keyOf('Namespace', namespace), deletionChange(live, 'Deleting', deletion), { manager }))
}

test('a namespace is deleted after its destroy commands, and kept if they fail', () =>
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

test('a run whose pod does not fit into the quota of its namespace ends with that reason', () =>
  within((world) =>
    controlled(world, ['one'], async () => {
      const { cluster, git, namespace } = world
      const quota = {
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata: { name: 'none' },
        spec: { hard: { pods: '0' } },
      }
      await done(cluster.create({ resource: resources.ResourceQuota, namespace }, quota, { manager }))
      await until('the quota is counted', async () => {
        const live = await done(cluster.get(keyOf('ResourceQuota', 'none', namespace)))
        return textAt(live, 'status', 'used', 'pods') !== undefined
      })
      const id = await queued(world, { repository: git.add('shop', manifest('echo never')) })
      // It may be made until two minutes have passed.
      await until('the run has ended', async () => hasEnded(await runOf(world, id)), 240_000)
      const { failure, status } = await runOf(world, id)
      assert.is(status, 'failed')
      assert.match(failure?.message ?? '', /its pod cannot start: the quota none leaves no room: asked for pods=1/)
    }),
  ))

test.run()
