/** Secrets, interruptions, and builders that are lost: nothing is told that must not be, nothing stays open. */
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { BuildEvent } from '../../../src/domain/build/event.ts'
import type { BuildFailure } from '../../../src/domain/build/failure.ts'
import type { Builders } from '../../../src/ports/builder.ts'
import { type BuildWorld, buildWorld, scripted } from '../../support/build/world.ts'

const name = 'registry.example.com/team/web:1.0'
const compose = `services:\n  web:\n    image: ${name}\n    build:\n      context: web\n`
const files = { 'compose.yaml': compose, 'web/Dockerfile': 'FROM scratch\nRUN make\n' }
const host = { BUILDKIT_HOST: 'tcp://b:1234' }

/** Calls back when the builder has been asked for an image. */
const whenBuilding =
  (act: () => void) =>
  (builders: Builders): Builders => ({
    connect: (choice, signal) => async () => {
      const builder = await builders.connect(choice, signal)()
      if (E.isLeft(builder)) return builder
      const { build } = builder.right
      const watched: typeof build = (solve, tell, cancel) => () => {
        const built = build(solve, tell, cancel)()
        act()
        return built
      }
      return E.right({ ...builder.right, build: watched })
    },
  })

const interruptedWorld = (more: Partial<Parameters<typeof buildWorld>[0]> = {}): BuildWorld => {
  const images = scripted({ [name]: { endless: true } })
  let world: BuildWorld | undefined
  const wrap = whenBuilding(() => world?.interrupt())
  world = buildWorld({ files, builder: { images }, wrap, ...more })
  return world
}

test('an interruption while an image is built ends with status 130, one finding, and the builder closed', async () => {
  const world = interruptedWorld()
  const { status, stderr, stdout } = await world.run('build')
  assert.equal([status, stdout, world.solves().length, world.open()], [130, '', 1, 0])
  assert.match(stderr, 'error DT4016: the build was interrupted')
  assert.is(stderr.split('error ').length, 2, stderr)
})

test('after an interruption, waiting images are not built', async () => {
  const second = `  last:\n    image: registry.example.com/team/last:1.0\n    build:\n      context: web\n      additional_contexts: {base: "service:web"}\n`
  const world = interruptedWorld({ files: { ...files, 'compose.yaml': compose + second } })
  const { status } = await world.run('build')
  assert.equal([status, world.solves().length, world.open()], [130, 1, 0])
})

test('an interrupted deploy has changed nothing in the cluster', async () => {
  const world = interruptedWorld({ memory: { namespace: 'demo' } })
  const { status, stderr } = await world.run('deploy', '--yes')
  assert.equal([status, world.writes(), world.open()], [130, [], 0], stderr)
})

test('an interruption before the first build leaves no connection open', async () => {
  const world = buildWorld({ files })
  world.interrupt()
  const { status } = await world.run('build')
  assert.equal([status, world.solves().length, world.open()], [130, 0, 0])
})

const failures: ReadonlyArray<readonly [code: string, status: number, failure: BuildFailure]> = [
  ['DT4003', 8, { _tag: 'Lost', address: 'tcp://b:1234', cause: 'the connection was closed' }],
  ['DT4002', 8, { _tag: 'Silent', address: 'tcp://b:1234', afterMs: 30_000, isAtStart: false }],
  ['DT4004', 1, { _tag: 'Failed', message: 'no', code: 2, sources: [] }],
  ['DT4010', 3, { _tag: 'Unusable', what: 'web/key', cause: 'permission denied' }],
  ['DT4012', 4, { _tag: 'NotPushed', name, message: 'denied' }],
]

for (const [code, status, failure] of failures) {
  test(`${code}: status ${status}, nothing on stdout, the builder closed`, async () => {
    const world = buildWorld({ files, env: host, builder: { images: scripted({ [name]: { failure } }) } })
    const ran = await world.run('build', '--output', 'json')
    assert.equal([ran.status, ran.stdout, world.open()], [status, '', 0])
    assert.match(ran.stderr, code)
  })
}

test('the reason of a failed build comes before advice on the Dockerfile', async () => {
  const events: ReadonlyArray<BuildEvent> = [
    { _tag: 'Lint', text: 'JSONArgsRecommended: use JSON', details: [], url: '' },
  ]
  const failure: BuildFailure = { _tag: 'Failed', message: 'it did not work', code: 2, sources: [] }
  const world = buildWorld({ files, env: host, builder: { images: scripted({ [name]: { events, failure } }) } })
  const { stderr } = await world.run('build', '--progress', 'plain')
  const told = [...stderr.matchAll(/DT4004|DT4040/g)].map(([code]) => code)
  assert.equal(told, ['DT4004', 'DT4040'])
})

