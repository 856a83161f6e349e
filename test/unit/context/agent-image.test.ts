/** The image that the agent is installed from: a flag, a variable, the context, or the official one. */
import { readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { listAt, parsedJson, textAt } from '../../../src/domain/cluster/json.ts'
import { installerName, isContainerNamed } from '../../../src/domain/dev/agent-pod.ts'
import { buildWorld } from '../../support/build/world.ts'

const { objects } = JSON.parse(
  readFileSync('test/golden/codes/DT5058/cluster.json', 'utf8').replaceAll(
    '"namespace": "default"',
    '"namespace": "demo"',
  ),
)
const [deployment] = objects

/** The image in the mirror that `up` makes, and whose agent never answers. */
const usedBy = async (words: ReadonlyArray<string>, env: Readonly<Record<string, string>>, isStored = true) => {
  const files = { 'devtool.yml': 'dev:\n  api: {command: bash}\n' }
  const world = buildWorld({
    files,
    env,
    memory: { namespace: 'demo', home: new Map(), cluster: { objects: [deployment] } },
  })
  const setting = isStored ? ['--agent-image', 'r.test/context:22'] : []
  const stored = await world.run('context', 'use', 'test', ...setting)
  assert.is(stored.status, 0, stored.stderr)
  await world.run('up', 'api', '--yes', '--timeout', '1ms', ...words)
  const lives = listAt(parsedJson(JSON.stringify(await world.objects('Deployment', 'demo'))))
  const mirror = lives.find((one) => textAt(one, 'metadata', 'name')?.startsWith('devtool-up-'))
  const installer = listAt(mirror, 'spec', 'template', 'spec', 'containers').find(isContainerNamed(installerName))
  return textAt(installer, 'image') ?? 'none'
}

test('a flag comes before a variable, and both before the context', async () => {
  const env = { DEVTOOL_AGENT_IMAGE: 'r.test/variable:22' }
  assert.is(await usedBy(['--agent-image', 'r.test/flag:22'], env), 'r.test/flag:22')
  assert.is(await usedBy([], env), 'r.test/variable:22')
  assert.is(await usedBy([], {}), 'r.test/context:22')
})

test('without any of them it is the official image with exactly one tag, so that what was tested is what runs', async () => {
  assert.is(await usedBy([], {}, false), 'node:22.23.3-bookworm-slim')
})

test.run()
