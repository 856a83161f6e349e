/** Settings of one deploy that the next one uses. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isObject, listAt, textAt } from '../../src/domain/cluster/json.ts'
import { resources } from '../../src/domain/cluster/resources.ts'
import { type MemoryCluster, memoryCluster } from '../memory/cluster.ts'
import { memoryClusters } from '../memory/clusters.ts'
import { devtool } from '../support/cli/cli.ts'

const shop = 'name: shop\nservices: {web: {image: nginx, ports: ["8080:8080"]}}\n'

const demo = (): MemoryCluster =>
  memoryCluster({ objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'demo' } }] })

const run = async (
  cluster: MemoryCluster,
  argv: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {},
  home = new Map<string, string>(),
) => {
  const clusters = memoryClusters(new Map([['test', cluster]]), new Map([['test', 'demo']]))
  const ran = await devtool(['deploy', ...argv], {
    files: { 'compose.yaml': shop },
    env: { DEVTOOL_CONTEXT: 'test', ...env },
    memory: { home, ports: { clusters } },
  })
  assert.is(ran.status, 0, ran.stderr)
  return ran
}

const ingressOf = async (cluster: MemoryCluster) => {
  const listed = await cluster.list({ resource: resources.Ingress, namespace: 'demo' })()
  assert.ok(listed._tag === 'Right')
  const [ingress] = listed.right.items
  return {
    host: textAt(listAt(ingress, 'spec', 'rules').find(isObject), 'host'),
    className: textAt(ingress, 'spec', 'ingressClassName'),
    secret: textAt(listAt(ingress, 'spec', 'tls').find(isObject), 'secretName'),
  }
}

test('The next deploy keeps domain, ingress class and TLS secret, and reports it', async () => {
  const cluster = demo()
  await run(cluster, ['--domain', 'apps.test', '--ingress-class', 'nginx', '--tls-secret', 'cert'])
  const before = await ingressOf(cluster)
  assert.equal(before, { host: 'web-demo.apps.test', className: 'nginx', secret: 'cert' })
  const { stderr } = await run(cluster, [])
  assert.equal(await ingressOf(cluster), before)
  assert.match(stderr, "domain apps.test, as in the last deploy; --domain '' forgets it\n")
  assert.match(stderr, "ingress class nginx, as in the last deploy; --ingress-class '' forgets it\n")
  assert.match(stderr, "TLS secret cert, as in the last deploy; --tls-secret '' forgets it\n")
  const differing = await run(cluster, ['--diff'])
  assert.is(differing.stdout, '')
})

test('Flags and variables take precedence over the last deploy, and both values are printed', async () => {
  for (const [argv, env] of [
    [['--domain', 'new.test'], {}],
    [[], { DEVTOOL_DOMAIN: 'new.test' }],
  ] as const) {
    const cluster = demo()
    await run(cluster, ['--domain', 'old.test'])
    const { stderr } = await run(cluster, argv, env)
    assert.is((await ingressOf(cluster)).host, 'web-demo.new.test')
    assert.match(stderr, 'domain new.test; the last deploy used old.test\n')
    const third = await run(cluster, [])
    assert.match(third.stderr, 'domain new.test, as in the last deploy; --domain')
  }
})

/** devtool's folder with a context that has these settings. */
const withContext = (fields: object): Map<string, string> =>
  new Map([['context/config.json', JSON.stringify({ current: 'test', contexts: { test: fields } })]])

test('A setting comes from the flag, the variable, the context, the last deploy or the default, in this order', async () => {
  const home = withContext({ domain: 'context.test' })
  const env = { DEVTOOL_DOMAIN: 'variable.test' }
  for (const [argv, given, stored, domain] of [
    [['--domain', 'flag.test'], env, home, 'flag.test'],
    [[], env, home, 'variable.test'],
    [[], {}, home, 'context.test'],
    [[], {}, withContext({ registry: 'r.test' }), 'record.test'],
  ] as const) {
    const cluster = demo()
    await run(cluster, ['--domain', 'record.test'])
    await run(cluster, argv, given, stored)
    assert.is((await ingressOf(cluster)).host, `web-demo.${domain}`)
  }
  const cluster = demo()
  await run(cluster, [], {}, withContext({ registry: 'r.test' }))
  assert.is((await ingressOf(cluster)).host, 'web-demo.localhost')
})

test('A flag with the same value as the last deploy is not reported', async () => {
  const cluster = demo()
  await run(cluster, ['--domain', 'apps.test'])
  const { stderr } = await run(cluster, ['--domain', 'apps.test'])
  assert.not.match(stderr, 'last deploy')
})

test('An empty value removes the remembered one permanently', async () => {
  const cluster = demo()
  await run(cluster, ['--domain', 'apps.test', '--tls-secret', 'cert'])
  const { stderr } = await run(cluster, ['--domain', '', '--tls-secret', ''])
  assert.match(stderr, 'domain none; the last deploy used apps.test\n')
  const after = await ingressOf(cluster)
  assert.is(after.host, 'web-demo.localhost')
  const next = await run(cluster, [])
  assert.not.match(next.stderr, 'last deploy')
  assert.equal(await ingressOf(cluster), after)
})

test('A client dry run does not use the settings of the last deploy', async () => {
  const cluster = demo()
  await run(cluster, ['--domain', 'apps.test'])
  const { stdout } = await run(cluster, ['--dry-run', '--namespace', 'demo'], { DEVTOOL_CONTEXT: '' })
  assert.match(stdout, 'web-demo.localhost')
})

test.run()
