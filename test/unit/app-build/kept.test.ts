/** What the registry has already is not built again. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Builders } from '../../../src/ports/builder.ts'
import { buildWorld, scripted } from '../../support/build/world.ts'

const team = 'registry.example.com/team'
const files = {
  'compose.yaml': `name: shop\nservices:\n  web:\n    build: web\n`,
  'web/Dockerfile': 'FROM scratch\nCOPY page /\n',
  'web/page': 'one',
}
const named = {
  ...files,
  'compose.yaml': `name: shop\nservices:\n  web:\n    image: ${team}/web:1.0\n    build: {context: web, tags: ["${team}/web:latest"]}\n`,
}
const build = ['build', '--registry', team]

/** As a registry would after the push. */
const pushed = async (world: ReturnType<typeof buildWorld>, ...argv: ReadonlyArray<string>): Promise<string> => {
  const { status, stderr, stdout } = await world.run(...build, ...argv)
  assert.is(status, 0, stderr)
  const digest = stdout.trim().split('@')[1] ?? ''
  for (const name of world.solves().at(-1)?.names ?? []) world.digests.set(name, digest)
  return digest
}

/** A builder whose pushes arrive in the registry. */
const pushing = (builders: Builders, digests: Map<string, string>): Builders => ({
  connect: (choice, signal) =>
    pipe(
      builders.connect(choice, signal),
      TE.map((builder) => ({
        ...builder,
        build: (solve, tell, stop) =>
          pipe(
            builder.build(solve, tell, stop),
            TE.tapIO(({ digest = '' }) => () => {
              for (const name of solve.names) digests.set(name.includes(':') ? name : `${name}:latest`, digest)
            }),
          ),
      })),
    ),
})

test('an image whose content hash is in the registry is reused without connecting to a builder', async () => {
  const world = buildWorld({ files })
  const digest = await pushed(world)
  const [first] = world.solves()
  const name = first?.names[0] ?? ''
  assert.match(name, /^registry\.example\.com\/team\/shop-web:[0-9a-f]{12}$/)
  assert.is(world.connected(), 1)
  const { status, stderr, stdout } = await world.run(...build)
  assert.equal([status, stdout], [0, `${team}/shop-web@${digest}\n`], stderr)
  assert.match(stderr, 'web: unchanged, the registry has it')
  assert.equal([world.solves().length, world.connected(), world.open()], [1, 1, 0])
  assert.equal(world.asked, [`look ${name}`, `look ${name}`])
})

test('further names of a reused image are tagged in the registry', async () => {
  const world = buildWorld({ files: named })
  const digest = await pushed(world)
  const hashed = world.solves()[0]?.names.find((name) => /:[0-9a-f]{12}$/.test(name)) ?? ''
  world.digests.delete(`${team}/web:1.0`)
  world.digests.set(`${team}/web:latest`, 'sha256:other')
  const { status, stderr } = await world.run(...build)
  assert.is(status, 0, stderr)
  assert.equal(world.asked.slice(1), [
    `look ${hashed}`,
    `tag ${hashed} ${team}/web:1.0`,
    `tag ${hashed} ${team}/web:latest`,
  ])
  assert.equal([world.digests.get(`${team}/web:1.0`), world.digests.get(`${team}/web:latest`)], [digest, digest])
  assert.is(world.solves().length, 1)
})

test('a name in another repository is given to the image in the registry', async () => {
  const world = buildWorld({ files })
  const digest = await pushed(world)
  const { status, stderr } = await world.run(...build, '--tag', 'registry.example.com/other/web:1.0')
  assert.is(status, 0, stderr)
  assert.is(world.solves().length, 1)
  assert.is(world.digests.get('registry.example.com/other/web:1.0'), digest)
})

const twins = (...services: ReadonlyArray<string>): Readonly<Record<string, string>> => ({
  ...files,
  'compose.yaml': `name: shop\nservices:\n${services.map((name) => `  ${name.replace(/\W/g, '-')}: {image: ${name}, build: web}\n`).join('')}`,
})