/** What a step may print of a secret: alone, in a line, in pieces, in a failure. */
const leaks = (secret: string) =>
  scripted({
    [name]: {
      events: [
        { _tag: 'Vertex', digest: 'v1', name: '[1/1] RUN make', isCached: false, startedMs: 1000 },
        { _tag: 'Log', vertex: 'v1', isError: false, text: `token ${secret} of npm\n` },
        { _tag: 'Log', vertex: 'v1', isError: true, text: `half ${secret.slice(0, 5)}` },
        { _tag: 'Log', vertex: 'v1', isError: true, text: `${secret.slice(5)} of it\n` },
        { _tag: 'Log', vertex: 'v1', isError: true, text: `at the end ${secret}` },
        {
          _tag: 'Vertex',
          ...{ digest: 'v1', name: '[1/1] RUN make', isCached: false, startedMs: 1000, endedMs: 3000 },
          error: 'process "/bin/sh -c make" did not complete successfully: exit code: 2',
        },
      ],
      failure: {
        ...{ _tag: 'Failed', code: 2, exitCode: 2, vertex: 'v1', sources: [] },
        message: 'process "/bin/sh -c make" did not complete successfully: exit code: 2',
      },
    },
  })

const withSecret = (source: string): string => `${compose}      secrets: [npm]\nsecrets:\n  npm: {${source}}\n`
const canary = 'canary-0123456789'

const sources: ReadonlyArray<readonly [string, Readonly<Record<string, string>>, ReadonlyArray<string>]> = [
  ['a variable that the file names', { 'compose.yaml': withSecret('environment: NPM') }, []],
  ['a file that the file names', { 'compose.yaml': withSecret('file: ./npm.token') }, []],
  ['a variable of --secret', {}, ['--secret', 'id=npm,env=NPM']],
  ['a file of --secret', {}, ['--secret', 'id=npm,src=npm.token']],
]

for (const [what, more, argv] of sources) {
  for (const progress of ['plain', 'json']) {
    test(`${what} is not in the output with --progress ${progress}`, async () => {
      const world = buildWorld({
        files: { ...files, 'npm.token': canary, '/home/me/shop/npm.token': canary, ...more },
        env: { NPM: canary },
        builder: { images: leaks(canary) },
      })
      const { status, stderr, stdout } = await world.run('build', '--progress', progress, ...argv)
      assert.is(status, 1)
      assert.is(world.solves()[0]?.secrets[0]?.id, 'npm')
      assert.match(stderr, 'of npm')
      assert.match(stderr, 'at the end')
      assert.not.match(stderr + stdout, canary)
      assert.not.match(stderr + stdout, /canar/)
    })
  }
}

test('an unset secret is reported before connecting', async () => {
  const world = buildWorld({ files })
  const { status, stderr } = await world.run('build', '--secret', 'id=npm,env=NPM')
  assert.equal([status, world.connected()], [3, 0])
  assert.match(stderr, 'error DT4015: the variable NPM of the secret "npm" is not set')
})

test('a missing secret file is reported before connecting', async () => {
  const world = buildWorld({ files: { ...files, 'compose.yaml': withSecret('file: ./npm.token') } })
  const { status, stderr } = await world.run('build')
  assert.equal([status, world.connected()], [3, 0])
  assert.match(stderr, 'DT4015')
  assert.match(stderr, 'npm.token')
})

test('after a restart of the builder between two builds, devtool reconnects once', async () => {
  const lost: BuildFailure = { _tag: 'Lost', address: 'tcp://b:1234', cause: 'the connection was reset' }
  const second = `  last:\n    image: registry.example.com/team/last:1.0\n    build:\n      context: web\n      additional_contexts: {base: "service:web"}\n`
  for (const [restarts, status, connected] of [
    [1, 0, 2],
    [2, 8, 2],
  ] as const) {
    let left = restarts
    const wrap = (builders: Builders): Builders => ({
      connect: (choice, signal) => async () => {
        const builder = await builders.connect(choice, signal)()
        if (E.isLeft(builder)) return builder
        const build: typeof builder.right.build = (solve, tell, stop) => async () => {
          const isLost = solve.names.some((one) => one.includes('last')) && left > 0
          if (isLost) left -= 1
          return isLost ? E.left(lost) : builder.right.build(solve, tell, stop)()
        }
        return E.right({ ...builder.right, build })
      },
    })
    const world = buildWorld({ files: { ...files, 'compose.yaml': compose + second }, wrap, env: host })
    const ended = await world.run('build')
    assert.equal([ended.status, world.connected(), world.open()], [status, connected, 0], ended.stderr)
  }
})

test('a build that was lost after it had begun is not restarted', async () => {
  const lost: BuildFailure = { _tag: 'Lost', address: 'tcp://b:1234', cause: 'the connection was reset' }
  const second = 'registry.example.com/team/last:1.0'
  const services = `${compose}  last:\n    image: ${second}\n    build:\n      context: web\n      additional_contexts: {base: "service:web"}\n`
  const events = [{ _tag: 'Sent', served: 'context', files: 1, bytes: 1 }] as const
  const builder = { images: scripted({ [second]: { events, failure: lost } }) }
  const world = buildWorld({ files: { ...files, 'compose.yaml': services }, builder, env: host })
  const { status, stderr } = await world.run('build')
  assert.equal([status, world.solves().length, world.connected(), world.open()], [8, 2, 1, 0], stderr)
})

test('with confinement, secrets outside of the project folder are refused', async () => {
  const world = buildWorld({
    files,
    env: { ...host, DEVTOOL_CONFINED: 'true' },
  })
  const { status, stderr } = await world.run('build', '--secret', 'id=key,src=/etc/passwd')
  assert.is(status, 3, stderr)
  assert.match(stderr, /DT1008: .*\/etc\/passwd is outside the project folder/)
  assert.is(world.connected(), 0)
})

test.run()
