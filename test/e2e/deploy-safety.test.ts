/** What deploy and destroy must not touch, what they only show, and how they end when they cannot go on. */
import { execFileSync } from 'node:child_process'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { textAt } from '../../src/domain/cluster/json.ts'
import { compose, neverReady, page } from '../support/e2e/apps.ts'
import { shown } from '../support/e2e/command.ts'
import type { Space } from '../support/e2e/e2e.ts'
import { scenarios } from '../support/e2e/scenarios.ts'
import { until } from '../support/process/until.ts'

const deploy = async (space: Space, text: string, ...args: ReadonlyArray<string>) => {
  space.write('compose.yaml', text)
  return space.must('deploy', '--wait', '--timeout', '5m', ...args)
}
const names = async ({ list }: Space): Promise<ReadonlyArray<string>> =>
  (await list('Deployment')).map(({ metadata }) => metadata.name)

const test = suite('safety')

await scenarios(test, [
  {
    title: 'private and local ports have no Ingress but can be reached inside the cluster',
    space: 'private',
    run: async (space) => {
      const text = { web: page('web', 'ports: [8080]'), local: page('local', 'ports: ["127.0.0.1:8080:8080"]') }
      const { stdout } = await deploy(space, compose(text))
      assert.is(stdout, '')
      assert.equal(await space.list('Ingress'), [])
      for (const name of ['web', 'local']) {
        await space.serves(name, name)
        assert.is(textAt(await space.get('Service', name), 'spec', 'type'), 'ClusterIP')
      }
    },
  },
  {
    title: 'two environments can share a namespace, but not an object name: that is an error and nothing is changed',
    space: 'two',
    run: async (space) => {
      await deploy(space, compose({ web: page('one', 'ports: [8080]') }), '--name', 'one')
      await deploy(space, compose({ api: page('two', 'ports: [8080]') }), '--name', 'two')
      space.write('compose.yaml', compose({ web: page('taken', 'ports: [8080]'), fresh: page('fresh') }))
      const refused = await space.run('deploy', '--wait', '--name', 'three')
      assert.is(refused.status, 7, shown(refused))
      assert.match(refused.stderr, /DT3101: .*one/)
      assert.equal(await names(space), ['api', 'web'])
      assert.equal(await space.list('Lease'), [])
      await space.must('destroy', '--wait', '--name', 'one')
      assert.equal(await names(space), ['api'])
      await space.serves('api', 'two')
    },
  },
  {
    title: 'an environment belongs to the repository it was deployed from',
    space: 'source',
    run: async (space) => {
      const git = (...args: ReadonlyArray<string>): void => void execFileSync('git', ['-C', space.folder, ...args])
      git('init', '-q', '-b', 'main')
      git('remote', 'add', 'origin', 'https://git.example.com/acme/shop.git')
      const shop = `name: app\n${compose({ web: page('web'), db: page('db') })}`
      await deploy(space, shop)
      git('remote', 'set-url', 'origin', 'git@git.example.com:acme/blog.git')
      space.write('compose.yaml', `name: app\n${compose({ ghost: page('ghost') })}`)
      for (const command of ['deploy', 'destroy']) {
        const refused = await space.run(command, '--yes')
        assert.is(refused.status, 7, shown(refused))
        assert.match(refused.stderr, 'belongs to git.example.com/acme/shop, not to git.example.com/acme/blog')
        assert.equal(await space.list('Lease'), [])
      }
      assert.equal(await names(space), ['db', 'web'])
      const { stderr } = await space.run('endpoints')
      assert.match(stderr, 'the environment "app" was deployed from git.example.com/acme/shop')
      git('remote', 'set-url', 'origin', 'ssh://git@git.example.com:2222/acme/shop')
      await deploy(space, shop)
      await space.must('destroy', '--wait')
      assert.equal(await names(space), [])
    },
  },
  {
    title: 'an object without an owner is not taken over',
    space: 'nobody',
    run: async (space) => {
      const metadata = { name: 'web' }
      const spec = { ports: [{ port: 80 }], selector: { app: 'mine' } }
      await space.create('Service', { apiVersion: 'v1', kind: 'Service', metadata, spec })
      space.write('compose.yaml', compose({ web: page('web', 'ports: [8080]') }))
      const refused = await space.run('deploy')
      assert.is(refused.status, 7, shown(refused))
      const found = await space.get('Service', 'web')
      assert.is(textAt(found, 'spec', 'selector', 'app'), 'mine')
      assert.equal(await names(space), [])
    },
  },
  {
    title: 'objects with the keep policy stay when their environment is destroyed',
    space: 'keep',
    run: async (space) => {
      const kept = page('kept', 'labels: {dev.devtool/policy: keep}')
      await deploy(space, compose({ web: page('web'), kept }))
      await space.must('destroy', '--wait')
      assert.equal(await names(space), ['kept'])
    },
  },
  {
    title: '--dry-run=server changes nothing, and the exit status of --diff says whether anything would change',
    space: 'preview',
    run: async (space) => {
      space.write('compose.yaml', compose({ web: page('one', 'ports: [8080]') }))
      const { stdout } = await space.must('deploy', '--dry-run=server')
      assert.match(stdout, /create +Deployment\/web/)
      assert.equal(await names(space), [])
      assert.is(await space.get('Lease', 'devtool-env-files'), undefined)
      const fresh = await space.run('deploy', '--diff')
      assert.is(fresh.status, 1, shown(fresh))
      await space.must('deploy', '--wait')
      const same = await space.run('deploy', '--diff')
      assert.is(same.status, 0, shown(same))
      space.write('compose.yaml', compose({ web: page('two', 'ports: [8080]') }))
      const changed = await space.run('deploy', '--diff')
      assert.is(changed.status, 1, shown(changed))
      assert.match(changed.stdout, /^\+.*echo two/m)
      // What the server adds is no difference.
      for (const { stdout: diff } of [fresh, changed]) {
        assert.not.match(diff, /terminationMessagePath|schedulerName|dnsPolicy|clusterIP/)
      }
    },
  },
  {
    title: 'of two concurrent deploys one succeeds and the other ends with 7, unless it breaks the lock',
    space: 'lock',
    run: async (space) => {
      space.write('compose.yaml', compose({ web: neverReady }))
      const first = space.start('deploy', '--wait', '--timeout', '10m')
      await until('the lock is taken', async () => (await space.list('Lease')).length === 1)
      const second = await space.run('deploy', '--wait')
      assert.is(second.status, 7, shown(second))
      assert.match(second.stderr, 'DT3110')
      space.write('compose.yaml', compose({ web: page('web') }))
      await space.must('deploy', '--wait', '--break-lock')
      const lost = await first.ended
      assert.ok([0, 7].includes(lost.status), shown(lost))
    },
  },
  {
    title: '--wait-for-lock waits until the other run has ended, or ends with 7 once its time is over',
    space: 'turn',
    run: async (space) => {
      space.write('compose.yaml', compose({ web: neverReady }))
      const first = space.start('deploy', '--wait')
      await until('the lock is taken', async () => (await space.list('Lease')).length === 1)
      const refused = await space.run('deploy', '--wait', '--wait-for-lock', '2s')
      assert.is(refused.status, 7, shown(refused))
      assert.match(refused.stderr, /waiting for the lock of [^]*DT3110/)
      space.write('compose.yaml', compose({ web: page('web') }))
      const second = space.start('deploy', '--wait', '--wait-for-lock', '2m')
      await second.says('waiting for the lock of ')
      first.child.kill('SIGINT')
      assert.is((await first.ended).status, 130)
      const ended = await second.ended
      assert.is(ended.status, 0, shown(ended))
    },
  },
  {
    title: 'the lock of a killed process expires',
    space: 'expiry',
    run: async (space) => {
      space.write('compose.yaml', compose({ web: neverReady }))
      const killed = space.start('deploy', '--wait')
      await killed.says('web')
      killed.child.kill('SIGKILL')
      await killed.ended
      await deploy(space, compose({ web: page('web') }))
    },
  },
  {
    title: '--timeout ends a deploy that waits in vain with status 6 and the reason',
    space: 'timeout',
    run: async (space) => {
      space.write('compose.yaml', compose({ web: neverReady }))
      const { ms, status, stderr, stdout } = await space.run('deploy', '--wait', '--timeout', '30s')
      assert.is(status, 6, stdout + stderr)
      assert.match(stderr, /DT3120: .*web/s)
      process.stdout.write(`  --timeout 30s ended after ${(ms / 1000).toFixed(1)} s\n`)
      assert.ok(ms >= 30_000, `${ms} ms`)
      await deploy(space, compose({ web: page('web') }))
    },
  },
  {
    title: 'an interrupt ends a deploy with 130 and releases the lock',
    space: 'interrupt',
    run: async (space) => {
      space.write('compose.yaml', compose({ web: neverReady }))
      const running = space.start('deploy', '--wait')
      await until('web is there', async () => (await space.get('Deployment', 'web')) !== undefined)
      running.child.kill('SIGINT')
      const ended = await running.ended
      assert.is(ended.status, 130, shown(ended))
      assert.equal(await space.list('Lease'), [], 'the lock was left behind')
      await deploy(space, compose({ web: page('web') }))
    },
  },
])

test.run()
