/** The life of a pipeline, by the command in a clone of its repository, with the programs of the platform in this process. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { textAt } from '../../src/domain/cluster/json.ts'
import { resources } from '../../src/domain/cluster/resources.ts'
import { done } from '../contract/cluster-world.ts'
import { compose, page } from '../support/e2e/apps.ts'
import { clone } from '../support/e2e/clone.ts'
import { shown } from '../support/e2e/command.ts'
import { fresh, keyOf } from '../support/e2e/platform-world.ts'
import { removed, type ServedWorld, withServed } from '../support/e2e/served-platform.ts'
import { until } from '../support/process/until.ts'

const saying = (text: string): string => `  - name: say\n    command: echo ${text}\n`

/** As after the time for which finished Jobs are kept. */
const withoutPods = async ({ cluster }: ServedWorld, namespace: string): Promise<void> => {
  for (const { metadata } of (await done(cluster.list({ resource: resources.Job, namespace }))).items) {
    await done(cluster.remove(keyOf('Job', metadata.name, namespace), { propagation: 'Background' }))
  }
  const pods = { resource: resources.Pod, namespace, labels: 'dev.devtool/run' }
  await until('the pods of runs are gone', async () => (await done(cluster.list(pods))).items.length === 0)
}

const claimsIn = async ({ cluster }: ServedWorld, namespace: string): Promise<number> =>
  (await done(cluster.list({ resource: resources.PersistentVolumeClaim, namespace }))).items.length

test('a pipeline of this clone is deployed from its branches, cancelled, and destroyed with its volumes', () =>
  withServed(async (world) => {
    const { cluster, git, must, start } = world
    const namespace = fresh('life')
    const pipeline = (...words: ReadonlyArray<string>) => must(namespace, 'pipeline', ...words)
    try {
      await must(namespace, 'namespace', 'create', namespace)
      await must(namespace, 'variable', 'set', 'DEVTOOL_GIT_CA', '--', git.authority)
      const repository = git.add('shop', { 'devtool.yml': `deploy:\n${saying('from main')}` })
      git.branch('shop', 'next', {
        'other/devtool.yml': `deploy:\n  compose: ../compose.yaml\n  commands:\n  ${saying('from next').replace('\n', '\n  ')}destroy:\n${saying('it is destroyed')}`,
        'compose.yaml': compose({ web: page('hello', 'volumes: ["data:/data"]') }, 'volumes: {data: {}}'),
      })
      git.branch('shop', 'slow', { 'devtool.yml': 'deploy: [echo begun; sleep 300]\n' })
      await clone(world, repository)

      const first = await pipeline('deploy', '--name', 'shop', '--wait')
      assert.match(first.stdout, 'from main')
      const asked = git.requests.length
      await pipeline('deploy', '--name', 'shop', '--skip-if-exists', '--wait')
      assert.is(git.requests.length, asked)
      const missing = await start(namespace, 'pipeline', 'deploy', '--name', 'shop', '--branch', 'nope', '--wait').ended
      assert.is(missing.status, 5, shown(missing))
      assert.match(shown(missing), 'nope')

      const next = ['deploy', '--name', 'shop', '--branch', 'next', '--file', 'other/devtool.yml', '--wait']
      assert.match((await pipeline(...next)).stdout, 'from next')
      assert.is(await claimsIn(world, namespace), 1)
      const record = await done(cluster.get(keyOf('ConfigMap', 'devtool-env-shop', namespace)))
      assert.is(textAt(record, 'data', 'who'), 'ann@example.com')
      await withoutPods(world, namespace)
      assert.match((await pipeline('logs', '--name', 'shop')).stdout, 'from next')

      const slow = start(namespace, 'pipeline', 'deploy', '--name', 'slow', '--branch', 'slow', '--wait')
      await slow.says('begun')
      await pipeline('cancel', '--name', 'slow')
      const cancelled = await slow.ended
      assert.is(cancelled.status, 7, shown(cancelled))

      const moved = [
        '--repository',
        git.add('moved', { 'devtool.yml': `deploy: [echo here]\ndestroy: [echo its end]\n` }),
      ]
      await pipeline('deploy', ...moved, '--name', 'moved', '--wait')
      git.removeFile('moved', 'devtool.yml')
      const gone = await pipeline('destroy', '--name', 'moved', '--wait')
      assert.match(gone.stdout, /the destroy commands of the last deploy are run instead[^]*its end/)

      // As after its pull request has been merged.
      git.removeBranch('shop', 'next')
      const destroyed = await pipeline('destroy', '--name', 'shop', '--volumes', '--wait')
      assert.match(destroyed.stdout, 'no branch or tag next; the destroy commands of the last deploy are run instead')
      assert.match(destroyed.stdout, 'it is destroyed')
      assert.is(await claimsIn(world, namespace), 0)
      assert.is((await pipeline('list', '-o', 'name')).stdout, 'slow\n')
      await must('default', 'namespace', 'delete', namespace)
      assert.is(await done(cluster.get(keyOf('Namespace', namespace))), undefined)
    } finally {
      await removed(cluster, namespace)
    }
  }))

test('a namespace is deleted after the destroy commands of what was deployed from a folder', () =>
  withServed(async ({ cluster, folder, must, start }) => {
    const namespace = fresh('desk')
    try {
      await must(namespace, 'namespace', 'create', namespace)
      const manifest = 'name: desk\ndeploy: [echo hello]\ndestroy: ["test -n \\"$MAY_GO\\""]\n'
      writeFileSync(join(folder, 'devtool.yml'), manifest)
      await must(namespace, 'deploy')
      const kept = await start('default', 'namespace', 'delete', namespace).ended
      assert.is(kept.status, 1, shown(kept))
      assert.match(shown(kept), 'DT6412')
      await must(namespace, 'variable', 'set', 'MAY_GO', '--', 'yes')
      await must('default', 'namespace', 'delete', namespace)
      assert.is(await done(cluster.get(keyOf('Namespace', namespace))), undefined)
    } finally {
      await removed(cluster, namespace)
    }
  }))

test.run()
