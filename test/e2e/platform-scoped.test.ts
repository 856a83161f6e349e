/** API tokens with a scope on a real cluster: what they may do there, by the command and by kubectl, and until when. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { textAt } from '../../src/domain/cluster/json.ts'
import { resources } from '../../src/domain/cluster/resources.ts'
import { accountOf, USERS_NAMESPACE, userIdOf } from '../../src/domain/platform/names.ts'
import { done } from '../contract/cluster-world.ts'
import { compose, page } from '../support/e2e/apps.ts'
import { type CommandResult, shown } from '../support/e2e/command.ts'
import { reviewed, tokenFor } from '../support/e2e/platform.ts'
import { fresh } from '../support/e2e/platform-world.ts'
import { type Commands, removed, type ServedWorld, withServed } from '../support/e2e/served-platform.ts'
import { until } from '../support/process/until.ts'

const userId = (person: string): string => userIdOf('https://login.example.com', person)
const scopedAccount = (person: string, token: string): string =>
  `system:serviceaccount:devtool-scoped:${userId(person)}-${token}`

type Scoped = Commands & {
  readonly id: string
  readonly kubectl: (...words: ReadonlyArray<string>) => Promise<Omit<CommandResult, 'ms'>>
  readonly can: (...words: ReadonlyArray<string>) => Promise<void>
  /** Refused by Kubernetes, with these words. */
  readonly cannot: (reason: RegExp, ...words: ReadonlyArray<string>) => Promise<void>
  /** A token for Kubernetes. */
  readonly bearer: () => Promise<string>
}

/** `owner`: who creates the token. */
const withScope = async (
  { withToken }: Pick<ServedWorld, 'withToken'>,
  owner: Commands,
  scope: string,
  namespace: string,
): Promise<Scoped> => {
  const made = await owner.send('POST', '/tokens', { name: 'ci', scope, days: 1 })
  assert.is(made.status, 201, JSON.stringify(made.json))
  const commands = withToken(textAt(made.json, 'token') ?? '')
  await commands.must(namespace, 'kubeconfig')
  const kubectl: Scoped['kubectl'] = (...words) =>
    new Promise((resolve) => {
      const env = { ...commands.env }
      execFile(process.env['KUBECTL'] || 'kubectl', words, { env, timeout: 180_000 }, (failure, stdout, stderr) =>
        resolve({ status: failure === null ? 0 : Number(failure.code ?? 1), stdout, stderr }),
      )
    })
  return {
    ...commands,
    id: textAt(made.json, 'id') ?? '',
    kubectl,
    can: async (...words) => {
      const { status, stderr } = await kubectl(...words)
      assert.is(status, 0, `${words.join(' ')}\n${stderr}`)
    },
    cannot: async (reason, ...words) => {
      const { status, stderr } = await kubectl(...words)
      assert.is.not(status, 0, words.join(' '))
      assert.match(stderr, reason, words.join(' '))
    },
    bearer: async () => textAt((await commands.send('POST', '/kubernetes/token')).json, 'token') ?? '',
  }
}

const within = (use: (world: ServedWorld, shop: string, blog: string) => Promise<void>): Promise<void> =>
  withServed(async (world) => {
    const [shop, blog] = [fresh('shop'), fresh('blog')]
    try {
      for (const name of [shop, blog]) await world.must(name, 'namespace', 'create', name)
      writeFileSync(join(world.folder, 'compose.yaml'), compose({ web: page('hello') }))
      await use(world, shop, blog)
    } finally {
      for (const name of [shop, blog]) await removed(world.cluster, name)
    }
  })

const forbidden = /[Ff]orbidden/

