/** What commands and others change while a deploy runs. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { CommandResults } from '../../../src/app/commands/manifest-commands.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { type MemoryCluster } from '../../memory/cluster.ts'
import { clusterWith, codes, deploy, plain } from '../../support/kube/deploying.ts'
import { listOf } from '../../support/memory-objects.ts'

const test = suite('changes during a deploy')

const webKey = { resource: resources.Deployment, namespace: 'dev', name: 'web' }
const nothingMade: CommandResults = { inventory: [], foreign: [], findings: [] }

for (const isWaiting of [false, true]) {
  test(`what a command deleted is there again after a deploy that ${isWaiting ? 'waits' : 'does not wait'}`, async () => {
    const cluster = clusterWith()
    await deploy(cluster, plain)
    const before = async (): Promise<CommandResults> => {
      await cluster.remove(webKey, { propagation: 'Background' })()
      return nothingMade
    }
    const late = new AbortController()
    const run = await deploy(cluster, plain, { before, isWaiting, signal: late.signal }, (ms) => {
      if (ms === 20_000) late.abort('timeout')
    })
    assert.ok(run.asked.includes('patch Deployment/web'), run.asked.join('\n'))
    assert.equal(await listOf(cluster, 'Deployment', 'dev'), ['old', 'web'])
  })
}

test('what a command changed is changed back', async () => {
  const cluster = clusterWith()
  await deploy(cluster, plain)
  const before = async (): Promise<CommandResults> => {
    const spec = { template: { spec: { containers: [{ name: 'web', image: 'httpd' }] } } }
    const body = JSON.stringify({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec })
    await cluster.apply(webKey, body, { manager: 'other', force: true })()
    return nothingMade
  }
  const run = await deploy(cluster, plain, { before, force: true })
  assert.is(run.asked.filter((line) => line === 'patch Deployment/web').length, 2, run.asked.join('\n'))
})

test('an object that a command made under the name of a service stops the deploy', async () => {
  const cluster = clusterWith()
  const before = async (): Promise<CommandResults> => {
    cluster.put({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'dev' } })
    return nothingMade
  }
  const run = await deploy(cluster, plain, { before })
  assert.equal(codes(run), ['DT3101'])
  assert.is(run.deployed.record?.status, 'error')
  assert.not.ok(run.asked.some((line) => line.startsWith('patch ')))
})

test('what was read long before its turn is sent, in case something has changed it', async () => {
  const cluster = clusterWith()
  await deploy(cluster, plain)
  const held = { go: () => {} }
  const replace: MemoryCluster['replace'] =
    (key, ...about) =>
    async () => {
      if (key.resource.kind === 'ConfigMap') {
        await new Promise<void>((go) => {
          held.go = go
        })
      }
      return cluster.replace(key, ...about)()
    }
  const run = await deploy({ ...cluster, replace }, plain, {}, (ms) => {
    if (ms >= 15_000) held.go()
  })
  assert.equal(
    run.asked.filter((line) => line.startsWith('patch Deployment/')),
    ['patch Deployment/web', 'patch Deployment/old'],
  )
})

test.run()