test('images of one content are built once, and the others get its layers in the registry', async () => {
  const digests = new Map<string, string>()
  const names = [`${team}/a`, `${team}/b`, `${team}/c`]
  const world = buildWorld({ files: twins(...names), digests, wrap: (builders) => pushing(builders, digests) })
  const { status, stderr, stdout } = await world.run('build')
  assert.is(status, 0, stderr)
  assert.is(world.solves().length, 1)
  const [digest] = new Set(names.map((name) => digests.get(`${name}:latest`)))
  assert.equal(
    stdout.split('\n').filter(Boolean),
    names.map((name) => `${name}@${digest}`),
  )
})

test('images of the same content are each built if their registries differ or they are built without cache', async () => {
  for (const [names, argv] of [
    [[`${team}/a`, 'elsewhere.example.com/b'], []],
    [[`${team}/a`, `${team}/b`], ['--no-cache']],
  ] as const) {
    const digests = new Map<string, string>()
    const world = buildWorld({ files: twins(...names), digests, wrap: (builders) => pushing(builders, digests) })
    const { status, stderr } = await world.run('build', ...argv)
    assert.is(status, 0, stderr)
    assert.is(world.solves().length, 2)
  }
})

test('a name in another registry cannot be given there, so the image is built', async () => {
  const world = buildWorld({ files })
  await pushed(world)
  const { status, stderr } = await world.run(...build, '--tag', 'elsewhere.example.com/other/web:1.0')
  assert.is(status, 0, stderr)
  assert.is(world.solves().length, 2)
  assert.ok(world.solves()[1]?.names.includes('elsewhere.example.com/other/web:1.0'))
})

for (const [what, argv, change] of [
  ['a file of the context', [], { 'web/page': 'two' }],
  ['the Dockerfile', [], { 'web/Dockerfile': 'FROM scratch\nCOPY page /index\n' }],
  ['a build argument', ['--build-arg', 'LEVEL=2'], {}],
  ['the target', ['--target', 'prod'], {}],
] as const) {
  test(`${what} is part of the content hash`, async () => {
    const world = buildWorld({ files })
    await pushed(world)
    for (const [path, text] of Object.entries(change)) {
      world.disk.set(path, { _tag: 'File', bytes: new TextEncoder().encode(text) })
    }
    await pushed(world, ...argv)
    const [one, two] = world.solves().map(({ names }) => names[0])
    assert.is.not(one, two)
    await pushed(world)
    assert.is(world.solves().length, 2, 'both are there now')
  })
}

test('files excluded by .dockerignore are not part of the content hash', async () => {
  const world = buildWorld({ files: { ...files, 'web/.dockerignore': 'notes\n', 'web/notes': 'one' } })
  await pushed(world)
  world.disk.set('web/notes', { _tag: 'File', bytes: new TextEncoder().encode('two') })
  const { stderr } = await world.run(...build)
  assert.match(stderr, 'unchanged')
  assert.is(world.solves().length, 1)
})

test('--no-cache builds whatever the registry has, and does not ask it', async () => {
  const world = buildWorld({ files })
  await pushed(world)
  const { status, stderr } = await world.run(...build, '--no-cache')
  assert.is(status, 0, stderr)
  assert.is(world.solves()[1]?.frontend.get('no-cache'), '')
  assert.is(world.asked.length, 1)
})

test('no_cache_filter reaches the builder, also when the registry has the image', async () => {
  const filtered = files['compose.yaml'].replace('build: web', 'build: {context: web, no_cache_filter: [base, test]}')
  const world = buildWorld({ files: { ...files, 'compose.yaml': filtered } })
  await pushed(world)
  const { status, stderr } = await world.run(...build)
  assert.is(status, 0, stderr)
  assert.equal(
    world.solves().map(({ frontend }) => frontend.get('no-cache')),
    ['base,test', 'base,test'],
  )
})

test('when the registry does not respond there is a warning, and the image is built', async () => {
  const world = buildWorld({ files, isSilent: true })
  const { status, stderr } = await world.run(...build)
  assert.is(status, 0)
  assert.match(
    stderr,
    /cannot check whether registry\.example\.com\/team\/shop-web:[0-9a-f]{12} already exists: .*refused/,
  )
  assert.is(world.solves().length, 1)
})

