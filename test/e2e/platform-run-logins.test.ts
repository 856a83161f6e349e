/** Runs that push to a registry with a login, which the namespace has in a Secret. The platform is installed. */
import { createServer, request } from 'node:http'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { resources } from '../../src/domain/cluster/resources.ts'
import { done, manager } from '../contract/cluster-world.ts'
import { shown } from '../support/e2e/command.ts'
import { withGitServer } from '../support/e2e/git-server.ts'
import { builderFlags, configureBuilder, withPlatform } from '../support/e2e/installed-platform.ts'
import { fresh } from '../support/e2e/platform-world.ts'
import { application, deployed, said } from '../support/e2e/run-builds.ts'
import { listen } from '../support/process/ports.ts'
import { until } from '../support/process/until.ts'

const host = process.env['DEVTOOL_E2E_HOST'] ?? ''
const namespace = fresh('secret')
const login = { user: 'pusher', password: 'only-for-pushes' } as const
const auth = Buffer.from(`${login.user}:${login.password}`).toString('base64')

/** A registry that takes this login only, in front of the cluster's, from which nodes pull everything. */
const withGuarded = async (to: string, use: (address: string) => Promise<void>): Promise<void> => {
  const server = createServer((incoming, response) => {
    const { headers, method, url = '/' } = incoming
    if (headers.authorization !== `Basic ${auth}`) {
      incoming.resume()
      response.writeHead(401, { 'www-authenticate': 'Basic realm="test"' })
      return void response.end()
    }
    const sent = request(`http://${to}${url}`, { method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    sent.on('error', () => response.destroy())
    incoming.pipe(sent)
  })
  const port = await listen(server, '0.0.0.0')
  try {
    await use(`${host}:${port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** As `docker login` writes it. */
const configFor = (address: string): string => JSON.stringify({ auths: { [address]: { auth } } })

test('a run pushes with the login in the Secret of its namespace, or with that in a variable', () =>
  withPlatform([namespace], (lab) =>
    withGuarded(lab.registry, (guarded) =>
      withGitServer(host, async (git) => {
        const { asUser, cluster, install, join, must, run } = lab
        await configureBuilder(lab, [guarded])
        await install(...builderFlags)
        const ann = await asUser(await join('ann'), namespace)
        await until('the platform answers', async () => (await run(['namespace', 'list'], ann)).status === 0)
        await must(['namespace', 'create', namespace], ann)
        await must(['variable', 'set', 'DEVTOOL_GIT_CA', '--', git.authority], ann)
        await must(['variable', 'set', 'DEVTOOL_REGISTRY', `${guarded}/team`], ann)
        // A login is not sent without TLS: the registry is not asked for the image first.
        const repository = git.add('hidden', application('hidden', 'no_cache: true'))
        const words = ['pipeline', 'deploy', '--repository', repository, '--name', 'hidden', '--wait']
        const refused = await run(words, ann)
        assert.is.not(refused.status, 0)
        assert.match(said(refused), /DT4012|authorization|401/, shown(refused))
        await must([...words, '--var', `DOCKER_AUTH_CONFIG=${configFor(guarded)}`], ann)
        assert.match(await deployed(lab, namespace, 'hidden'), `${guarded}/team/`)

        const data = { '.dockerconfigjson': Buffer.from(configFor(guarded)).toString('base64') }
        const metadata = { name: 'devtool-registry', namespace }
        const type = 'kubernetes.io/dockerconfigjson'
        const body = { apiVersion: 'v1', kind: 'Secret', type, metadata, data }
        await done(cluster.create({ resource: resources.Secret, namespace }, body, { manager }))
        assert.match(said(await must(words, ann)), /web.*pushed/)
      }),
    ),
  ))

test.run()
