/** `deploy` of what is to be built. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type BuildWorld, buildWorld, scripted } from '../../support/build/world.ts'

const team = 'registry.example.com/team'
const manifest = `name: shop
build:
  tools:
    image: ${team}/tools:1.0
    context: web
deploy:
  commands:
    - ./migrate.sh
services:
  web:
    build: web
  proxy:
    image: \${DEVTOOL_BUILD_TOOLS_IMAGE}
`
const files = {
  'devtool.yml': manifest,
  'web/Dockerfile': 'FROM scratch\nCOPY page /\n',
  'web/page': 'one',
}
const deploy = ['deploy', '--yes', '--registry', team]
const digest = (letter: string): string => `sha256:${letter.repeat(64)}`

const worldOf = (more: Partial<Parameters<typeof buildWorld>[0]> = {}): BuildWorld => {
  const images = scripted({ [`${team}/tools:1.0`]: { solved: { digest: digest('a') } } })
  return buildWorld({ files, builder: { images }, memory: { namespace: 'demo' }, ...more })
}

const imagesOf = async (world: BuildWorld): Promise<ReadonlyArray<string>> =>
  (await world.objects('Deployment', 'demo')).map(
    (object) => /"image":"([^"]+)"/.exec(JSON.stringify(object))?.[1] ?? '',
  )

const everythingIn = async (world: BuildWorld): Promise<ReadonlyArray<unknown>> =>
  (
    await Promise.all((['Deployment', 'Service', 'ConfigMap'] as const).map((kind) => world.objects(kind, 'demo')))
  ).flat()

/** As registries would after a push: every name means the digest that was built. */
const push = (world: BuildWorld): void => {
  for (const [index, { names }] of world.solves().entries()) {
    for (const name of names) world.digests.set(name, `sha256:${`${index + 1}`.padStart(64, '0')}`)
  }
}

test('objects refer to digests, and commands of the manifest get the image variables', async () => {
  const world = worldOf()
  const { status, stderr } = await world.run(...deploy)
  assert.is(status, 0, stderr)
  const images = await imagesOf(world)
  assert.is(images.length, 2)
  assert.ok(images.includes(`${team}/tools@${digest('a')}`), images.join(' '))
  assert.ok(
    images.some((image) => /^registry\.example\.com\/team\/shop-web@sha256:[0-9]{64}$/.test(image)),
    images.join(' '),
  )
  const [command, ...more] = world.commands
  assert.is(more.length, 0)
  const env = command?.env ?? new Map<string, string>()
  assert.is(env.get('DEVTOOL_BUILD_TOOLS_IMAGE'), `${team}/tools@${digest('a')}`)
  assert.is(env.get('DEVTOOL_BUILD_TOOLS_REGISTRY'), 'registry.example.com')
  assert.is(env.get('DEVTOOL_BUILD_TOOLS_REPOSITORY'), 'team/tools')
  assert.is(env.get('DEVTOOL_BUILD_TOOLS_TAG'), digest('a'))
  assert.match(env.get('DEVTOOL_BUILD_TOOLS_SHA') ?? '', new RegExp(`^[0-9a-f]{12}@${digest('a')}$`))
  assert.ok(world.writes().length > 0)
  assert.ok((await everythingIn(world)).length > 2)
  assert.is(world.open(), 0)
})

test('an image in the registry is not built again, and is deployed by its digest', async () => {
  const world = worldOf()
  await world.run(...deploy)
  push(world)
  const { status, stderr } = await world.run(...deploy)
  assert.is(status, 0, stderr)
  assert.equal([world.solves().length, world.connected()], [2, 1])
  const known = new Set([...world.digests].map(([name, value]) => `${name.replace(/:[^/]*$/, '')}@${value}`))
  for (const image of await imagesOf(world)) assert.ok(known.has(image), image)
})

test('--build builds all images, even those in the registry', async () => {
  const world = worldOf()
  await world.run(...deploy)
  push(world)
  const looked = world.asked.length
  const { status, stderr } = await world.run(...deploy, '--build')
  assert.is(status, 0, stderr)
  assert.equal([world.solves().length, world.asked.length], [4, looked])
  assert.is(world.solves()[2]?.frontend.has('no-cache'), false, 'the cache of the builder counts')
})

for (const flags of [['--dry-run=server'], ['--diff']]) {
  test(`${flags.join(' ')} builds, tags and writes nothing, and lists what would be built`, async () => {
    const world = worldOf()
    const { stderr } = await world.run(...deploy, ...flags)
    assert.match(stderr, /tools would be built as registry\.example\.com\/team\/tools:[0-9a-f]{12}/)
    assert.match(stderr, /web would be built as registry\.example\.com\/team\/shop-web:[0-9a-f]{12}/)
    assert.equal(
      [world.connected(), world.commands.length, world.asked.filter((text) => text.startsWith('tag'))],
      [0, 0, []],
    )
    assert.equal(await everythingIn(world), [])
  })

  test(`${flags.join(' ')} shows the digests of images in the registry`, async () => {
    const world = worldOf()
    await world.run(...deploy)
    push(world)
    world.digests.delete(`${team}/tools:1.0`)
    const { stderr } = await world.run(...deploy, ...flags, '--output', 'json')
    assert.not.match(stderr, 'would be built')
    assert.equal([world.connected(), world.digests.has(`${team}/tools:1.0`)], [1, false])
  })
}

