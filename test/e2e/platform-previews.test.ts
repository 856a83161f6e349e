/** Pipelines and previews by the command itself, with the programs of the platform in this process. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { done } from '../contract/cluster-world.ts'
import { advisedWith } from '../support/cli/golden-commands.ts'
import { compose, page } from '../support/e2e/apps.ts'
import { type CommandResult, shown } from '../support/e2e/command.ts'
import { DOMAIN, fresh, keyOf } from '../support/e2e/platform-world.ts'
import { host, removed, withServed } from '../support/e2e/served-platform.ts'
import { until } from '../support/process/until.ts'

const COUNT = 20

test('a pipeline is deployed, and its log continues where it was when the API server restarts', () =>
  withServed(async ({ again, cluster, git, must, start }) => {
    const namespace = fresh('pipeline')
    try {
      await must(namespace, 'namespace', 'create', namespace)
      await must(namespace, 'variable', 'set', 'DEVTOOL_GIT_CA', '--', git.authority)
      const command = `for i in $(seq ${COUNT}); do echo tick $i.; sleep 1; done`
      const repository = git.add('shop', { 'devtool.yml': `deploy:\n  - name: count\n    command: ${command}\n` })
      const deploy = ['pipeline', 'deploy', '--repository', repository, '--name', 'shop', '--wait']
      const following = start(namespace, ...deploy)
      await following.says('tick 3.')
      await again()
      const followed = await following.ended
      assert.is(followed.status, 0, shown(followed))
      const ticks = [...followed.stdout.matchAll(/tick (\d+)\./g)].map(([, number]) => Number(number))
      assert.equal(
        ticks,
        Array.from({ length: COUNT }, (_, index) => index + 1),
        shown(followed),
      )
      const { stdout } = await must(namespace, 'pipeline', 'list')
      assert.match(stdout, /shop.*succeeded/)
    } finally {
      await removed(cluster, namespace)
    }
  }))

/** Of a private repository, whose server has an authority of its own: nothing is known of them but what is set for all. */
test('a preview is deployed, listed, has an address, and is destroyed', () =>
  withServed(async ({ cluster, git, must, start }) => {
    const name = fresh('preview')
    try {
      const service = page('hello', 'ports: ["8080:8080"]')
      const repository = git.add('shop', {
        'compose.yaml': compose({ web: service }),
        'devtool.yml': 'deploy: {compose: compose.yaml}\ndestroy: [test "$REGION" = north]\n',
      })
      git.protect('/shop.git', 'secret-token')
      const token = `DEVTOOL_GIT_TOKEN_${host.toUpperCase().replace('.', '_')}`
      const shared = { DEVTOOL_GIT_CA: git.authority, REGION: 'north' }
      for (const [variable, value] of Object.entries(shared)) {
        await must(name, 'variable', 'set', variable, '--all', '--previews', '--', value)
      }
      const deploy = ['preview', 'deploy', name, '--repository', repository, '--wait']
      const refused = await start(name, ...deploy).ended
      assert.is(refused.status, 5, shown(refused))
      assert.match(`${refused.stdout}${refused.stderr}`, token)
      const given = await must(name, ...deploy, '--var', `${token}=secret-token`)
      assert.not.match(`${given.stdout}${given.stderr}`, 'secret-token')

      assert.is((await must(name, 'preview', 'list', '-o', 'name')).stdout, `${name}\n`)
      await until('the list says how the run has ended', async () => {
        const list = JSON.parse((await must(name, 'preview', 'list', '-o', 'json')).stdout)
        return list.previews[0]?.run?.status === 'succeeded'
      })
      const { stdout } = await must(name, 'preview', 'endpoints', name, '-o', 'md')
      assert.ok(stdout.includes(`https://web-${name}.${DOMAIN}`), stdout)
      for (const line of advisedWith.run) {
        const [, ...words] = line.replace('web', 'shop').replace('look', name).split(' ')
        await must('default', ...words)
      }
      // Nobody has given the token for this: its destroy commands are known from its deploy.
      await must(name, 'preview', 'destroy', name)
      assert.is(await done(cluster.get(keyOf('Namespace', name))), undefined)
      assert.is((await must(name, 'preview', 'list', '-o', 'name')).stdout, '')
    } finally {
      await removed(cluster, name)
    }
  }))

/** This platform has neither a registry nor a build service. */
test('a run that has to build says what is missing, and how to get it', () =>
  withServed(async ({ cluster, git, must, start }) => {
    const namespace = fresh('lacking')
    try {
      await must(namespace, 'namespace', 'create', namespace)
      await must(namespace, 'variable', 'set', 'DEVTOOL_GIT_CA', '--', git.authority)
      const files = {
        Dockerfile: 'FROM scratch\nCOPY page /\n',
        page: 'text',
        'compose.yaml': 'services: {web: {build: .}}\n',
      }
      const repository = git.add('shop', files)
      const deploy = async (): Promise<CommandResult> =>
        start(namespace, 'pipeline', 'deploy', '--repository', repository, '--name', 'shop', '--wait').ended
      const unnamed = await deploy()
      assert.is(unnamed.status, 5, shown(unnamed))
      assert.match(shown(unnamed), 'devtool variable set DEVTOOL_REGISTRY HOST')
      await must(namespace, 'variable', 'set', 'DEVTOOL_REGISTRY', 'registry.example.com/team')
      const unbuilt = await deploy()
      assert.is(unbuilt.status, 4, shown(unbuilt))
      assert.match(shown(unbuilt), 'DT6021')
      assert.match(shown(unbuilt), 'this platform has no build service')
      assert.not.match(shown(unbuilt), /[Dd]ocker/)
      await must(namespace, 'variable', 'set', 'BUILDKIT_HOST', 'tcp://127.0.0.1:9')
      const unreached = await deploy()
      assert.is(unreached.status, 8, shown(unreached))
      assert.match(shown(unreached), /DT4001: the builder at tcp:\/\/127\.0\.0\.1:9 cannot be reached/)
    } finally {
      await removed(cluster, namespace)
    }
  }))

test.run()
