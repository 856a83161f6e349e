/** `deploy` without some of the permissions that it needs. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type MemoryCluster, memoryCluster } from '../memory/cluster.ts'
import { memoryClusters } from '../memory/clusters.ts'
import { devtool } from '../support/cli/cli.ts'
import { writesAmong } from '../support/cluster/memory-objects.ts'

const shop = `name: shop
services:
  web: {image: 'nginx:1', ports: ['80:80']}
`

const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'demo' } }

const run = (cluster: MemoryCluster, ...argv: ReadonlyArray<string>) => {
  const clusters = memoryClusters(new Map([['test', cluster]]), new Map([['test', 'demo']]))
  return devtool(['deploy', '--yes', ...argv], { files: { 'compose.yaml': shop }, memory: { ports: { clusters } } })
}

test('what may not be written is named before anything is', async () => {
  const cluster = memoryCluster({ objects: [namespace], denied: ['patch deployments', 'create ingresses'] })
  const { status, stderr } = await run(cluster)
  assert.is(status, 4, stderr)
  assert.match(
    stderr,
    'DT3003: not allowed to patch deployments.apps; create ingresses.networking.k8s.io in namespace demo: nothing was changed',
  )
  assert.equal(writesAmong(cluster.asked()), [])
})

test('permissions that this deploy does not need are not asked for', async () => {
  const cluster = memoryCluster({ objects: [namespace], denied: ['create jobs', 'delete deployments', 'list pods'] })
  const { status, stderr } = await run(cluster)
  assert.is(status, 0, stderr)
})

test('waiting for a service needs permission to see its pods', async () => {
  const cluster = memoryCluster({ objects: [namespace], denied: ['list pods'] })
  const { status, stderr } = await run(cluster, '--wait')
  assert.is(status, 4, stderr)
  assert.match(stderr, 'not allowed to list pods in namespace demo: nothing was changed')
  assert.equal(writesAmong(cluster.asked()), [])
})

test('a deploy without changes only needs to write its record', async () => {
  const denied: Array<string> = []
  const cluster = memoryCluster({ objects: [namespace], denied })
  assert.is((await run(cluster)).status, 0)
  denied.push('patch deployments', 'create services')
  const { status, stderr } = await run(cluster)
  assert.is(status, 0, stderr)
  denied.push('update configmaps')
  const refused = await run(cluster)
  assert.is(refused.status, 4, refused.stderr)
})

test('where reviews are refused, the deploy goes on', async () => {
  const cluster = memoryCluster({ objects: [namespace], denied: ['patch deployments'] })
  const create: typeof cluster.create = (selection, body, options) =>
    selection.resource.kind.endsWith('Review')
      ? async () => ({
          _tag: 'Left',
          left: {
            ...{ _tag: 'Refused', status: 403, reason: 'Forbidden', message: 'no reviews', causes: [] },
            asked: { verb: 'create', what: selection.resource.plural },
          },
        })
      : cluster.create(selection, body, options)
  const { status, stderr } = await run({ ...cluster, create })
  assert.is(status, 0, stderr)
})

test.run()