test('an image is looked up after those it depends on, whatever their order in the file', async () => {
  const own = manifest.replace(
    '    context: web\n',
    '    context: web\n    args: ["BASE=${DEVTOOL_BUILD_BASE_IMAGE}"]\n  base: {context: web}\n',
  )
  const world = worldOf({ files: { ...files, 'devtool.yml': own } })
  const { status, stderr } = await world.run(...deploy)
  assert.is(status, 0, stderr)
  const base = world.solves().find(({ names }) => names[0]?.includes('/shop-base:'))
  const tools = world.solves().find(({ names }) => names.includes(`${team}/tools:1.0`))
  const given = tools?.frontend.get('build-arg:BASE') ?? ''
  assert.match(given, new RegExp(`^${team}/shop-base@sha256:[0-9]{64}$`))
  push(world)
  for (const name of base?.names ?? []) world.digests.set(name, given.split('@')[1] ?? '')
  const compared = await world.run(...deploy, '--diff')
  assert.not.match(compared.stderr, 'would be built')
  assert.equal([world.solves().length, world.connected()], [3, 1])
})

test('a failed build does not change the cluster', async () => {
  const failure = { _tag: 'Failed', message: 'no', code: 2, sources: [] } as const
  const world = worldOf({ builder: { images: scripted({ [`${team}/tools:1.0`]: { failure } }) } })
  const { status, stderr } = await world.run(...deploy)
  assert.is(status, 1)
  assert.match(stderr, 'error DT4004: image tools: no')
  assert.equal([world.writes(), world.commands, world.open()], [[], [], 0])
  assert.equal(await everythingIn(world), [])
})

test('without a registry nothing is built for a remote cluster', async () => {
  const world = worldOf()
  const { status, stderr } = await world.run('deploy', '--yes')
  assert.equal([status, world.connected(), world.writes()], [5, 0, []])
  assert.match(stderr, 'error DT4022: services.web.build')
})

/** As `context use` writes it. */
const store = (fields: Readonly<Record<string, string>>): Map<string, string> => {
  const context = { kind: 'kubernetes', ...fields }
  return new Map([['context/config.json', JSON.stringify({ schema: 1, current: 'test', contexts: { test: context } })]])
}

test('the cluster pulls from the pull registry', async () => {
  const home = store({ registry: 'localhost:5000', pullRegistry: 'registry.local:5000' })
  const compose = 'name: shop\nservices:\n  web:\n    build: web\n'
  const { 'devtool.yml': _manifest, ...context } = files
  const world = worldOf({ files: { ...context, 'compose.yaml': compose }, memory: { namespace: 'demo', home } })
  const { status, stderr } = await world.run('deploy', '--yes')
  assert.is(status, 0, stderr)
  assert.match(world.solves()[0]?.names[0] ?? '', /^localhost:5000\/shop-web:[0-9a-f]{12}$/)
  assert.match((await imagesOf(world))[0] ?? '', /^registry\.local:5000\/shop-web@sha256:[0-9]{64}$/)
})

test('the builder is that of the context, unless BUILDKIT_HOST names another', async () => {
  const home = store({ registry: team, builder: 'tcp://of-the-context:1234' })
  for (const [env, host] of [
    [{}, 'of-the-context'],
    [{ BUILDKIT_HOST: 'tcp://of-the-shell:1234' }, 'of-the-shell'],
  ] as const) {
    const world = worldOf({ memory: { namespace: 'demo', home }, env })
    const { status, stderr } = await world.run('deploy', '--yes')
    assert.is(status, 0, stderr)
    assert.equal(world.choices()[0]?.address, { _tag: 'Tcp', host, port: 1234 })
  }
})

test('deploy --reproducible builds as build --reproducible does, under other names than without', async () => {
  const solves = async (...argv: ReadonlyArray<string>) => {
    const world = worldOf()
    const { status, stderr } = await world.run(...argv)
    assert.is(status, 0, stderr)
    return world.solves()
  }
  const deployed = await solves(...deploy, '--reproducible')
  assert.equal(deployed, await solves('build', '--registry', team, '--reproducible'))
  assert.ok(
    deployed.every(({ frontend, rewritesTimes }) => rewritesTimes && frontend.has('build-arg:SOURCE_DATE_EPOCH')),
  )
  const names = new Set(deployed.flatMap((solve) => solve.names))
  assert.ok((await solves(...deploy)).every((solve) => solve.names.some((name) => !names.has(name))))
})

test.run()
