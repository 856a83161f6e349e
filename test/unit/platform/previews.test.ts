/** Previews: their names, who may do what with them, and what they consist of. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Json, listAt, objectAt, textAt } from '../../../src/domain/cluster/json.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { deletionIn } from '../../../src/domain/platform/deletion-record.ts'
import { nameFault } from '../../../src/domain/platform/namespace/name.ts'
import { previewNameOf } from '../../../src/domain/platform/namespace/preview-name.ts'
import { deployFault, destroyFault } from '../../../src/domain/platform/preview.ts'
import { done } from '../../contract/cluster-world.ts'
import { failDeletion, putPreview, putRun, REPOSITORY, runOf } from '../../support/platform/runs.ts'
import { type Person, type TestPlatform, testPlatform } from '../../support/platform/world.ts'

const shop = 'https://github.com/acme/shop'

const names = [
  [{ repository: shop, branch: 'main' }, /^shop-main-[0-9a-f]{6}$/],
  [{ repository: shop }, /^shop-[0-9a-f]{6}$/],
  [{ repository: `${shop}.git`, branch: 'Feature/Ünicode_1' }, /^shop-feature--nicode-1-[0-9a-f]{6}$/],
  [{ repository: shop, branch: 'a'.repeat(200) }, /^shop-a{35}-[0-9a-f]{6}$/],
  [{ repository: 'https://github.com/acme/1st', branch: 'x' }, /^s-1st-x-[0-9a-f]{6}$/],
  [{ repository: 'https://github.com/acme/kube-state', branch: 'x' }, /^p-kube-state-x-[0-9a-f]{6}$/],
  [{ repository: 'https://github.com/acme/----', branch: '..' }, /^s-[0-9a-f]{8}-[0-9a-f]{6}$/],
] as const

for (const [subject, form] of names) {
  test(`the name of ${JSON.stringify(subject).slice(0, 90)}`, () => {
    const name = previewNameOf(subject)
    assert.match(name, form)
    assert.is(nameFault(name), undefined)
  })
}

test('one subject has one name, and another subject another one', () => {
  const [one, same, branch, owner] = [
    previewNameOf({ repository: shop, branch: 'x' }),
    previewNameOf({ repository: `${shop}.git`, branch: 'x' }),
    previewNameOf({ repository: shop, branch: 'y' }),
    previewNameOf({ repository: shop, branch: 'x', owner: 'u-1' }),
  ]
  assert.is(one, same)
  assert.is(new Set([one, branch, owner]).size, 3)
})

/** Scope, whether an administrator, role; whether it may be deployed, and destroyed. */
const rules = [
  ['personal', false, undefined, true, false],
  ['personal', false, 'owner', true, true],
  ['personal', false, 'member', true, false],
  ['personal', false, 'viewer', false, false],
  ['personal', true, undefined, true, false],
  ['personal', true, 'viewer', false, false],
  ['global', false, undefined, false, false],
  ['global', false, 'viewer', false, false],
  ['global', false, 'owner', false, false],
  ['global', true, undefined, true, true],
  ['global', true, 'viewer', true, true],
  ['global', true, 'owner', true, true],
] as const

for (const [scope, isAdmin, role, mayDeploy, mayDestroy] of rules) {
  test(`a ${scope} preview, ${isAdmin ? 'as an administrator' : 'as a user'} with the role ${role ?? 'none'}`, () => {
    const asked = { scope, isAdmin, role }
    assert.is(deployFault(asked) === undefined, mayDeploy)
    assert.is(destroyFault(asked) === undefined, mayDestroy)
  })
}

const path = '/api/v1/previews'
const json = async (answer: Response): Promise<Json> => JSON.parse(await answer.text())

const deploy = async (platform: TestPlatform, as: Person, more: object = {}) => {
  const answer = await platform.send('POST', path, { as, body: { repository: REPOSITORY, branch: 'main', ...more } })
  return { status: answer.status, json: await json(answer) }
}

const namesFor = async (platform: TestPlatform, as: Person, query = ''): Promise<ReadonlyArray<string>> =>
  listAt(await json(await platform.send('GET', `${path}${query}`, { as })), 'previews').map(
    (one) => `${textAt(one, 'name')} ${textAt(one, 'scope')} ${textAt(one, 'role')}`,
  )

