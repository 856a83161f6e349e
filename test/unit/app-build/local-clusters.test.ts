/** Images into clusters on this machine, by the tools that made them: commands are recorded, not run. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { buildWorld } from '../../support/build/world.ts'
import type { MemoryWorld } from '../../support/cluster/memory-ports.ts'

const files = {
  'compose.yaml': 'name: shop\nservices:\n  web:\n    build: web\n',
  'web/Dockerfile': 'FROM scratch\nRUN --mount=type=secret,id=npm make\n',
}
const env = { PATH: '/usr/bin', HOME: '/home/me', DOCKER_HOST: 'unix:///run/docker.sock' }

type Exit = { readonly status: number; readonly output: string }
type More = {
  readonly memory?: Partial<MemoryWorld>
  readonly env?: Readonly<Record<string, string>>
  readonly exit?: Exit
}

const deployTo = async (
  context: string,
  { memory = {}, env: own = {}, exit }: More,
  ...argv: ReadonlyArray<string>
) => {
  const world = buildWorld({
    files,
    env: { ...env, ...own },
    builder: { kind: 'Docker' },
    memory: { context, namespace: 'demo', ...memory },
    ...(exit === undefined ? {} : { exit }),
  })
  return { world, ...(await world.run('deploy', '--yes', ...argv)) }
}

const loads = [
  ['kind-dev', (name: string) => ['kind', 'load', 'docker-image', name, '--name', 'dev']],
  ['k3d-dev', (name: string) => ['k3d', 'image', 'import', name, '-c', 'dev']],
  ['minikube', (name: string) => ['minikube', '-p', 'minikube', 'image', 'load', name]],
] as const

for (const [context, argvOf] of loads) {
  test(`${context}: the image is built in the Docker daemon, and loaded and deployed under the name with its content hash`, async () => {
    const { status, stderr, world } = await deployTo(context, {})
    assert.is(status, 0, stderr)
    const [solve] = world.solves()
    const [name = ''] = solve?.names ?? []
    assert.match(name, /^shop-web:[0-9a-f]{12}$/)
    assert.equal([solve?.output, world.asked], ['Store', []])
    const [load, ...more] = world.commands
    assert.equal(load?.line, { _tag: 'Program', argv: argvOf(name) })
    assert.equal([load?.folder, Object.fromEntries(load?.env ?? [])], ['/home/me/shop', env])
    assert.is(more.length, 0)
    assert.equal(await imagesIn(world), [name])
    assert.is(world.open(), 0)
  })
}

const imagesIn = async (world: ReturnType<typeof buildWorld>): Promise<ReadonlyArray<string>> =>
  (await world.objects('Deployment', 'demo')).flatMap(
    (object) => /"image":"([^"]+)"/.exec(JSON.stringify(object))?.[1] ?? [],
  )

test('docker-desktop uses the images of the daemon, so nothing is loaded', async () => {
  const { status, stderr, world } = await deployTo('docker-desktop', {})
  assert.is(status, 0, stderr)
  assert.equal([world.solves()[0]?.output, world.commands], ['Store', []])
})

test('an explicit registry is used even with a local cluster', async () => {
  const { status, stderr, world } = await deployTo('kind-dev', {}, '--registry', 'registry.example.com/team')
  assert.is(status, 0, stderr)
  assert.equal([world.solves()[0]?.output, world.commands], ['Push', []])
  assert.match((await imagesIn(world))[0] ?? '', /^registry\.example\.com\/team\/shop-web@sha256:[0-9]{64}$/)
})

test('with BUILDKIT_HOST there is no daemon to load from, so a registry is required', async () => {
  const { status, stderr, world } = await deployTo('kind-dev', { env: { BUILDKIT_HOST: 'tcp://b:1234' } })
  assert.equal([status, world.connected()], [5, 0])
  assert.match(stderr, 'error DT4022: services.web.build')
})

test('a failed load does not change the cluster', async () => {
  const exit = { status: 1, output: 'ERROR: no nodes found for cluster "dev"\n' }
  const { status, stderr, world } = await deployTo('kind-dev', { exit })
  assert.is(status, 1)
  assert.match(stderr, /error DT4029: kind did not load shop-web:[0-9a-f]{12}: ERROR: no nodes found for cluster "dev"/)
  assert.equal(world.writes(), [])
  assert.is(world.open(), 0)
})

test("only the end of the tool's output is shown", async () => {
  const exit = { status: 1, output: `${'x'.repeat(5000)}the end\n` }
  const { stderr } = await deployTo('kind-dev', { exit })
  assert.match(stderr, 'xthe end')
  assert.ok(stderr.length < 4000, `${stderr.length}`)
})

test('build secrets are not among the arguments of the tool', async () => {
  const compose = `name: shop\nservices:\n  web:\n    build: {context: web, secrets: [npm]}\nsecrets:\n  npm: {environment: NPM}\n`
  const world = buildWorld({
    files: { ...files, 'compose.yaml': compose },
    env: { ...env, NPM: 'canary-7' },
    builder: { kind: 'Docker' },
    memory: { context: 'kind-dev', namespace: 'demo' },
  })
  const { status, stderr } = await world.run('deploy', '--yes')
  assert.is(status, 0, stderr)
  assert.equal(world.solves()[0]?.secrets, [{ id: 'npm', source: { _tag: 'Value', value: 'canary-7' } }])
  assert.not.match(JSON.stringify(world.commands.map(({ line }) => line)), 'canary')
  assert.not.match(stderr, 'canary')
})

test.run()
