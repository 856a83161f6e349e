/** Which Dockerfile and which .dockerignore count, and what is served to the builder. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Solve } from '../../../src/domain/build/solve.ts'
import { buildWorld } from '../../support/build/world.ts'

const name = 'registry.example.com/team/web:1.0'
const cwd = '/home/me/shop'
const compose = (build: string): string => `services:\n  web:\n    image: ${name}\n    build: ${build}\n`

type Files = Readonly<Record<string, string>>

const built = async (files: Files, ...argv: ReadonlyArray<string>): Promise<Solve & { readonly stderr: string }> => {
  const world = buildWorld({ files })
  const { status, stderr } = await world.run('build', ...argv)
  assert.is(status, 0, stderr)
  const [solve, ...more] = world.solves()
  assert.is(more.length, 0)
  if (solve === undefined) throw new Error('nothing was built')
  return { ...solve, stderr }
}

const folder = (path: string) => ({ _tag: 'Folder', path })

test('a Dockerfile in the context is used', async () => {
  const { frontend, served } = await built({
    'compose.yaml': compose('{context: web, dockerfile: docker/prod.Dockerfile}'),
    'web/docker/prod.Dockerfile': 'FROM scratch\n',
  })
  assert.is(frontend.get('filename'), 'prod.Dockerfile')
  assert.equal(Object.fromEntries(served), { context: folder(`${cwd}/web`), dockerfile: folder(`${cwd}/web/docker`) })
})

test('without a Dockerfile in the context, the one beside the file is used', async () => {
  const { frontend, served, stderr } = await built({
    'compose.yaml': compose('{context: web, dockerfile: prod.Dockerfile}'),
    'prod.Dockerfile': 'FROM scratch\n',
    'web/page': 'one',
  })
  assert.is(frontend.get('filename'), 'prod.Dockerfile')
  assert.equal(Object.fromEntries(served), { context: folder(`${cwd}/web`), dockerfile: folder(cwd) })
  assert.not.match(stderr, 'error')
})

test('of two Dockerfiles the one in the context is used, with a warning', async () => {
  const { served, stderr } = await built({
    'compose.yaml': compose('{context: web, dockerfile: prod.Dockerfile}'),
    'prod.Dockerfile': 'FROM scratch\n',
    'web/prod.Dockerfile': 'FROM scratch\n',
  })
  assert.equal(served.get('dockerfile'), folder(`${cwd}/web`))
  assert.match(stderr, 'warning DT4043: services.web.build.dockerfile: web/prod.Dockerfile is used')
})

test('the default Dockerfile is only looked for in the context', async () => {
  const world = buildWorld({ files: { 'compose.yaml': compose('web'), Dockerfile: 'FROM scratch\n', 'web/page': '' } })
  const { status, stderr } = await world.run('build')
  assert.equal([status, world.connected()], [3, 0])
  assert.match(stderr, 'error DT4028: services.web.build: there is no Dockerfile in web')
})

test('an inline Dockerfile is used', async () => {
  const { frontend, served } = await built({
    'compose.yaml': `${compose('')}      context: web\n      dockerfile_inline: |\n        FROM scratch\n        COPY page /\n`,
    'web/page': 'one',
  })
  const text = { _tag: 'Text', file: 'Dockerfile', text: 'FROM scratch\nCOPY page /\n' }
  assert.is(frontend.get('filename'), 'Dockerfile')
  assert.equal(Object.fromEntries(served), { context: folder(`${cwd}/web`), dockerfile: text })
})

test('-f is relative to the current folder, wherever the context is', async () => {
  const files = {
    'devtool.yml': 'build:\n  other:\n    context: nowhere\n',
    'docker/web.Dockerfile': 'FROM scratch\n',
    'web/page': 'one',
  }
  const { frontend, names, served } = await built(files, '-f', 'docker/web.Dockerfile', 'web', '--tag', name)
  assert.is(frontend.get('filename'), 'web.Dockerfile')
  assert.equal(Object.fromEntries(served), { context: folder(`${cwd}/web`), dockerfile: folder(`${cwd}/docker`) })
  assert.equal(names, [name])
})

test('-f without a context uses the current folder', async () => {
  const files = { 'web.Dockerfile': 'FROM scratch\n' }
  const { names, served, stderr } = await built(files, '-f', 'web.Dockerfile', '--loglevel', 'info')
  assert.equal([names, served.get('context')], [[], folder(cwd)])
  assert.match(stderr, 'note DT4051')
})

test('a missing Dockerfile given with -f is an error', async () => {
  const world = buildWorld({ files: { 'web/Dockerfile': 'FROM scratch\n' } })
  const { status, stderr } = await world.run('build', '-f', 'Dockerfile', 'web')
  assert.equal([status, world.connected()], [3, 0])
  assert.match(stderr, 'error DT4028: there is no Dockerfile')
})

/** The name by content tells whether the file counted. */
const hashWith = async (files: Files): Promise<string> => (await built(files)).names.at(-1) ?? ''

test('of two .dockerignore files, the one named after the Dockerfile applies', async () => {
  const files = {
    'compose.yaml': compose('{context: web, dockerfile: prod.Dockerfile}'),
    'web/prod.Dockerfile': 'FROM scratch\n',
    'web/.dockerignore': 'page\n',
    'web/page': 'one',
    'web/notes': 'one',
  }
  const own = { ...files, 'web/prod.Dockerfile.dockerignore': 'notes\n' }
  assert.is(await hashWith({ ...files, 'web/page': 'two' }), await hashWith(files))
  assert.is.not(await hashWith({ ...files, 'web/notes': 'two' }), await hashWith(files))
  assert.is.not(await hashWith({ ...own, 'web/page': 'two' }), await hashWith(own))
  assert.is(await hashWith({ ...own, 'web/notes': 'two' }), await hashWith(own))
})

test('a context that is a file is an error', async () => {
  const world = buildWorld({ files: { 'compose.yaml': compose('web'), web: 'one' } })
  const { status, stderr } = await world.run('build')
  assert.is(status, 3)
  assert.match(stderr, 'error DT4032: services.web.build: the build context web is not a folder')
})

test('a .dockerignore of more than 10,000 patterns is refused before anything is sent', async () => {
  const lines = Array.from({ length: 10_001 }, (_, index) => `*${index}*`).join('\n')
  const world = buildWorld({
    files: { 'compose.yaml': compose('web'), 'web/Dockerfile': 'FROM scratch\n', 'web/.dockerignore': lines },
  })
  const { status, stderr } = await world.run('build')
  assert.is(status, 3)
  assert.match(stderr, 'error DT4010: web/.dockerignore has more than 10000 patterns')
})

test.run()