test('a personal preview is a namespace of its own with a run, which only its owner sees', async () => {
  const platform = testPlatform()
  const first = await deploy(platform, 'stranger', { name: 'pr-12', sourceUrl: 'https://github.com/acme/shop/pull/12' })
  assert.is(first.status, 202, JSON.stringify(first.json))
  assert.is(textAt(first.json, 'run', 'namespace'), 'pr-12')
  assert.is(textAt(first.json, 'run', 'environment'), 'web')
  assert.is(textAt(first.json, 'preview', 'expires'), '2026-11-28T10:00:00Z')
  const live = await platform.cluster.get({ resource: resources.Namespace, name: 'pr-12' })()
  assert.is(textAt(live._tag === 'Right' ? live.right : undefined, 'metadata', 'labels', 'dev.devtool/kind'), 'preview')
  assert.equal(await namesFor(platform, 'stranger'), ['pr-12 personal owner'])
  assert.equal(await namesFor(platform, 'owner'), [])
  assert.is((await platform.send('GET', `${path}/pr-12`, { as: 'owner' })).status, 404)
  assert.is((await deploy(platform, 'owner', { name: 'pr-12' })).status, 409)
})

test('the preview of a fork is cloned with no token of others', async () => {
  const tokensOf = async (platform: TestPlatform, sourceUrl: string): Promise<ReadonlyArray<string>> => {
    const { json: made } = await deploy(platform, 'owner', { name: 'pr-12', sourceUrl })
    const name = `devtool-run-${textAt(made, 'run', 'id')}`
    const found = await platform.cluster.get({ resource: resources.Job, namespace: 'pr-12', name })()
    const volumes = listAt(found._tag === 'Right' ? found.right : undefined, 'spec', 'template', 'spec', 'volumes')
    const git = volumes.find((volume) => textAt(volume, 'name') === 'git')
    return JSON.stringify(git).match(/[a-z]+\/token/g) ?? []
  }
  const platform = testPlatform()
  assert.equal(await tokensOf(platform, 'https://git.example.com/acme/web/pull/12'), ['given/token'])
  const own = 'https://git.example.com/team/web/pull/12'
  assert.equal(await tokensOf(testPlatform(), own), ['given/token', 'namespace/token', 'shared/token'])
})

test('deploying again starts another run in the same preview, which then expires later', async () => {
  const platform = testPlatform()
  const first = await deploy(platform, 'owner')
  platform.pass(86_400_000)
  const again = await deploy(platform, 'owner')
  assert.is(textAt(again.json, 'preview', 'name'), textAt(first.json, 'preview', 'name'))
  assert.is.not(textAt(again.json, 'run', 'id'), textAt(first.json, 'run', 'id'))
  assert.is(textAt(again.json, 'preview', 'expires'), '2026-11-29T10:00:00Z')
  assert.is((await namesFor(platform, 'owner')).length, 1)
  const name = textAt(first.json, 'preview', 'name')
  assert.is((await deploy(platform, 'owner', { name, scope: 'global' })).status, 409)
})

test('the lifetime of a preview is a setting, and deploying again extends it', async () => {
  const [long, forever] = [testPlatform({ previewSeconds: 3600 }), testPlatform({ previewSeconds: 0 })]
  const first = await deploy(long, 'owner')
  assert.is(textAt(first.json, 'preview', 'expires'), '2026-11-21T11:00:00Z')
  putPreview(forever, { expires: '2026-11-21T11:00:00Z' })
  const again = await deploy(forever, 'owner', { name: 'look' })
  assert.is(again.status, 202, JSON.stringify(again.json))
  const live = await forever.cluster.get({ resource: resources.Namespace, name: 'look' })()
  const annotations = objectAt(live._tag === 'Right' ? live.right : undefined, 'metadata')['annotations']
  assert.is(textAt(annotations, 'dev.devtool/expires'), undefined)
})

test('all users may see a global preview, and only administrators may change it', async () => {
  const platform = testPlatform()
  assert.is((await deploy(platform, 'owner', { name: 'demo', scope: 'global' })).status, 403)
  assert.is((await deploy(platform, 'admin', { name: 'demo', scope: 'global' })).status, 202)
  assert.equal(await namesFor(platform, 'admin'), ['demo global owner'])
  assert.equal(await namesFor(platform, 'stranger'), ['demo global viewer'])
  assert.is((await platform.send('DELETE', `${path}/demo`, { as: 'stranger' })).status, 403)
  assert.is((await deploy(platform, 'stranger', { name: 'demo', scope: 'global' })).status, 403)
  assert.is((await deploy(platform, 'admin', { name: 'demo' })).status, 409)
  assert.is((await platform.send('DELETE', `${path}/demo`, { as: 'admin' })).status, 202)
})