/** Whoever has the token would like to have more. */
const tokenStays = async ({ can, cannot, id }: Scoped, shop: string, blog: string): Promise<void> => {
  const [own, user] = [`${userId('ann')}-${id}`, userId('ann')]
  const everything = '--clusterrole=cluster-admin'
  await can('get', 'pods,services,secrets,rolebindings', '-n', shop)
  await can('create', 'configmap', 'mine', '-n', shop)
  for (const words of [
    ['get', 'pods', '-n', blog],
    ['get', 'secrets', '-n', blog],
    ['create', 'configmap', 'mine', '-n', blog],
    ['create', 'rolebinding', 'more', '--clusterrole=view', `--serviceaccount=devtool-scoped:${own}`, '-n', blog],
    ['create', 'rolebinding', 'more', everything, `--serviceaccount=devtool-scoped:${own}`, '-n', shop],
    ['create', 'clusterrolebinding', 'more', everything, `--serviceaccount=devtool-scoped:${own}`],
    ['get', 'namespaces'],
    ['get', 'pods', '-A'],
    ...['devtool-users', 'devtool-scoped', 'devtool-system', 'kube-system'].map((name) => [
      'get',
      'secrets',
      '-n',
      name,
    ]),
    ['get', 'serviceaccounts', '-n', 'devtool-scoped'],
    ['delete', 'serviceaccount', own, '-n', 'devtool-scoped'],
    ['create', 'token', own, '-n', 'devtool-scoped'],
    ['create', 'token', user, '-n', 'devtool-users'],
    ['get', 'pods', '-n', blog, `--as=system:serviceaccount:devtool-users:${user}`],
    ['get', 'pods', '-n', shop, `--as=system:serviceaccount:devtool-scoped:${own}`],
    ['get', 'nodes', '--as=kubernetes-admin'],
  ])
    await cannot(forbidden, ...words)
  const guarded = /objects with the label dev\.devtool\/platform belong to the platform/
  const binding = `devtool-${own}-owner`
  await cannot(guarded, 'delete', 'rolebinding', binding, '-n', shop)
  await cannot(guarded, 'label', 'rolebinding', binding, 'dev.devtool/platform-', '-n', shop)
}

test('a token for one namespace deploys there, and reaches nothing else', () =>
  within(async (world, shop, blog) => {
    const { api, cluster } = world
    const ci = await withScope(world, world, `namespace:${shop}`, shop)
    await ci.must(shop, 'deploy', '--wait')
    assert.match((await ci.must(shop, 'list')).stdout, / deployed +1 /)
    const elsewhere = await ci.start(blog, 'deploy').ended
    assert.is.not(elsewhere.status, 0, shown(elsewhere))
    assert.is(await reviewed(cluster, await ci.bearer()), scopedAccount('ann', ci.id))
    await tokenStays(ci, shop, blog)
    assert.is((await ci.send('POST', '/tokens', { name: 'more' })).status, 403)

    const reader = await withScope(world, world, 'read', shop)
    for (const name of [shop, blog]) {
      await reader.can('get', 'pods', '-n', name)
      await reader.cannot(forbidden, 'create', 'configmap', 'more', '-n', name)
      await reader.cannot(forbidden, 'get', 'secrets', '-n', name)
      await reader.cannot(forbidden, 'delete', 'configmap', 'kube-root-ca.crt', '-n', name)
    }
    assert.match((await reader.must(shop, 'list')).stdout, / deployed +1 /)
    const refused = await reader.start(shop, 'deploy').ended
    assert.is.not(refused.status, 0, shown(refused))

    // The API server creates these accounts, and acts as none of them.
    const as = api.as({ user: scopedAccount('ann', ci.id) })
    const tried = await as.list({ resource: resources.Pod, namespace: shop })()
    assert.match(JSON.stringify(tried), /"status":403/)
    assert.is(
      (await api.as({ user: accountOf(userId('ann')) }).list({ resource: resources.Pod, namespace: shop })())._tag,
      'Right',
    )
  }))

