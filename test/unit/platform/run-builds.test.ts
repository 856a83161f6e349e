/** What a run on the platform gets to build images, and who gets it. */
import { X509Certificate } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { listAt, textAt, textsAt } from '../../../src/domain/cluster/json.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { builderVariables, type RunBuilder } from '../../../src/domain/platform/run/build-access.ts'
import { type RunRequest, runJob, runSecret } from '../../../src/domain/platform/run/request.ts'
import { done } from '../../contract/cluster-world.ts'
import { putRun, REPOSITORY } from '../../support/platform/runs.ts'
import { testPlatform } from '../../support/platform/world.ts'

const builder: RunBuilder = {
  address: 'kube-pod://buildkitd-0?namespace=devtool-builder&port=1234',
  host: 'builder.devtool',
  authority: 'CA',
  certificate: 'CERTIFICATE',
  key: 'KEY',
}
const request: RunRequest = {
  id: '0123456789abcdef',
  action: 'deploy',
  environment: 'web',
  namespace: 'shop',
  who: { user: 'u-1', email: 'ann@example.com' },
  now: '2026-11-21T10:00:00Z',
  nowMs: 0,
  timeoutSeconds: 300,
  repository: REPOSITORY,
  builder,
}
const programs = { image: 'image', domain: 'apps.example.com', registry: '' }

const mountsOf = (asked: RunRequest, containers: string): ReadonlyArray<string> =>
  listAt(runJob(programs, asked), 'spec', 'template', 'spec', containers, 0, 'volumeMounts').map(
    (mount) => `${textAt(mount, 'name')} ${textAt(mount, 'mountPath')}`,
  )

const ofBuilds = ['builder /run/devtool/builder', 'registry /run/devtool/registry']
const isOfBuilds = (mount: string): boolean => /builder|registry/.test(mount)

test('only the container that deploys gets at the builder and the logins to registries', () => {
  assert.equal(mountsOf(request, 'containers').filter(isOfBuilds), ofBuilds)
  assert.equal(mountsOf(request, 'initContainers').filter(isOfBuilds), [])
  assert.equal(mountsOf({ ...request, action: 'destroy' }, 'containers').filter(isOfBuilds), [])
  const volumes = listAt(runJob(programs, request), 'spec', 'template', 'spec', 'volumes')
  const [ofBuilder, ofRegistry] = ['builder', 'registry'].map((name) =>
    volumes.find((volume) => textAt(volume, 'name') === name),
  )
  const paths = listAt(ofBuilder, 'secret', 'items').map((item) => `${textAt(item, 'key')} ${textAt(item, 'path')}`)
  assert.equal(paths, [
    'builder.address address',
    'builder.host host',
    'builder.ca.pem ca.pem',
    'builder.cert.pem cert.pem',
    'builder.key.pem key.pem',
  ])
  assert.equal(ofRegistry, {
    name: 'registry',
    secret: {
      secretName: 'devtool-registry',
      optional: true,
      items: [{ key: '.dockerconfigjson', path: 'config.json' }],
    },
  })
  assert.not.match(JSON.stringify(volumes), /KEY|CERTIFICATE/)
})

test('the Secret of a run has the client of the builder, also without variables', () => {
  const data = textsAt(runSecret(request, { uid: 'uid' }), 'data')
  const text = (key: string): string => Buffer.from(data.get(key) ?? '', 'base64').toString()
  assert.equal(
    ['address', 'host', 'ca.pem', 'cert.pem', 'key.pem'].map((name) => text(`builder.${name}`)),
    [builder.address, builder.host, 'CA', 'CERTIFICATE', 'KEY'],
  )
  const { builder: _none, ...bare } = request
  assert.is(runSecret(bare, { uid: 'uid' }), undefined)
})

const own = {
  BUILDKIT_HOST: builder.address,
  DEVTOOL_BUILDKIT_TLS_DIR: '/run/devtool/builder',
  DEVTOOL_BUILDKIT_TLS_SERVER_NAME: 'builder.devtool',
}
const values = (all: Readonly<Record<string, string>>) => new Map(Object.entries(all))

test('a command builds on the platform, unless variables name a builder', () => {
  const none = values({})
  assert.equal(builderVariables([none, none], builder), own)
  assert.equal(builderVariables([none, none], undefined), {})
  // Its certificates are not for the build service, nor those of the build service for it.
  const named = values({ BUILDKIT_HOST: 'tcp://builder:1234', DEVTOOL_BUILDKIT_TLS_DIR: 'certificates' })
  const expected = Object.fromEntries(named)
  assert.equal(builderVariables([none, named], builder), expected)
  assert.equal(builderVariables([none, named], undefined), expected)
  assert.equal(builderVariables([values({ BUILDKIT_HOST: 'docker' }), named], builder), {
    ...expected,
    BUILDKIT_HOST: 'docker',
  })
  const empty = values({ BUILDKIT_HOST: '' })
  assert.equal(builderVariables([empty, named], builder), expected)
  assert.equal(builderVariables([empty, values({ DEVTOOL_BUILDKIT_TLS_DIR: 'x' })], builder), own)
})

/** What the API wrote for a deploy of a member. */
const writtenOn = async (kind: 'none' | 'starting' | 'ready') => {
  const { cluster, send } = testPlatform({ builder: kind })
  const body = { name: 'web', repository: REPOSITORY }
  const answer = await send('POST', '/api/v1/namespaces/shop/pipelines', { as: 'member', body })
  const said = await answer.text()
  assert.is(answer.status, 202, said)
  const name = `devtool-run-${textAt(JSON.parse(said), 'run', 'id')}`
  const secret = await done(cluster.get({ resource: resources.Secret, namespace: 'shop', name }))
  const text = (key: string): string => Buffer.from(textAt(secret, 'data', `builder.${key}`) ?? '', 'base64').toString()
  return { data: textsAt(secret, 'data'), text }
}

test('a deploy gets a certificate that is still valid when its turn has come', async () => {
  const { text } = await writtenOn('ready')
  assert.is(text('address'), builder.address)
  assert.is(text('host'), builder.host)
  const [client, authority] = [new X509Certificate(text('cert.pem')), new X509Certificate(text('ca.pem'))]
  assert.ok(client.verify(authority.publicKey))
  assert.ok(Date.parse(client.validTo) >= Date.parse('2026-11-24T10:00:00Z'))
  assert.match(text('key.pem'), 'PRIVATE KEY')
})

test('a builder that is not ready, or that there is none, lets the run begin all the same', async () => {
  assert.is((await writtenOn('starting')).text('address'), builder.address)
  const { data } = await writtenOn('none')
  assert.ok(data.has('variables.json'))
  assert.equal(
    [...data.keys()].filter((key) => key.startsWith('builder')),
    [],
  )
})

test('a destroy gets no way to the builder', async () => {
  const platform = testPlatform()
  putRun(platform)
  const answer = await platform.send('DELETE', '/api/v1/namespaces/shop/pipelines/web', { as: 'member' })
  assert.is(answer.status, 202)
  const { items } = await done(platform.cluster.list({ resource: resources.Secret, namespace: 'shop' }))
  assert.not.ok(items.some((one) => [...textsAt(one, 'data').keys()].some((key) => key.startsWith('builder'))))
})

test.run()
