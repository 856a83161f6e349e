/** Who has access to previews, how long they stay, and what the code of a fork may do, by the command itself. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { secondsFrom } from '../../src/app/platform/issuing.ts'
import { annotationOf } from '../../src/domain/cluster/live.ts'
import { resources } from '../../src/domain/cluster/resources.ts'
import { EXPIRES_ANNOTATION } from '../../src/domain/k8s/labels.ts'
import { done, manager } from '../contract/cluster-world.ts'
import { compose, page } from '../support/e2e/apps.ts'
import { shown } from '../support/e2e/command.ts'
import { fresh, keyOf } from '../support/e2e/platform-world.ts'
import { host, removed, withServed } from '../support/e2e/served-platform.ts'
import { until } from '../support/process/until.ts'

const shop = {
  'compose.yaml': compose({ web: page('hello', 'ports: ["8080:8080"]') }),
  'devtool.yml': 'deploy: {compose: compose.yaml}\n',
}

test('a global preview is visible to all users, and only administrators deploy and destroy it', () =>
  withServed(async ({ by, cluster, git, must }) => {
    const [name, own] = [fresh('global'), fresh('personal')]
    try {
      await must(name, 'variable', 'set', 'DEVTOOL_GIT_CA', '--all', '--previews', '--', git.authority)
      const repository = git.add('shop', shop)
      const deploy = ['preview', 'deploy', name, '--repository', repository, '--scope', 'global', '--wait']
      await must(name, ...deploy)
      await must(own, 'preview', 'deploy', own, '--repository', repository, '--wait')

      const ben = await by('ben')
      const listed = (await ben.must(name, 'preview', 'list')).stdout
      assert.match(listed, new RegExp(`^${name} .*global`, 'm'))
      assert.not.match(listed, own)
      assert.match((await ben.must(name, 'preview', 'endpoints', name)).stdout, `web-${name}`)
      assert.is((await ben.start(own, 'preview', 'endpoints', own).ended).status, 5)
      for (const argv of [deploy, ['preview', 'destroy', name]]) {
        const refused = await ben.start(name, ...argv).ended
        assert.is(refused.status, 4, shown(refused))
        assert.match(refused.stderr, 'only administrators of the platform')
      }
      assert.is.not((await ben.start(own, 'preview', 'destroy', own).ended).status, 0)
      await must(name, 'preview', 'destroy', name)
      await must(own, 'preview', 'destroy', own)
      assert.is((await ben.must(name, 'preview', 'list', '-o', 'name')).stdout, '')
    } finally {
      await removed(cluster, name)
      await removed(cluster, own)
    }
  }))

test('an expired preview is deleted, and its destroy commands run', () =>
  withServed(async ({ cluster, git, must }) => {
    const name = fresh('expiring')
    try {
      await must(name, 'variable', 'set', 'DEVTOOL_GIT_CA', '--all', '--previews', '--', git.authority)
      const repository = git.add('shop', { ...shop, 'devtool.yml': `${shop['devtool.yml']}destroy: [echo bye]\n` })
      await must(name, 'preview', 'deploy', name, '--repository', repository, '--wait')
      assert.is((await must(name, 'preview', 'list', '-o', 'name')).stdout, `${name}\n`)
      const live = await done(cluster.get(keyOf('Namespace', name)))
      assert.ok(live !== undefined && Date.parse(annotationOf(live, EXPIRES_ANNOTATION) ?? '') > Date.now())
      const cloned = git.requests.length
      const annotations = { [EXPIRES_ANNOTATION]: secondsFrom(Date.now(), -5) }
      await done(cluster.merge(keyOf('Namespace', name), { metadata: { annotations } }, { manager }))
      const isGone = async (): Promise<boolean> => (await done(cluster.get(keyOf('Namespace', name)))) === undefined
      await until('the preview has expired', isGone)
      assert.ok(git.requests.length > cloned, 'its destroy commands are those of the repository')
    } finally {
      await removed(cluster, name)
    }
  }))

test('a token is used and stored only for what it was meant for', () =>
  withServed(async ({ cluster, git, must, start }) => {
    const name = fresh('tokens')
    const variable = `DEVTOOL_GIT_TOKEN_${host.toUpperCase().replaceAll('.', '_')}`
    const secrets = async (): Promise<string> =>
      JSON.stringify((await done(cluster.list({ resource: resources.Secret, namespace: name }))).items)
    const token = Buffer.from('secret-token').toString('base64')
    try {
      await must(name, 'variable', 'set', 'DEVTOOL_GIT_CA', '--all', '--previews', '--', git.authority)
      const repository = git.add('shop', shop)
      // Without services, which are of the other environment.
      const fork = git.add('fork', { 'devtool.yml': 'deploy:\n  commands:\n    - echo deployed\n' })
      for (const path of ['/shop.git', '/fork.git']) git.protect(path, 'secret-token')
      const deploy = (from: string, ...more: ReadonlyArray<string>) =>
        start(name, 'preview', 'deploy', name, '--repository', from, '--wait', ...more).ended
      const set = (value: string) => must(name, 'variable', 'set', variable, '--all', '--previews', '--', value)
      // Only for the repository itself.
      await set('shop secret-token')
      const refused = await deploy(fork)
      assert.is(refused.status, 5, shown(refused))
      assert.match(refused.stderr, /DT6403[^]*if it is private, set a token/)
      assert.not.match(await secrets(), token)
      const passed = await deploy(repository)
      assert.is(passed.status, 0, shown(passed))
      assert.match(await secrets(), token, 'it is seen where it is stored')
      // For all repositories of the host, so it would open the fork as well.
      await set('secret-token')
      const request = ['--sourceUrl', `${git.url}/shop/pull/7`]
      const ofFork = await deploy(fork, ...request)
      assert.is(ofFork.status, 5, shown(ofFork))
      assert.match(ofFork.stderr, /fork[^]*--var DEVTOOL_GIT_TOKEN/)
      const given = await deploy(fork, ...request, '--var', `${variable}=secret-token`)
      assert.is(given.status, 0, shown(given))
    } finally {
      await removed(cluster, name)
    }
  }))

test('code of a fork gets only variables for previews, and cannot reach other namespaces', () =>
  withServed(async ({ by, cluster, git, must }) => {
    const [name, other] = [fresh('fork'), fresh('own')]
    try {
      await must(name, 'variable', 'set', 'DEVTOOL_GIT_CA', '--all', '--previews', '--', git.authority)
      await must(name, 'variable', 'set', 'PASSWORD', '--all', '--', 'not-for-forks')
      await must(other, 'namespace', 'create', other)
      await must(other, 'variable', 'set', 'SECRET', '--', 'of-another-namespace')
      const look = [
        'env',
        `devtool list --namespace ${other} || true`,
        `devtool destroy --name shop --namespace ${other} --yes || true`,
      ]
      const commands = look.map((command) => `    - ${JSON.stringify(command)}\n`).join('')
      const fork = git.add('fork', { ...shop, 'devtool.yml': `deploy:\n  commands:\n${commands}` })
      const ben = await by('ben')
      const ran = await ben.must(name, 'preview', 'deploy', name, '--repository', fork, '--wait')
      const said = `${ran.stdout}${ran.stderr}`
      assert.not.match(said, 'not-for-forks')
      assert.not.match(said, 'of-another-namespace')
      assert.is(said.match(/error DT3003: not allowed to .* in namespace \S+-own/g)?.length, 2, said)
      assert.ok((await done(cluster.get(keyOf('Secret', 'devtool-variables', other)))) !== undefined)
    } finally {
      await removed(cluster, name)
      await removed(cluster, other)
    }
  }))

test.run()