test('a context that the builder fetches is always built', async () => {
  const compose = `name: shop\nservices:\n  web:\n    build: https://example.com/team/web.git\n`
  const world = buildWorld({ files: { 'compose.yaml': compose } })
  for (let run = 0; run < 2; run += 1) {
    const { status, stderr } = await world.run(...build)
    assert.is(status, 0, stderr)
  }
  assert.equal(world.asked, [])
  const [first, second] = world.solves()
  assert.equal([first?.names, first?.served.size], [[`${team}/shop-web:dev`], 0])
  assert.is(second?.frontend.get('context'), 'https://example.com/team/web.git')
})

test('--push=false asks no registry and pushes nothing', async () => {
  const world = buildWorld({ files })
  const { status, stderr, stdout } = await world.run('build', '--push=false')
  assert.is(status, 0, stderr)
  assert.equal([world.asked.length, world.solves()[0]?.output], [0, 'Store'])
  assert.match(stdout, /^shop-web:[0-9a-f]{12}\n$/)
})

for (const [what, argv, more] of [
  ['a cache to export', ['--export-cache', 'registry.example.com/team/cache'], ''],
  ['pull: true', [], ', pull: true'],
  ['no_cache: true', [], ', no_cache: true'],
] as const) {
  test(`with ${what} the image is built each time`, async () => {
    const text = `name: shop\nservices:\n  web:\n    build: {context: web${more}}\n`
    const env = { BUILDKIT_HOST: 'tcp://builder:1234' }
    const world = buildWorld({ files: { ...files, 'compose.yaml': text }, env })
    await pushed(world, ...argv)
    await pushed(world, ...argv)
    assert.is(world.solves().length, 2)
  })
}

test('flags are checked even if the registry has the image', async () => {
  const world = buildWorld({ files })
  await pushed(world)
  const wrong = ['--secret', 'foo=bar', '--cache-from', 'type=local,src=x', '--secret', 'id=key,src=nowhere']
  const { status, stderr, stdout } = await world.run(...build, ...wrong)
  assert.equal([status, stdout], [2, ''], stderr)
  assert.match(stderr, 'DT2001: --secret: the value is not a valid build secret')
  assert.match(stderr, /DT2001: the cache "type=local,src=x"/)
})

test('a missing SSH key is reported before anything is built', async () => {
  const text = 'name: shop\nservices:\n  web:\n    build: {context: web, ssh: ["deploy=./nokey"]}\n'
  const world = buildWorld({ files: { ...files, 'compose.yaml': text } })
  const { status, stderr } = await world.run(...build)
  assert.is(status, 3)
  assert.match(stderr, /DT4015: .*nokey of the SSH key "deploy" does not exist/)
  assert.is(world.connected(), 0)
})

test('of two services with the same image, the second one reuses it', async () => {
  const one = `image: ${team}/app:1\n    build: web`
  const world = buildWorld({
    files: { ...files, 'compose.yaml': `name: shop\nservices:\n  web:\n    ${one}\n  worker:\n    ${one}\n` },
    wrap: (builders) => ({
      connect: (choice, signal) => async () => {
        const builder = await builders.connect(choice, signal)()
        if (builder._tag === 'Left') return builder
        const push: typeof builder.right.build = (solve, tell, stop) => async () => {
          const solved = await builder.right.build(solve, tell, stop)()
          const digest = solved._tag === 'Right' ? solved.right.digest : undefined
          for (const name of solve.names) if (digest !== undefined) world.digests.set(name, digest)
          return solved
        }
        return { _tag: 'Right', right: { ...builder.right, build: push } }
      },
    }),
  })
  const { status, stderr } = await world.run(...build)
  assert.is(status, 0, stderr)
  assert.is(world.solves().length, 1)
  assert.match(stderr, 'worker: unchanged, the registry has it')
})

test('--strict turns warnings about the Dockerfile into errors, and nothing is printed', async () => {
  const lint = { _tag: 'Lint', text: 'careful', details: [], url: '' } as const
  const world = buildWorld({ files: named, builder: { images: scripted({ [`${team}/web:1.0`]: { events: [lint] } }) } })
  const lenient = await world.run(...build, '--no-cache')
  assert.is(lenient.status, 0, lenient.stderr)
  const { status, stderr, stdout } = await world.run(...build, '--no-cache', '--strict')
  assert.is(stdout, '')
  assert.is.not(status, 0)
  assert.match(stderr, 'error DT4040')
})

test.run()