test('the routes of namespaces do not deploy into a global preview, nor destroy it, for an owner who is no administrator', async () => {
  const platform = testPlatform()
  putPreview(platform, { scope: 'global' })
  putRun(platform, { ...runOf({ environment: 'web' }), namespace: 'look' })
  const body = { name: 'web', repository: REPOSITORY }
  const routes = [
    ['POST', '/api/v1/namespaces/look/pipelines', { body }],
    ['DELETE', '/api/v1/namespaces/look/pipelines/web', {}],
    ['DELETE', '/api/v1/namespaces/look', {}],
    ['DELETE', '/api/v1/namespaces/look?force=true', {}],
    ['DELETE', `${path}/look`, {}],
  ] as const
  for (const [method, url, more] of routes) {
    const answer = await platform.send(method, url, { as: 'owner', ...more })
    assert.is(answer.status, 403, url)
    assert.match(await answer.text(), 'only administrators', url)
  }
})

test('an ordinary namespace is not a preview', async () => {
  const platform = testPlatform()
  assert.is((await platform.send('GET', `${path}/shop`, { as: 'owner' })).status, 404)
  assert.is((await platform.send('DELETE', `${path}/shop`, { as: 'owner' })).status, 404)
  assert.is((await platform.send('GET', `${path}/shop/endpoints`, { as: 'owner' })).status, 404)
  assert.is((await deploy(platform, 'owner', { name: 'shop' })).status, 409)
})

test('given names follow the rule of namespaces', async () => {
  const platform = testPlatform()
  assert.is((await deploy(platform, 'owner', { name: 'web' })).status, 409)
  assert.is((await deploy(platform, 'owner', { name: 'b-foreign' })).status, 409)
})

test('previews are found by repository and branch, whatever the form of the URL', async () => {
  const platform = testPlatform()
  putPreview(platform)
  putPreview(platform, { branch: 'v2' }, 'look-2')
  const query = (branch: string) => `?repository=${encodeURIComponent(REPOSITORY.replace('.git', ''))}&branch=${branch}`
  assert.equal(await namesFor(platform, 'owner', query('v2')), ['look-2 personal owner'])
  assert.equal(await namesFor(platform, 'owner', query('v3')), [])
  assert.equal(await namesFor(platform, 'owner', '?q=LOOK-2'), ['look-2 personal owner'])
  assert.equal(await namesFor(platform, 'owner', '?limit=1'), ['look personal owner'])
  assert.equal(await namesFor(platform, 'owner', '?continue=look-2'), ['look-2 personal owner'])
})

test('a preview that is being destroyed is not deployed again', async () => {
  const platform = testPlatform()
  putPreview(platform)
  const destroyed = await platform.send('DELETE', `${path}/look`, { as: 'owner' })
  assert.is(textAt(await json(destroyed), 'status'), 'Deleting')
  assert.is((await deploy(platform, 'owner', { name: 'look' })).status, 409)
})

for (const [what, url] of [
  ['a preview', path],
  ['a pipeline in a namespace', '/api/v1/namespaces/look/pipelines'],
] as const) {
  test(`deploying ${what} whose deletion failed makes it Active again, and forgets the deletion`, async () => {
    const platform = testPlatform()
    putPreview(platform)
    await failDeletion(platform)
    const name = url === path ? 'look' : 'web'
    const body = { repository: REPOSITORY, branch: 'main', name }
    const answer = await platform.send('POST', url, { as: 'owner', body })
    assert.is(answer.status, 202)
    const now = await json(await platform.send('GET', `${path}/look`, { as: 'owner' }))
    assert.is(textAt(now, 'status'), 'Active')
    const live = await done(platform.cluster.get({ resource: resources.Namespace, name: 'look' }))
    assert.ok(live !== undefined)
    assert.is(deletionIn(live), undefined)
    if (url === path) assert.is(textAt(await json(answer), 'preview', 'status'), 'Active')
  })
}

test('the addresses of a preview are those of its Ingresses', async () => {
  const platform = testPlatform()
  putPreview(platform)
  platform.cluster.put({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'web', namespace: 'look' },
    spec: {
      tls: [{ hosts: ['web-look.example.com'] }],
      rules: [
        {
          host: 'web-look.example.com',
          http: {
            paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: { number: 80 } } } }],
          },
        },
      ],
    },
  })
  const { endpoints } = JSON.parse(
    await (await platform.send('GET', `${path}/look/endpoints`, { as: 'viewer' })).text(),
  )
  assert.equal(endpoints, [{ service: 'web', url: 'https://web-look.example.com/' }])
})

test.run()
