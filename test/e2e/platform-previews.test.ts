/** Pipelines and previews by the command itself, with the programs of the platform in this process. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../src/adapters/system/clock.ts'
import type { Cluster } from '../../src/ports/cluster.ts'
import { runController } from '../../src/server/control.ts'
import { type RunningApi, serveApi } from '../../src/server/serve.ts'
import { done } from '../contract/cluster-world.ts'
import { compose, page } from '../support/e2e/apps.ts'
import { type CommandResult, type RunningCommand, shown, startDevtool } from '../support/e2e/command.ts'
import { type GitServer, withGitServer } from '../support/e2e/git-server.ts'
import { joined, withRights } from '../support/e2e/platform.ts'
import { programs } from '../support/e2e/platform-runs.ts'
import { DOMAIN, fresh, keyOf } from '../support/e2e/platform-world.ts'
import { openSealing, settings, trustingIdentity, web } from '../support/platform/world.ts'
import { freePort } from '../support/process/ports.ts'
import { until } from '../support/process/until.ts'

const ISSUER = 'https://login.example.com'
const host = process.env['DEVTOOL_E2E_HOST'] ?? ''

type World = {
  readonly cluster: Cluster
  readonly git: GitServer
  /** In the namespace of this name. */
  readonly start: (namespace: string, ...words: ReadonlyArray<string>) => RunningCommand
  readonly must: (namespace: string, ...words: ReadonlyArray<string>) => Promise<CommandResult>
  /** Stops the API server, and starts it again at the same address. */
  readonly again: () => Promise<void>
}

/** A file, or the certificates themselves. */
const pemOf = (authority = ''): string =>
  existsSync(authority) ? readFileSync(authority, 'utf8') : Buffer.from(authority, 'base64').toString()

const served = async (api: Cluster, port: number): Promise<RunningApi> => {
  const kubernetes = { server: api.server, authority: pemOf(api.authority) }
  const server = await serveApi({
    // It is closed by whoever opened it.
    cluster: { ...api, close: () => {} },
    clock: systemClock,
    random: { bytes: randomBytes },
    settings: { ...settings, ...programs, url: `http://127.0.0.1:${port}`, kubernetes },
    sealing: openSealing(systemClock),
    identity: () => trustingIdentity,
    web,
    ports: { users: port, cluster: 0 },
    write: () => {},
  })
  await until('it is ready', async () => (await fetch(`http://127.0.0.1:${server.clusterPort}/readyz`)).ok)
  return server
}

const within = (use: (world: World) => Promise<void>): Promise<void> =>
  withRights(DOMAIN, ({ api, cluster, controller }) =>
    withGitServer(host, async (git) => {
      const [folder, port] = [mkdtempSync(join(tmpdir(), 'devtool-previews-')), await freePort()]
      const options = { cluster: controller, clock: systemClock, programs, holder: 'one', write: () => {} }
      const control = runController(options)
      let server = await served(api, port)
      try {
        const token = await joined(api, ISSUER, 'ann', true)
        const env = { PATH: process.env['PATH'] ?? '', HOME: folder, NO_COLOR: '1', DEVTOOL_TOKEN: token }
        const start: World['start'] = (namespace, ...words) =>
          startDevtool(words, {
            cwd: folder,
            env: { ...env, DEVTOOL_CONTEXT: `http://127.0.0.1:${port}`, DEVTOOL_NAMESPACE: namespace },
          })
        const must: World['must'] = async (namespace, ...words) => {
          const result = await start(namespace, ...words).ended
          assert.is(result.status, 0, `${words.join(' ')}\n${shown(result)}`)
          return result
        }
        const again = async (): Promise<void> => {
          await server.stop(0)
          server = await served(api, port)
        }
        await use({ cluster, git, start, must, again })
      } finally {
        await control.stop()
        await server.stop(0)
        rmSync(folder, { recursive: true, force: true })
      }
    }),
  )

const removed = (cluster: Cluster, name: string) =>
  done(cluster.remove(keyOf('Namespace', name), { propagation: 'Background' }))

const COUNT = 20

test('a pipeline is deployed, and its log goes on where it was when the API server is started again', () =>
  within(async ({ again, cluster, git, must, start }) => {
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
  within(async ({ cluster, git, must, start }) => {
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
      // Destroying it needs the token as well.
      await must(name, 'variable', 'set', token, '--all', '--previews', '--', 'secret-token')

      assert.is((await must(name, 'preview', 'list', '-o', 'name')).stdout, `${name}\n`)
      const { stdout } = await must(name, 'preview', 'endpoints', name, '-o', 'md')
      assert.ok(stdout.includes(`https://web-${name}.${DOMAIN}`), stdout)
      const cloned = git.requests.length
      await must(name, 'preview', 'destroy', name)
      assert.ok(git.requests.length > cloned, 'its destroy commands are those of the repository')
      assert.is(await done(cluster.get(keyOf('Namespace', name))), undefined)
      assert.is((await must(name, 'preview', 'list', '-o', 'name')).stdout, '')
    } finally {
      await removed(cluster, name)
    }
  }))

test.run()
