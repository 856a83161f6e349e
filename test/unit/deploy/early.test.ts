/** What is read before the lock is taken, and whether it still holds under it. */
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type EarlyLook, lookEarly } from '../../../src/app/environment/early-look.ts'
import { findRecord, readable } from '../../../src/app/environment/find-record.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { memoryClock } from '../../memory/clock.ts'
import type { MemoryCluster } from '../../memory/cluster.ts'
import { listOf } from '../../support/cluster/memory-objects.ts'
import { clusterWith, codes, type DeployRun, deploy, plain } from '../../support/kube/deploying.ts'

const webKey = { resource: resources.Deployment, namespace: 'dev', name: 'web' }
const { signal } = new AbortController()

const early = async (cluster: MemoryCluster): Promise<EarlyLook | undefined> => {
  const found = E.flatMap(readable)(await findRecord({ cluster, namespace: 'dev' }, 'shop')())
  const look = lookEarly(
    memoryClock(),
    { cluster, namespace: 'dev' },
    E.toUnion(E.mapLeft(() => undefined)(found)),
    signal,
  )
  await look?.seen()
  return look
}

const lists = ({ asked }: DeployRun): number => asked.filter((line) => line.startsWith('list ')).length

test('what was read before the lock was taken is used if the record has not changed', async () => {
  const cluster = clusterWith()
  await deploy(cluster, plain)
  const run = await deploy(cluster, plain.replace('nginx}', 'nginx:2}'), { early: await early(cluster) })
  assert.equal(codes(run), [])
  assert.is(lists(run), 0, run.asked.join('\n'))
  assert.ok(run.asked.includes('patch Deployment/web'))
})

test('after another run everything is read again', async () => {
  const cluster = clusterWith()
  await deploy(cluster, plain)
  const before = await early(cluster)
  await deploy(cluster, plain.replace('nginx}', 'nginx:2}'))
  const run = await deploy(cluster, plain, { early: before })
  assert.ok(lists(run) > 0, run.asked.join('\n'))
  assert.ok(run.asked.includes('patch Deployment/web'), run.asked.join('\n'))
})

test('after the environment was destroyed everything is read again', async () => {
  const cluster = clusterWith()
  await deploy(cluster, plain)
  const before = await early(cluster)
  await cluster.remove(webKey, { propagation: 'Background' })()
  const record = { resource: resources.ConfigMap, namespace: 'dev', name: 'devtool-env-shop' }
  await cluster.remove(record, { propagation: 'Background' })()
  const run = await deploy(cluster, plain, { early: before })
  assert.equal(codes(run), [])
  assert.equal(await listOf(cluster, 'Deployment', 'dev'), ['old', 'web'])
})

test('what was read long before the lock was taken, such as before a build, is read again', async () => {
  const cluster = clusterWith()
  await deploy(cluster, plain)
  const before = await early(cluster)
  assert.ok(before)
  const run = await deploy(cluster, plain, { early: { ...before, beganMs: before.beganMs - 10_001 } })
  assert.ok(lists(run) > 0, run.asked.join('\n'))
})

test('kinds whose contents were not read are read again', async () => {
  const cluster = clusterWith()
  await deploy(cluster, plain)
  const compose = 'services: {web: {image: nginx, configs: [a]}, old: {image: nginx}}\nconfigs: {a: {content: hello}}'
  const run = await deploy(cluster, compose, { early: await early(cluster) })
  assert.ok(lists(run) > 0, run.asked.join('\n'))
})

test('nothing is read early if the environment is new or its last run failed', async () => {
  const cluster = clusterWith()
  assert.is(await early(cluster), undefined)
  cluster.fail({ verb: 'patch', what: 'Deployment/web', status: 422, reason: 'Invalid', message: 'no' })
  await deploy(cluster, plain)
  assert.is(await early(cluster), undefined)
})

test.run()
