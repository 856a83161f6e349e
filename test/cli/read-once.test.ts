/** Files are read once a command: what is deployed is what was checked, however often the files are looked into. */
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Builders } from '../../src/ports/builder.ts'
import type { Invocation } from '../../src/ports/commands.ts'
import { text } from '../memory/files.ts'
import { buildWorld } from '../support/build/world.ts'

const team = 'registry.example.com/team'
const page = { 'web/Dockerfile': 'FROM scratch\nCOPY page /\n', 'web/page': 'one' }
const compose = (level: string): string => `name: shop
services:
  web:
    build: web
    environment: { LEVEL: ${level} }
`
const manifest = `name: shop
deploy:
  commands: [./migrate.sh]
destroy:
  commands: [./farewell.sh]
services:
  web:
    build: web
`
const config = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace: 'demo', labels: { 'dev.devtool/environment': 'shop' } },
}
const world = (files: Readonly<Record<string, string>>, wrap = (builders: Builders) => builders) =>
  buildWorld({ files: { ...page, ...files }, wrap, memory: { namespace: 'demo', cluster: { objects: [config] } } })
const deploy = ['deploy', '--yes', '--registry', team]

/** Does something while each image is built. */
const whileBuilding =
  (happens: () => void) =>
  (builders: Builders): Builders => ({
    connect: (choice, signal) => async () => {
      const builder = await builders.connect(choice, signal)()
      if (E.isLeft(builder)) return builder
      const { build } = builder.right
      const changed: typeof build = (solve, tell, cancel) => {
        happens()
        return build(solve, tell, cancel)
      }
      return E.right({ ...builder.right, build: changed })
    },
  })

const scriptsOf = (commands: ReadonlyArray<Invocation>): ReadonlyArray<string> =>
  commands.map(({ line }) => (line._tag === 'Shell' ? line.text : line.argv.join(' ')))

/** What is on standard input, and the flags that read it. */
const sources = {
  'a Compose file': [{ '<stdin>': compose('info') }, ['-f', '-']],
  'a manifest': [{ '<stdin>': manifest }, ['-f', '-']],
  'one of several files': [
    { 'compose.yaml': compose('debug'), '<stdin>': 'services: { web: { environment: { LEVEL: info } } }' },
    ['-f', 'compose.yaml', '-f', '-'],
  ],
} as const

for (const [source, [files, flags]] of Object.entries(sources)) {
  const isManifest = source === 'a manifest'

  test(`${source} on standard input is built`, async () => {
    const { run, solves } = world(files)
    // For `build`, as for `docker build`, -f names a Dockerfile.
    const long = flags.map((word) => (word === '-f' ? '--file' : word))
    const { status, stderr, stdout } = await run('build', '--registry', team, ...long)
    assert.is(status, 0, stderr)
    assert.is(solves().length, 1)
    assert.match(stdout, /^registry\.example\.com\/team\/shop-web@sha256:0{63}1\n$/)
  })

  test(`${source} on standard input is built and deployed, with its commands`, async () => {
    const { commands, objects, run, solves } = world(files)
    const { status, stderr } = await run(...deploy, ...flags)
    assert.is(status, 0, stderr)
    assert.is(solves().length, 1)
    const deployed = JSON.stringify(await objects('Deployment', 'demo'))
    assert.match(deployed, /shop-web@sha256:0{63}1/)
    assert.is(deployed.includes('"info"'), !isManifest)
    assert.equal(scriptsOf(commands), isManifest ? ['./migrate.sh'] : [])
  })

  for (const [flag, shown] of [
    ['--dry-run', `image: ${team}/shop-web:dev`],
    ['--dry-run=server', 'create  Deployment/web'],
    ['--diff', `image: ${team}/shop-web:`],
  ] as const) {
    test(`${source} on standard input: deploy ${flag} shows what would be deployed, and changes nothing`, async () => {
      const { objects, run, solves } = world(files)
      const { status, stderr, stdout } = await run(...deploy, flag, ...flags)
      assert.is(status, flag === '--diff' ? 1 : 0, stderr)
      if (flag !== '--dry-run') assert.match(stderr, 'web would be built as')
      assert.match(stdout, shown)
      assert.equal([solves(), await objects('Deployment', 'demo')], [[], []])
    })
  }

  test(`${source} on standard input is destroyed, with its commands`, async () => {
    const { commands, run } = world(files)
    const { status, stderr } = await run('destroy', '--yes', ...flags)
    assert.is(status, 0, stderr)
    assert.not.match(stderr, 'warning')
    assert.equal(scriptsOf(commands), isManifest ? ['./farewell.sh'] : [])
  })
}

test('a file edited during a build is deployed as it was checked', async () => {
  const files = { 'compose.yaml': `${compose('info')}    env_file: web.env\n`, 'web.env': 'COLOR=red\n' }
  const changing = world(
    files,
    whileBuilding(() => {
      changing.disk.set('compose.yaml', text(compose('debug')))
      changing.disk.set('web.env', text('COLOR=blue\n'))
    }),
  )
  const { status, stderr } = await changing.run(...deploy)
  assert.is(status, 0, stderr)
  const deployed = JSON.stringify(await changing.objects('Deployment', 'demo'))
  assert.match(deployed, '"info"')
  assert.match(deployed, '"red"')
})

test.run()
