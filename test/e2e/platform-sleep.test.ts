/** Namespaces that nobody uses are put to sleep by the controller, with its own account and under the policies. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { at, type Json, type JsonObject, numberAt, textAt } from '../../src/domain/cluster/json.ts'
import { type KnownKind, resources } from '../../src/domain/cluster/resources.ts'
import { done, manager } from '../contract/cluster-world.ts'
import { compose, page } from '../support/e2e/apps.ts'
import { fresh, keyOf } from '../support/e2e/platform-world.ts'
import { removed, type ServedWorld, withServed } from '../support/e2e/served-platform.ts'
import { until } from '../support/process/until.ts'

const LIMIT = { sleepAfterSeconds: 5 }

const sleepsAfter = ({ cluster }: ServedWorld, namespace: string, text: string | null) =>
  done(
    cluster.merge(
      keyOf('Namespace', namespace),
      { metadata: { annotations: { 'dev.devtool/sleep-after': text } } },
      { manager },
    ),
  )

const files = {
  'compose.yaml': compose({ web: page('hello', 'deploy: {replicas: 2}') }),
  'devtool.yml': 'deploy: {compose: compose.yaml}\ndev: {web: {workdir: /tmp, persistentVolume: {enabled: false}}}\n',
}

const containers = [{ name: 'app', image: 'busybox:1.37', command: ['sleep', '3600'] }]
const template = {
  metadata: { labels: { app: 'each' } },
  spec: { terminationGracePeriodSeconds: 0, restartPolicy: 'Always', containers },
}
const once = { ...template, spec: { ...template.spec, restartPolicy: 'Never' } }

/** What others have made. */
const foreign: ReadonlyArray<readonly [KnownKind, string, JsonObject]> = [
  ['DaemonSet', 'apps/v1', { selector: { matchLabels: { app: 'each' } }, template }],
  ['CronJob', 'batch/v1', { schedule: '0 0 1 1 *', jobTemplate: { spec: { template: once } } }],
]

const [NOWHERE, SUSPENDED] = [
  ['spec', 'template', 'spec', 'nodeSelector'],
  ['spec', 'suspend'],
] as const

const foreignNow = async ({ cluster }: ServedWorld, namespace: string): Promise<ReadonlyArray<Json | undefined>> => [
  at(await done(cluster.get(keyOf('DaemonSet', 'each', namespace))), ...NOWHERE),
  at(await done(cluster.get(keyOf('CronJob', 'each', namespace))), ...SUSPENDED),
]

const replicas = async ({ cluster }: ServedWorld, namespace: string): Promise<number | undefined> =>
  numberAt(await done(cluster.get(keyOf('Deployment', 'web', namespace))), 'spec', 'replicas')

const isAsleep = async ({ cluster }: ServedWorld, namespace: string): Promise<boolean> => {
  const record = await done(cluster.get(keyOf('ConfigMap', 'devtool-sleep', namespace)))
  return textAt(record, 'metadata', 'labels', 'dev.devtool/sleep') === 'asleep'
}

test('an unused namespace is put to sleep, unless it has a development container', () =>
  withServed(async (world) => {
    const { cluster, folder, must, send } = world
    const [used, idle] = [fresh('used'), fresh('idle')]
    try {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
      for (const namespace of [used, idle]) {
        await must(namespace, 'namespace', 'create', namespace)
        await sleepsAfter(world, namespace, 'never')
        await must(namespace, 'deploy', '--name', 'shop', '--wait')
      }
      for (const [kind, apiVersion, spec] of foreign) {
        const body = { apiVersion, kind, metadata: { name: 'each' }, spec }
        await done(cluster.create({ resource: resources[kind], namespace: idle }, body, { manager }))
      }
      const before = await foreignNow(world, idle)
      await must(used, 'up', 'web', '--yes', '--command', 'true')
      await sleepsAfter(world, used, null)
      await sleepsAfter(world, idle, null)
      await until('the idle one sleeps', async () => (await replicas(world, idle)) === 0)
      await until('all of it sleeps', async () => (await foreignNow(world, idle))[1] === true)
      assert.not.equal((await foreignNow(world, idle))[0], before[0])
      assert.not(await isAsleep(world, used))
      const listed = await must(idle, 'list', 'shop')
      assert.match(listed.stdout, 'the namespace sleeps')

      await sleepsAfter(world, idle, 'never')
      const woken = await must(idle, 'namespace', 'wake')
      assert.match(woken.stderr, 'is awake')
      assert.is(await replicas(world, idle), 2)
      assert.equal(await foreignNow(world, idle), before)

      // The buttons of the pages, with the permissions of the user.
      const said = async () => at((await send('GET', `/namespaces/${idle}`)).json, 'isAsleep')
      for (const [verb, count] of [
        ['sleep', 0],
        ['wake', 2],
      ] as const) {
        const { json, status } = await send('POST', `/namespaces/${idle}/${verb}`, {})
        assert.is(status, 202, JSON.stringify(json))
        await until(verb, async () => (await replicas(world, idle)) === count)
        await until('it is listed as such', async () => (await said()) === (verb === 'sleep' ? true : undefined))
      }
      await until('all is as before', async () => isDeepStrictEqual(await foreignNow(world, idle), before))

      await must(used, 'down', 'web')
      await until('nobody develops in it any more, and it sleeps', () => isAsleep(world, used))
    } finally {
      for (const namespace of [used, idle]) await removed(cluster, namespace)
    }
  }, LIMIT))

test('a preview that nobody uses sleeps, is awake when it is deployed again, and is destroyed asleep', () =>
  withServed(async (world) => {
    const { cluster, git, must } = world
    const name = fresh('nap')
    try {
      await must(name, 'variable', 'set', 'DEVTOOL_GIT_CA', '--all', '--previews', '--', git.authority)
      const manifest = 'deploy: {compose: compose.yaml}\ndestroy: [echo bye]\n'
      const repository = git.add('shop', { ...files, 'devtool.yml': manifest })
      const deploy = ['preview', 'deploy', name, '--repository', repository, '--wait']
      for (let time = 0; time < 2; time += 1) {
        const { stdout } = await must(name, ...deploy)
        assert.match(stdout, 'web done 2 of 2 ready')
        await until('it sleeps', async () => (await isAsleep(world, name)) && (await replicas(world, name)) === 0)
      }
      await must(name, 'preview', 'destroy', name)
      assert.is(await done(cluster.get(keyOf('Namespace', name))), undefined)
    } finally {
      await removed(cluster, name)
    }
  }, LIMIT))

test.run()
