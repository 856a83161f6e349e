/** Builds of a command in a run on the platform, where nobody is at a terminal and there is no Docker daemon. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { BuildFailure } from '../../../src/domain/build/failure.ts'
import type { Builders } from '../../../src/ports/builder.ts'
import { buildWorld } from '../../support/build/world.ts'

const files = {
  'compose.yaml': 'name: shop\nservices:\n  web:\n    build: .\n',
  Dockerfile: 'FROM scratch\n',
  'variables.json': '{}',
}
const inRun = { DEVTOOL_VARIABLES_FILE: 'variables.json' }
const pod = { BUILDKIT_HOST: 'kube-pod://buildkitd-0?namespace=devtool-builder&port=1234' }
const memory = { namespace: 'demo' }
const deploy = ['deploy', '--yes', '--registry', 'registry.example.com/team']

test('without a build service, a run that has to build says so, and how to get one', async () => {
  const world = buildWorld({ files, env: inRun, memory })
  const { status, stderr } = await world.run(...deploy)
  assert.is(status, 4)
  assert.match(stderr, 'error DT6021: this platform has no build service')
  assert.match(stderr, /help: .*`devtool platform install --builder rootless`.*BUILDKIT_HOST.*in CI/)
  assert.not.match(stderr, /[Dd]ocker/)
  assert.equal([world.connected(), world.writes()], [0, []])
})

test('what the registry has needs no build service', async () => {
  const built = buildWorld({ files, memory })
  assert.is((await built.run(...deploy)).status, 0)
  const digests = new Map((built.solves()[0]?.names ?? []).map((name) => [name, `sha256:${'1'.repeat(64)}`]))
  const world = buildWorld({ files, env: inRun, memory, digests })
  const { status, stderr } = await world.run(...deploy)
  assert.is(status, 0, stderr)
  assert.is(world.connected(), 0)
})

test('without a registry, a run says how the platform or the namespace gets one', async () => {
  for (const words of [['deploy', '--yes'], ['build']]) {
    const { status, stderr } = await buildWorld({ files, env: { ...inRun, ...pod }, memory }).run(...words)
    assert.is(status, 5)
    assert.match(stderr, 'error DT4022')
    assert.match(stderr, 'devtool platform install --registry HOST')
    assert.match(stderr, 'devtool variable set DEVTOOL_REGISTRY HOST')
  }
})

const gone: BuildFailure = { _tag: 'Unreachable', address: 'kube-pod://buildkitd-0', cause: 'it is not running' }

/** The first connections fail. */
const failing = (times: number) => {
  let connections = 0
  const wrap = (builders: Builders): Builders => ({
    connect: (choice, signal) => async () => {
      connections += 1
      return connections > times ? builders.connect(choice, signal)() : { _tag: 'Left', left: gone }
    },
  })
  return { wrap, connections: () => connections }
}

test('a run waits for a builder in a pod that is being replaced, and not for long', async () => {
  const replaced = failing(1)
  const env = { ...inRun, ...pod }
  const back = await buildWorld({ files, env, memory, wrap: replaced.wrap }).run(...deploy)
  assert.is(back.status, 0, back.stderr)
  assert.match(back.stderr, 'waiting for the builder in pod buildkitd-0: it is not running')
  const removed = failing(1000)
  const lost = await buildWorld({ files, env, memory, wrap: removed.wrap }).run(...deploy)
  assert.is(lost.status, 8)
  assert.match(lost.stderr, 'error DT4001')
  assert.ok(removed.connections() > 10)
})

test('others are told at once', async () => {
  for (const env of [pod, { ...inRun, BUILDKIT_HOST: 'tcp://builder:1234' }]) {
    const never = failing(1000)
    assert.is((await buildWorld({ files, env, memory, wrap: never.wrap }).run(...deploy)).status, 8)
    assert.is(never.connections(), 1)
  }
})

test.run()
