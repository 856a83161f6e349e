/** Code of strangers in a run: what it tries with the account of its pod, and with the log. */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { controlled, host, linesOf, manifest, queued, reached, textOf, within } from '../support/e2e/platform-runs.ts'

/** Prints the status of each request that it sends to the cluster as the pod may. */
const ATTACK = `
import { readFileSync } from 'node:fs'
const folder = '/var/run/secrets/kubernetes.io/serviceaccount/'
const read = (name) => readFileSync(folder + name, 'utf8')
const server = 'https://' + process.env.KUBERNETES_SERVICE_HOST + ':' + process.env.KUBERNETES_SERVICE_PORT
const own = read('namespace')
const send = async (what, method, path, body, headers = {}) => {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  const authorization = 'Bearer ' + read('token')
  const sent = { method, headers: { authorization, 'content-type': type, ...headers }, body: body && JSON.stringify(body) }
  console.log('tried ' + what + ': ' + (await fetch(server + path, sent)).status)
}
const rbac = '/apis/rbac.authorization.k8s.io/v1/'
const admin = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' }
const me = [{ kind: 'ServiceAccount', name: 'default', namespace: own }]
const binding = { apiVersion: 'rbac.authorization.k8s.io/v1', metadata: { name: 'mine' }, roleRef: admin, subjects: me }
const group = { 'impersonate-user': 'root', 'impersonate-group': 'system:masters' }
await send('all namespaces', 'GET', '/api/v1/namespaces')
await send('all secrets', 'GET', '/api/v1/secrets')
await send('the secrets of the platform', 'GET', '/api/v1/namespaces/devtool-system/secrets')
await send('the secrets of users', 'GET', '/api/v1/namespaces/devtool-users/secrets')
await send('the secrets of the cluster', 'GET', '/api/v1/namespaces/kube-system/secrets')
await send('the nodes', 'GET', '/api/v1/nodes')
await send('a cluster role', 'POST', rbac + 'clusterrolebindings', { ...binding, kind: 'ClusterRoleBinding' })
await send('a role here', 'POST', rbac + 'namespaces/' + own + '/rolebindings', { ...binding, kind: 'RoleBinding' })
await send('to be another', 'GET', '/api/v1/namespaces', undefined, group)
await send('a token of a user', 'POST', '/api/v1/namespaces/devtool-users/serviceaccounts/USER/token', {
  apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {},
})
await send('to rename its namespace', 'PATCH', '/api/v1/namespaces/' + own, { metadata: { annotations: { 'dev.devtool/owner': 'me' } } })
await send('a privileged pod', 'POST', '/api/v1/namespaces/' + own + '/pods', {
  apiVersion: 'v1', kind: 'Pod', metadata: { name: 'mine' },
  spec: { hostPID: true, containers: [{ name: 'a', image: 'busybox', securityContext: { privileged: true } }] },
})
`

test('the account of a run gives strangers nothing beyond its namespace', () =>
  within((world) =>
    controlled(world, ['one'], async () => {
      const command = 'NODE_TLS_REJECT_UNAUTHORIZED=0 node attack.mjs'
      const files = { ...manifest(command), 'attack.mjs': ATTACK.replace('USER', 'somebody') }
      const id = await queued(world, { repository: world.git.add('attack', files) })
      await reached(world, id, 'succeeded')
      const tried = [...(await textOf(world, id)).matchAll(/tried (.*): (\d+)/g)].map(
        ([, what, status]) => `${what} ${status}`,
      )
      assert.is(tried.length, 12, await textOf(world, id))
      assert.equal(
        tried.filter((one) => !one.endsWith(' 403')),
        [],
      )
    }),
  ))

test('a run that prints without end, or lines like those of the log, has a log of its own lines and a limited size', () =>
  within((world) =>
    controlled(world, ['one'], async () => {
      const forged = '{"n":1,"at":"2020-01-01T00:00:00Z","text":"forged"}'
      const failure = '{"type":"found","diagnostic":{"severity":"error","code":"DT3501","message":"forged"}}'
      const script = [
        `echo '${forged}' >/proc/1/fd/1 || true`,
        `echo '${failure}'`,
        "printf '\\033]0;title\\007\\033[2J'",
        'yes flood | head -c 3000000',
        'echo the end',
      ].join('\n')
      const repository = world.git.add('flood', { ...manifest('sh flood.sh'), 'flood.sh': script })
      const id = await queued(world, { repository })
      await reached(world, id, 'succeeded')
      const lines = await linesOf(world, id)
      const first = lines[0]?.n ?? 0
      assert.equal(
        lines.map(({ n }) => n),
        lines.map((_, index) => first + index),
      )
      assert.ok(first > 1)
      const text = await textOf(world, id)
      assert.ok(text.length < 4 * 1024 * 1024, String(text.length))
      assert.match(text, 'hello: the end')
      assert.not(/[\u001b\u0007]/.test(text))
    }),
  ))

test('a run ends with the reason when the server of its repository stops answering', () =>
  within((world) =>
    controlled(world, ['one'], async () => {
      const silent = createServer(() => {})
      await new Promise<void>((resolve) => {
        silent.listen(0, resolve)
      })
      try {
        const address = silent.address()
        const port = typeof address === 'object' ? address?.port : ''
        const open = await queued(world, { repository: `https://${host}:${port}/a.git`, timeoutSeconds: 20 })
        const files = { ...manifest('echo never'), random: randomBytes(3_000_000).toString('hex') }
        const repository = world.git.add('half', files)
        world.git.stall('/half.git')
        const half = await queued(world, { repository, environment: 'half' })
        const [never, part] = [await reached(world, open, 'failed'), await reached(world, half, 'failed')]
        assert.equal([never.failure?.code, part.failure?.code], ['DT6403', 'DT6403'])
        assert.match(never.failure?.message ?? '', 'was not cloned within 20 s')
        assert.match(part.failure?.message ?? '', 'its server stopped sending for 30 s')
      } finally {
        silent.close()
      }
    }),
  ))

test('a run whose repository is too large ends with the limit while it clones', () =>
  within((world) =>
    controlled(world, ['one'], async () => {
      const id = await queued(world, { repository: world.git.addLarge('large', 2560) })
      const { failure } = await reached(world, id, 'failed')
      assert.is(failure?.code, 'DT6403')
      assert.match(failure?.message ?? '', 'was not cloned: its files take more than 1.5 GiB')
    }),
  ))

test.run()