test('kubectl is refused within 15 seconds of the end of a token with a scope', () =>
  within(async (world, shop) => {
    const { cluster, send } = world
    const ended = async (ci: Scoped, bearer: string): Promise<void> => {
      await ci.can('config', 'set-credentials', 'kept', `--token=${bearer}`)
      const listed = () => ci.kubectl('get', 'pods', '-n', shop, '--user=kept')
      await until(
        'kubectl is refused',
        async () => /Unauthorized|must be logged in/.test((await listed()).stderr),
        60_000,
      )
      await ci.cannot(/./, 'get', 'pods', '-n', shop)
    }
    const [revoked, lost] = [
      await withScope(world, world, `namespace:${shop}`, shop),
      await withScope(world, world, `namespace:${shop}`, shop),
    ]
    const [first, second] = [await revoked.bearer(), await lost.bearer()]
    for (const bearer of [first, second]) assert.ok(await reviewed(cluster, bearer))
    assert.is((await send('DELETE', `/tokens/${revoked.id}`)).status, 204)
    await ended(revoked, first)
    // Not by the API: as if a replica had ended before it deleted the account.
    const secret = { resource: resources.Secret, namespace: USERS_NAMESPACE, name: `tok-${lost.id}` }
    await done(cluster.remove(secret, { propagation: 'Background' }))
    await ended(lost, second)
    const left = await done(cluster.list({ resource: resources.ServiceAccount, namespace: 'devtool-scoped' }))
    assert.not.match(JSON.stringify(left), /"u-/)
  }))

test('a token with a scope follows the role of its user, and ends with the user', () =>
  within(async (world, shop) => {
    const { cluster, send } = world
    const ben = await world.by('ben')
    const member = `/namespaces/${shop}/members/${userId('ben')}`
    const give = async (role: string) => assert.is((await send('PUT', member, { role })).status, 200)
    await give('member')
    const ci = await withScope(world, ben, `namespace:${shop}`, shop)
    const [write, read] = [
      ['create', 'configmap', 'mine', '-n', shop, '--dry-run=server'],
      ['get', 'pods', '-n', shop],
    ]
    const [bearer] = [await ci.bearer()]
    await ci.can('config', 'set-credentials', 'kept', `--token=${bearer}`)
    await ci.can(...write)
    await give('viewer')
    // The token that it has already, and the next one.
    await ci.cannot(forbidden, ...write, '--user=kept')
    await ci.cannot(forbidden, ...write)
    await ci.can(...read)
    await give('member')
    await ci.can(...write)
    assert.is((await send('DELETE', member)).status, 204)
    for (const words of [write, read]) {
      await ci.cannot(forbidden, ...words, '--user=kept')
      await ci.cannot(forbidden, ...words)
    }
    await give('member')
    await ci.can(...read)
    assert.is((await send('PUT', `/users/${userId('ben')}`, { isDisabled: true })).status, 200)
    await until('Kubernetes refuses it', async () => (await reviewed(cluster, bearer)) === undefined, 60_000)
    const bindings = await done(cluster.list({ resource: resources.RoleBinding, namespace: shop }))
    assert.not.match(JSON.stringify(bindings), ci.id)
  }))

test('a Kubernetes token with a scope ends with its API token', () =>
  within(async (world, shop) => {
    const soon = async (seconds: number): Promise<Commands> => {
      const expires = `${new Date(Date.now() + seconds * 1000).toISOString().slice(0, 19)}Z`
      const scope = { _tag: 'Namespace', namespace: shop } as const
      return world.withToken(await tokenFor(world.cluster, userId('ann'), scope, expires))
    }
    const [left, over] = [await soon(900), await soon(-1)]
    const issued = await left.send('POST', '/kubernetes/token')
    assert.is(issued.status, 201, JSON.stringify(issued.json))
    const [, claims = ''] = (textAt(issued.json, 'token') ?? '').split('.')
    const { exp }: { readonly exp: number } = JSON.parse(Buffer.from(claims, 'base64url').toString())
    assert.ok(exp <= Date.now() / 1000 + 900, `${exp}`)
    assert.is((await over.send('POST', '/kubernetes/token')).status, 401)
  }))

test.run()
