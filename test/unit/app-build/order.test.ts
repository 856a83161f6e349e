/** Which image is built when, and what it is told of those before it. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Solve } from '../../../src/domain/build/solve.ts'
import { barrier, buildWorld, scripted } from '../../support/build/world.ts'

const team = 'registry.example.com/team'
const scratch = 'FROM scratch\nCOPY page /\n'
const folder = (name: string) => ({ [`${name}/Dockerfile`]: scratch, [`${name}/page`]: name })

const digest = (letter: string): string => `sha256:${letter.repeat(64)}`
const refused = { _tag: 'Failed', message: 'the daemon says no', code: 2, sources: [] } as const

/** `api` before `web`; `worker` by itself. */
const manifest = `name: shop
build:
  web:
    image: ${team}/web:1.0
    context: web
    args:
      - API=\${DEVTOOL_BUILD_API_IMAGE}
      - TAG=$DEVTOOL_BUILD_API_TAG
    depends_on: [api]
  api:
    image: ${team}/api:1.0
    context: api
  worker:
    image: ${team}/worker:1.0
    context: worker
`
const files = { 'devtool.yml': manifest, ...folder('web'), ...folder('api'), ...folder('worker') }

const nameOf = ({ names }: Solve): string => names[0] ?? ''
const byName = (solves: ReadonlyArray<Solve>, name: string): Solve => {
  const found = solves.find((solve) => nameOf(solve) === `${team}/${name}:1.0`)
  if (found === undefined) throw new Error(`${name} was not built`)
  return found
}

test('independent images are built in parallel, over one connection', async () => {
  const { wrap, most } = barrier(2)
  const services = ['web', 'api'].map((name) => `  ${name}:\n    image: ${team}/${name}:1.0\n    build: ${name}\n`)
  const compose = `services:\n${services.join('')}`
  const world = buildWorld({ files: { 'compose.yaml': compose, ...folder('web'), ...folder('api') }, wrap })
  const { status, stderr } = await world.run('build')
  assert.is(status, 0, stderr)
  assert.equal([most(), world.connected(), world.open()], [2, 1, 0])
})

test('an image is built after those it depends on, and gets their names and digests', async () => {
  const images = scripted({ [`${team}/api:1.0`]: { solved: { digest: digest('a') } } })
  const world = buildWorld({ files, builder: { images } })
  const { status, stderr, stdout } = await world.run('build')
  assert.is(status, 0, stderr)
  const order = world.solves().map(nameOf)
  assert.ok(order.indexOf(`${team}/api:1.0`) < order.indexOf(`${team}/web:1.0`), order.join(' '))
  const { frontend } = byName(world.solves(), 'web')
  assert.is(frontend.get('build-arg:API'), `${team}/api@${digest('a')}`)
  assert.is(frontend.get('build-arg:TAG'), digest('a'))
  const printed = stdout.trim().split('\n')
  assert.equal(
    printed.map((line) => line.split('@')[0]),
    [`${team}/api`, `${team}/web`, `${team}/worker`],
  )
})

test('a new digest of a dependency changes the content hash', async () => {
  const hashes = await Promise.all(
    ['a', 'b'].map(async (letter) => {
      const images = scripted({ [`${team}/api:1.0`]: { solved: { digest: digest(letter) } } })
      const world = buildWorld({ files, builder: { images } })
      await world.run('build')
      return byName(world.solves(), 'web').names.at(-1)
    }),
  )
  assert.match(hashes[0] ?? '', /:[0-9a-f]{12}$/)
  assert.is.not(hashes[0], hashes[1])
})

test('a named image is built with its dependencies, and only it is reported', async () => {
  const world = buildWorld({ files })
  const { status, stderr, stdout } = await world.run('build', 'web', '--tag', `${team}/web:next`, '--target', 'prod')
  assert.is(status, 0, stderr)
  assert.equal(world.solves().map(nameOf), [`${team}/api:1.0`, `${team}/web:1.0`])
  const [api, web] = [byName(world.solves(), 'api'), byName(world.solves(), 'web')]
  assert.equal([api.frontend.get('target'), web.frontend.get('target')], [undefined, 'prod'])
  assert.equal(
    [api.names, web.names].map((names) => names.includes(`${team}/web:next`)),
    [false, true],
  )
  assert.match(stdout, new RegExp(`^${team}/web@sha256:\\d{64}\n$`))
})

test('a failed build stops only the images that depend on it', async () => {
  const images = scripted({ [`${team}/api:1.0`]: { failure: refused } })
  const world = buildWorld({ files, builder: { images } })
  const { status, stderr, stdout } = await world.run('build')
  assert.equal([status, stdout], [1, ''])
  assert.equal(world.solves().map(nameOf).toSorted(), [`${team}/api:1.0`, `${team}/worker:1.0`])
  assert.match(stderr, 'error DT4004: image api: the daemon says no')
  assert.match(stderr, /done {4}worker: pushed/)
  assert.is(world.open(), 0)
})

test('errors in several images are reported in one run', async () => {
  const images = scripted({
    [`${team}/api:1.0`]: { failure: refused },
    [`${team}/worker:1.0`]: { failure: { _tag: 'NotPushed', name: `${team}/worker:1.0`, message: 'denied' } },
  })
  const { stderr } = await buildWorld({ files, builder: { images } }).run('build')
  assert.match(stderr, 'error DT4004: image api')
  assert.match(stderr, 'error DT4012: image worker')
})

test('an unreachable builder is reported once, however many images there are', async () => {
  const unreachable = { _tag: 'Unreachable', address: 'tcp://b:1234', cause: 'connection refused' } as const
  const world = buildWorld({ files, builder: { unreachable }, env: { BUILDKIT_HOST: 'tcp://b:1234' } })
  const { status, stderr } = await world.run('build')
  assert.equal([status, world.connected()], [8, 1])
  assert.is(stderr.split('DT4001').length, 2, stderr)
})

test('the image of another service can be a build context', async () => {
  const compose = `name: shop
services:
  web:
    image: ${team}/web:1.0
    build:
      context: web
      additional_contexts:
        base: service:api
  api:
    image: ${team}/api:1.0
    build: api
`
  const images = scripted({ [`${team}/api:1.0`]: { solved: { digest: digest('c') } } })
  const world = buildWorld({
    files: { 'compose.yaml': compose, ...folder('web'), ...folder('api') },
    builder: { images },
  })
  const { status, stderr } = await world.run('build')
  assert.is(status, 0, stderr)
  assert.equal(world.solves().map(nameOf), [`${team}/api:1.0`, `${team}/web:1.0`])
  const { frontend } = byName(world.solves(), 'web')
  assert.is(frontend.get('context:base'), `docker-image://${team}/api@${digest('c')}`)
})

test.run()
