/** `build` on the command line: what goes where, statuses, and what is typed wrong. */
import { load } from 'js-yaml'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { BuilderScript } from '../memory/builder.ts'
import { buildWorld, scripted } from '../support/build/world.ts'
import { devtool } from '../support/cli/cli.ts'

const team = 'registry.example.com/team'
const compose = `name: shop
services:
  web:
    image: ${team}/web:1.0
    build: {context: web, tags: ["${team}/web:latest"]}
  api:
    build: web
`
const files = { 'compose.yaml': compose, 'web/Dockerfile': 'FROM scratch\nCOPY page /\n', 'web/page': 'one' }
const digest = (letter: string): string => `sha256:${letter.repeat(64)}`

const step = { _tag: 'Vertex', digest: 'v1', name: '[1/1] COPY page /', isCached: false } as const
const lint = {
  _tag: 'Lint',
  ...{ text: 'JSONArgsRecommended: JSON arguments recommended', details: [], url: 'https://example.com/rule' },
  source: { file: 'Dockerfile', text: files['web/Dockerfile'], ranges: [{ start: 2, end: 2 }] },
} as const
const builder: BuilderScript = {
  images: scripted({
    [`${team}/web:1.0`]: {
      events: [
        { ...step, startedMs: 1000 },
        { _tag: 'Log', vertex: 'v1', isError: false, text: 'hello\n' },
        { ...step, startedMs: 1000, endedMs: 3000 },
        lint,
      ],
      solved: { digest: digest('a') },
    },
  }),
}

const build = (...argv: ReadonlyArray<string>) =>
  buildWorld({ files, builder }).run('build', '--registry', team, ...argv)

test('text: one image per line, by digest, in the order of the file, and nothing else on stdout', async () => {
  const { status, stderr, stdout } = await build()
  assert.is(status, 0, stderr)
  const [web, api, ...more] = stdout.split('\n')
  assert.is(web, `${team}/web@${digest('a')}`)
  assert.match(api ?? '', /^registry\.example\.com\/team\/shop-api@sha256:[0-9]{64}$/)
  assert.equal(more, [''])
  assert.match(stderr, 'web #1 hello')
  assert.match(stderr, 'warning DT4040')
})

const hashed = /^registry\.example\.com\/team\/web:[0-9a-f]{12}$/

for (const [form, read] of [
  ['json', (text: string): unknown => JSON.parse(text)],
  ['yaml', (text: string): unknown => load(text)],
] as const) {
  test(`${form}: name, image, digest, all names, and whether the image was in the registry`, async () => {
    const { status, stderr, stdout } = await build('web', '--output', form)
    assert.is(status, 0, stderr)
    const text = stdout.replace(/web:[0-9a-f]{12}/, 'web:HASH')
    assert.is.not(text, stdout, 'it has a name by its content')
    assert.equal(read(text), {
      schema: 1,
      images: [
        {
          name: 'web',
          image: `${team}/web@${digest('a')}`,
          digest: digest('a'),
          names: [`${team}/web:1.0`, `${team}/web:latest`, `${team}/web:HASH`],
          cached: false,
        },
      ],
    })
  })
}

test('json: an image that the registry has is reported as cached', async () => {
  const world = buildWorld({ files, builder })
  await world.run('build', 'web')
  const name = world.solves()[0]?.names.find((one) => hashed.test(one)) ?? ''
  world.digests.set(name, digest('b'))
  const { stdout } = await world.run('build', 'web', '-o', 'json')
  const read: unknown = JSON.parse(stdout)
  assert.match(JSON.stringify(read), `"digest":"${digest('b')}"`)
  assert.match(JSON.stringify(read), '"cached":true')
})

test('--progress json: every line on stderr is JSON with its own type', async () => {
  const { status, stderr } = await build('--progress', 'json')
  assert.is(status, 0, stderr)
  const lines = stderr.trimEnd().split('\n')
  assert.ok(lines.length > 4, stderr)
  for (const line of lines) {
    const read: unknown = JSON.parse(line)
    assert.ok(typeof read === 'object' && read !== null && !Array.isArray(read), line)
  }
  assert.match(stderr, 'hello')
  assert.match(stderr, 'DT4040')
})

