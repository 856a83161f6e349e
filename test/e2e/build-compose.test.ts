/** The images of a Compose file and of a manifest: which are built, under which names, in which order. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Json, listAt, textAt } from '../../src/domain/cluster/json.ts'
import { builtImages, dockerfile, openBuildLab } from '../support/build/e2e.ts'
import { mustBeStored } from '../support/build/image.ts'

const composeFile = (registry: string): string => `name: pages
services:
  web:
    build:
      context: web
      args: {GREETING: $GREETING}
      labels: {com.example.team: web team}
  api:
    build: {context: api, dockerfile: Containerfile, target: small}
    image: ${registry}/pages/named-api:7
  db: {image: busybox}
`

const test = suite('build of a file')

test('every service with a build is built, others are not', async () => {
  const { bench, registry } = await openBuildLab()
  const { must, write } = bench({ GREETING: 'good day' })
  write('compose.yaml', composeFile(registry.address))
  write('web/Dockerfile', dockerfile('ARG GREETING', 'RUN echo "$GREETING" >/greeting'))
  write('api/Containerfile', 'FROM busybox AS small\nRUN echo small >/size\nFROM small\nRUN echo large >/size\n')
  const flags = ['--registry', registry.address, '-o', 'json']
  const images = builtImages(await must(flags))
  assert.equal(images.map(({ name }) => name).toSorted(), ['api', 'web'])
  const [web] = images.filter(({ name }) => name === 'web')
  const [reference = ''] = web?.names ?? []
  assert.ok(reference.startsWith(`${registry.address}/pages-web:`), reference)
  const stored = await mustBeStored(reference)
  assert.is(stored.digest, web?.digest)
  assert.is(await stored.file('greeting'), 'good day\n')
  const config: Json = JSON.parse(stored.config)
  assert.is(textAt(config, 'config', 'Labels', 'com.example.team'), 'web team')
  const api = await mustBeStored(`${registry.address}/pages/named-api:7`)
  assert.is(await api.file('size'), 'small\n')
})

test('a named service is built alone, and an unknown one is an error', async () => {
  const { bench, registry } = await openBuildLab()
  const { fails, must, write } = bench({ GREETING: 'hello' })
  write('compose.yaml', composeFile(registry.address))
  write('web/Dockerfile', dockerfile('ARG GREETING'))
  write('api/Containerfile', 'FROM busybox AS small\n')
  const flags = ['--registry', registry.address, '-o', 'json']
  const images = builtImages(await must(['api', ...flags]))
  assert.equal(
    images.map(({ name }) => name),
    ['api'],
  )
  await fails(2, /DT4026/, ['apo', ...flags])
})

test('an unchanged image is not built again', async () => {
  const { bench, registry } = await openBuildLab()
  const { must, write } = bench()
  write('compose.yaml', 'name: same\nservices:\n  web: {build: .}\n')
  write('Dockerfile', dockerfile('COPY page.html /', 'RUN head -c 16 /dev/urandom >/random'))
  write('page.html', 'one')
  const build = async () => builtImages(await must(['--registry', registry.address, '-o', 'json']))[0]
  const first = await build()
  const again = await build()
  assert.is(first?.isCached, false)
  assert.is(again?.isCached, true)
  assert.is(again?.digest, first?.digest)
  write('page.html', 'two')
  const other = await build()
  assert.is(other?.isCached, false)
  assert.is.not(other?.digest, first?.digest)
  assert.is.not(other?.names[0], first?.names[0])
})

for (const [what, platforms] of [
  ['an image', ''],
  ['an image of two platforms', ', platforms: [linux/amd64, linux/arm64]'],
] as const) {
  test(`${what} of the same content in another repository needs neither a builder nor an upload`, async () => {
    const { bench, dead, troubled } = await openBuildLab()
    const { must, write } = bench()
    const [one, two] = ['one', 'two'].map((name) => `${troubled.address}/twins/${what.replaceAll(' ', '-')}-${name}`)
    const service = (name: string, image = ''): string =>
      `  ${name}: {image: "${image}", build: {context: .${platforms}}}\n`
    write('Dockerfile', 'FROM scratch\nCOPY page.html /\n')
    write('page.html', what)
    write('.dockerignore', 'compose.yaml\n')
    write('compose.yaml', `services:\n${service('one', one)}`)
    const [first] = builtImages(await must(['-o', 'json']))
    const before = troubled.asked.length
    write('compose.yaml', `services:\n${service('one', one)}${service('two', two)}`)
    const again = builtImages(await must(['-o', 'json'], { env: { BUILDKIT_HOST: `tcp://${dead}` } }))
    const asked = troubled.asked.slice(before)
    assert.equal(
      again.map(({ digest, isCached }) => [digest, isCached]),
      [first, first].map((built) => [built?.digest, true]),
    )
    assert.ok(asked.some((request) => request.includes('mount=sha256')))
    assert.equal(
      asked.filter((request) => /^(?:PATCH|PUT) .*\/blobs\//.test(request)),
      [],
    )
    const stored = await mustBeStored(`${two}:latest`)
    const [part] = listAt(stored.manifest, 'manifests').flatMap((platform) => textAt(platform, 'digest') ?? [])
    const image = part === undefined ? stored : await mustBeStored(`${two}@${part}`)
    assert.is(await image.file('page.html'), what)
  })
}

test('services of one content in several repositories are built once', async () => {
  const { bench, troubled } = await openBuildLab()
  const { must, write } = bench()
  const names = ['a', 'b', 'c'].map((name) => `${troubled.address}/triplets/${name}`)
  write('Dockerfile', dockerfile('RUN head -c 16 /dev/urandom >/random'))
  write(
    'compose.yaml',
    `services:\n${names.map((name, index) => `  s${index}: {image: "${name}", build: .}\n`).join('')}`,
  )
  const built = builtImages(await must(['-o', 'json']))
  assert.is(new Set(built.map(({ digest }) => digest)).size, 1)
  assert.equal(
    built.map(({ isCached }) => isCached),
    [false, true, true],
  )
})

test('an image of a manifest is built after those it depends on, and gets their names', async () => {
  const { bench, registry } = await openBuildLab()
  const { must, write } = bench()
  write(
    'devtool.yml',
    `name: chain
build:
  child:
    context: child
    depends_on: [parent]
    args: ["PARENT=$DEVTOOL_BUILD_PARENT_IMAGE"]
  parent: {context: parent}
`,
  )
  write('parent/Dockerfile', dockerfile('RUN echo parent >/line'))
  write('child/Dockerfile', 'ARG PARENT\nFROM $PARENT\nRUN echo child >>/line\n')
  const images = builtImages(await must(['--registry', registry.address, '-o', 'json']))
  const [child] = images.filter(({ name }) => name === 'child')
  assert.is(images.length, 2)
  const stored = await mustBeStored(child?.names[0] ?? '')
  assert.is(await stored.file('line'), 'parent\nchild\n')
})

test.run()
