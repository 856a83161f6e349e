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

test('deploy -f - builds and deploys the project on standard input', async () => {
  const { objects, run, solves } = world({ '<stdin>': compose('info') })
  const { status, stderr } = await run(...deploy, '-f', '-')
  assert.is(status, 0, stderr)
  assert.is(solves().length, 1)
  assert.match(JSON.stringify(await objects('Deployment', 'demo')), /shop-web@sha256:0{63}1/)
})

for (const flag of ['--dry-run=server', '--diff']) {
  test(`deploy -f - ${flag} shows the changes and the images to build`, async () => {
    const { run } = world({ '<stdin>': compose('info') })
    const { stderr, stdout } = await run(...deploy, flag, '-f', '-')
    assert.not.match(stderr, 'DT1044')
    assert.match(stderr, 'web would be built as')
    assert.match(stdout, flag === '--diff' ? `image: ${team}/shop-web:` : 'create  Deployment/web')
  })
}

test('a manifest from the standard input deploys its images, services and commands', async () => {
  const { commands, objects, run } = world({ '<stdin>': manifest })
  const { status, stderr } = await run(...deploy, '-f', '-')
  assert.is(status, 0, stderr)
  assert.is((await objects('Deployment', 'demo')).length, 1)
  assert.equal(scriptsOf(commands), ['./migrate.sh'])
})

test('standard input can be one of several files', async () => {
  const { objects, run } = world({
    'compose.yaml': compose('info'),
    '<stdin>': 'services: { web: { deploy: { replicas: 3 } } }',
  })
  const { status, stderr } = await run(...deploy, '-f', 'compose.yaml', '-f', '-')
  assert.is(status, 0, stderr)
  assert.match(JSON.stringify(await objects('Deployment', 'demo')), '"replicas":3')
})

test('destroy -f - runs the destroy commands of a manifest on standard input', async () => {
  const { commands, run } = world({ '<stdin>': manifest })
  const { status, stderr } = await run('destroy', '--yes', '-f', '-')
  assert.is(status, 0, stderr)
  assert.not.match(stderr, 'warning')
  assert.equal(scriptsOf(commands), ['./farewell.sh'])
})

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