test('--progress quiet prints only the images', async () => {
  const { status, stderr, stdout } = await build('web', '--progress', 'quiet')
  assert.equal([status, stdout], [0, `${team}/web@${digest('a')}\n`])
  assert.not.match(stderr, 'hello')
})

const failing = (failure: NonNullable<BuilderScript['unreachable']>) =>
  buildWorld({ files, builder: { images: scripted({ [`${team}/web:1.0`]: { failure } }) } }).run('build', 'web')

test('the exit status depends on the kind of failure', async () => {
  const failed = { _tag: 'Failed', code: 2, sources: [] } as const
  const statuses = await Promise.all([
    failing({ ...failed, message: 'no' }),
    failing({ ...failed, message: 'dockerfile parse error on line 2: unknown instruction: COPPY' }),
    failing({ _tag: 'NotPushed', name: `${team}/web:1.0`, message: 'denied' }),
    failing({ _tag: 'Lost', address: 'tcp://b:1', cause: 'closed' }),
  ])
  assert.equal(
    statuses.map(({ status, stdout }) => [status, stdout]),
    [
      [1, ''],
      [3, ''],
      [4, ''],
      [8, ''],
    ],
  )
})

test('a mistake in the file is shown with its line', async () => {
  const { status, stderr } = await devtool(['build'], {
    files: { ...files, 'compose.yaml': compose.replace('image:', 'restart: never-ever\n    image:') },
  })
  assert.is(status, 3)
  assert.match(stderr, '4 |     restart: never-ever')
})

const mistakes: ReadonlyArray<readonly [ReadonlyArray<string>, number, RegExp]> = [
  [['--nocache'], 2, /DT2001: unknown flag "--nocache"\n {2}help: did you mean "--no-cache"\?/],
  [['--push=maybe'], 2, /DT2001: --push: unknown value "maybe"/],
  [['--output', 'xml'], 2, /DT2001: --output: unknown value "xml"/],
  [['--progress', 'loud'], 2, /DT2001: --progress: unknown value "loud"/],
  [['--build-arg', '=2'], 2, /DT2001: --build-arg: "=2" is not an assignment/],
  [['-f', 'Dockerfile', 'web', 'api'], 2, /DT2001: -f builds one Dockerfile/],
  [['-f'], 2, /DT2001: -f needs a value/],
  [['web', 'apo'], 2, /DT4026: there is no image "apo"\n {2}help: did you mean "api"\?/],
  [['--tag', `${team}/all:1`], 2, /DT4025: --tag applies to a single image, not web, api/],
  [['--target', 'prod', '--export-cache', `${team}/cache`], 2, /DT4025: --target[\s\S]*DT4025: --export-cache/],
  [['web', '--tag', 'Web:1'], 2, /DT2001: --tag: the image name "Web" must be lower case/],
  [['web', '--tag', 'web:1'], 5, /DT4022: --tag: "web:1" does not name a registry/],
  [['web', '--tag', `${team}/web@${digest('a')}`], 2, /DT2001: --tag: .* has a digest/],
  [['web', '--secret', 'npm'], 2, /DT2001: --secret: the value is not a valid build secret/],
  [['web', '--secret', 'id=npm,src='], 2, /DT2001: --secret: the value for "npm" is not a valid build secret/],
  [['web', '--platform', 'linux-arm64'], 2, /DT2001: "linux-arm64" is not a valid platform/],
]

for (const [argv, status, text] of mistakes) {
  test(`build ${argv.join(' ')}: status ${status}, and no builder is asked`, async () => {
    const world = buildWorld({ files })
    const ran = await world.run('build', '--registry', team, ...argv)
    assert.equal([ran.status, ran.stdout, world.solves().length], [status, '', 0], ran.stderr)
    assert.match(ran.stderr, text)
  })
}

