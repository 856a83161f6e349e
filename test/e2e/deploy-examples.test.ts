/** The examples of this repository come up on a real cluster and answer by their host names. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { pathWithTools } from '../support/e2e/helm.ts'
import { visit } from '../support/e2e/http.ts'
import { scenarios } from '../support/e2e/scenarios.ts'

const examples = join(import.meta.dirname, '../../examples')
const inExample = (name: string) => ({ folder: join(examples, name) })
/** What is asked of a cluster that CI can afford is less than what a shop needs. */
const shopHere = `
services:
  storefront: {build: !reset null, image: "traefik/whoami:v1.11", entrypoint: [/whoami, --port=3000]}
  backoffice: {build: !reset null, image: "traefik/whoami:v1.11", entrypoint: [/whoami, --port=3000]}
  api: {build: !reset null, image: "traefik/whoami:v1.11", entrypoint: [/whoami, --port=8080]}
  orders: {x-node-selector: !reset null}
  search: {resources: {requests: {memory: 64Mi}}}
`

const test = suite('examples')

await scenarios(test, [
  {
    title: 'vote: a vote passes through page, queue, worker and database to the result',
    space: 'vote',
    options: inExample('vote'),
    run: async (space) => {
      const { must, namespace } = space
      const { stdout } = await must('deploy', '--wait', '--timeout', '10m')
      assert.equal(stdout.trim().split('\n').toSorted(), [
        `http://result-${namespace}.localhost`,
        `http://vote-${namespace}.localhost`,
      ])
      const { stdout: listed } = await must('endpoints', '--output', 'json')
      for (const name of ['result', 'vote']) assert.match(listed, `http://${name}-${namespace}.localhost`)
      const host = `vote-${namespace}.localhost`
      assert.match(await visit(space, host), /Cats.*Dogs/s)
      await visit(space, host, { form: 'vote=a' })
      await visit(
        space,
        `result-${namespace}.localhost`,
        {},
        (body) => body.includes('a|1') || body.includes('socket.io'),
      )
      const [job] = await space.list('Job')
      await must('deploy', '--wait')
      const [same] = await space.list('Job')
      assert.is(same?.metadata.uid, job?.metadata.uid, 'the migration ran again without a reason')
      await must('destroy', '--wait', '--volumes')
      for (const kind of ['Pod', 'Service', 'Ingress', 'PersistentVolumeClaim'] as const) {
        assert.equal(await space.list(kind), [], kind)
      }
    },
  },
  {
    title: 'wordpress: page and database read the password from a file',
    space: 'wordpress',
    options: inExample('wordpress'),
    run: async (space) => {
      const { stderr } = await space.must('deploy', '--wait', '--timeout', '4m')
      const password = readFileSync(join(examples, 'wordpress/db-password.txt'), 'utf8').trim()
      assert.not(stderr.includes(password))
      await visit(space, `wordpress-${space.namespace}.localhost`, { path: '/wp-login.php' })
    },
  },
  {
    title: 'monorepo: several files are one environment',
    space: 'monorepo',
    options: inExample('monorepo'),
    run: async (space) => {
      await space.must('deploy', '--wait', '--timeout', '10m')
      assert.match(await visit(space, `gateway-${space.namespace}.localhost`), 'Hostname: gateway-')
      await space.serves('users', /Hostname: users-/, { port: 80 })
    },
  },
  {
    title: 'manifest-commands: what the command created is deployed and destroyed with the services',
    space: 'commands',
    options: { ...inExample('manifest-commands'), env: { PATH: await pathWithTools() } },
    run: async (space) => {
      await space.must('deploy', '--wait', '--timeout', '10m')
      await visit(space, `web-${space.namespace}.localhost`)
      const settings = async () =>
        (await space.list('ConfigMap'))
          .map(({ metadata }) => metadata.name)
          .filter((name) => name.startsWith('settings'))
      assert.is((await settings()).length, 1)
      const { stdout } = await space.must('destroy', '--wait')
      assert.match(stdout, 'shop is going away')
      assert.equal(await settings(), [])
    },
  },
  {
    title: 'shop: endpoints share a host, and the database is kept',
    space: 'shop',
    options: inExample('shop'),
    run: async (space) => {
      const here = space.write('here.yaml', shopHere)
      const files = ['compose.yaml', 'compose.override.yaml', here].flatMap((file) => ['--file', file])
      await space.must('deploy', '--wait', '--timeout', '4m', ...files)
      const host = `store-${space.namespace}.localhost`
      assert.match(await visit(space, host), 'Hostname: storefront-')
      assert.match(await visit(space, host, { path: '/api' }), 'Hostname: api-')
      await space.must('destroy', '--wait', '--volumes')
      const left = await space.list('StatefulSet')
      assert.equal(
        left.map(({ metadata }) => metadata.name),
        ['orders'],
      )
    },
  },
])

test.run()