test('-f ignores the manifest, even an invalid one', async () => {
  const world = buildWorld({ files: { ...files, 'devtool.yml': 'build: [' } })
  const { status, stderr, stdout } = await world.run('build', '-f', 'web/Dockerfile', 'web', '-t', `${team}/web:2`)
  assert.is(status, 0, stderr)
  assert.match(stdout, new RegExp(`^${team}/web@sha256:[0-9]{64}\n$`))
  assert.equal(
    world.solves().map(({ names }) => names),
    [[`${team}/web:2`]],
  )
})

test('with -f, findings do not point at unrelated lines', async () => {
  const failure = { _tag: 'NotPushed', name: `${team}/web:2`, message: 'denied' } as const
  const world = buildWorld({ files, builder: { images: scripted({ [`${team}/web:2`]: { failure } }) } })
  const { status, stderr } = await world.run('build', '-f', 'web/Dockerfile', 'web', '-t', `${team}/web:2`)
  assert.is(status, 4)
  assert.not.match(stderr, 'web/Dockerfile:1')
})

test('flags reach the builder', async () => {
  const world = buildWorld({ files, env: { NPM: 'canary', BUILDKIT_HOST: 'unix:///run/buildkit/buildkitd.sock' } })
  const flags = [
    ...['--no-cache', '--target', 'prod', '--platform', 'linux/amd64,linux/arm64', '--build-arg', 'LEVEL=2'],
    ...['--secret', 'id=npm,env=NPM', '--cache-from', `${team}/cache`, '--export-cache', `${team}/cache`],
  ]
  const { status, stderr } = await world.run('build', 'web', ...flags)
  assert.is(status, 0, stderr)
  const [solve] = world.solves()
  assert.equal(Object.fromEntries(solve?.frontend ?? []), {
    ...{ filename: 'Dockerfile', target: 'prod', 'no-cache': '', platform: 'linux/amd64,linux/arm64' },
    'build-arg:LEVEL': '2',
  })
  assert.equal(solve?.secrets, [{ id: 'npm', source: { _tag: 'Value', value: 'canary' } }])
  assert.equal(
    [...(solve?.cacheImports ?? []), ...(solve?.cacheExports ?? [])].map(({ attrs, type }) => [type, ...attrs]),
    [
      ['registry', ['ref', `${team}/cache`]],
      ['registry', ['ref', `${team}/cache`], ['mode', 'max']],
    ],
  )
  assert.equal(world.choices()[0]?.address, { _tag: 'Unix', path: '/run/buildkit/buildkitd.sock' })
})

test('the default builder is the Docker daemon', async () => {
  const world = buildWorld({ files })
  await world.run('build', 'web')
  assert.equal(
    world.choices().map(({ address }) => address),
    [{ _tag: 'Docker' }],
  )
})

test('builds need no kubeconfig', async () => {
  const world = buildWorld({ files, memory: { hasNoCluster: true } })
  const { status, stderr } = await world.run('build', 'web')
  assert.is(status, 0, stderr)
})

test('the help explains builders, pushing and credentials', async () => {
  const { status, stderr, stdout } = await devtool(['build', '--help'])
  assert.equal([status, stderr], [0, ''])
  assert.match(stdout, /^Build and push the images of a devtool\.yml or Compose file\n\nusage: devtool build /)
  for (const words of ['BUILDKIT_HOST', 'Docker daemon', '--push', '--tag', '-f FILE', 'credentials', '--secret']) {
    assert.match(stdout, words)
  }
  for (const line of stdout.split('\n')) assert.ok(line.length <= 80, line)
})

test('a named service is built whatever its profile; without names, profiles apply', async () => {
  const debug = `${compose}  debug:\n    profiles: [debug]\n    build: web\n`
  const run = (...argv: ReadonlyArray<string>) =>
    buildWorld({ files: { ...files, 'compose.yaml': debug }, builder }).run('build', '--registry', team, ...argv)
  const named = await run('debug')
  assert.equal([named.status, named.stdout.includes('shop-debug@')], [0, true], named.stderr)
  const all = await run()
  assert.equal([all.status, all.stdout.includes('shop-debug@')], [0, false], all.stderr)
})

test.run()
