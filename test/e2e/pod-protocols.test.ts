/** Connections to pods and commands in them by the older protocols, which the real API server still speaks. */
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readContexts } from '../../src/adapters/kube/in-cluster.ts'
import { openUpstream } from '../../src/adapters/kube/open.ts'
import { podsOf } from '../../src/adapters/kube/pods/pods.ts'
import { nodeWriter } from '../../src/adapters/node-fs/writer.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import type { Pods } from '../../src/ports/pods.ts'
import { dialCases } from '../contract/pods-suite.ts'
import { asking, type PodsWorld, within } from '../contract/pods-world.ts'
import { memoryHome } from '../memory/home.ts'
import { startPod } from '../support/e2e/pod.ts'
import { connectReal, withNamespace } from '../support/e2e/real-cluster.ts'

const [home, cwd] = [homedir(), process.cwd()]
const options = { env: process.env, home, cwd, clock: systemClock, random: Math.random }

/** Offers the last protocol alone, which is the oldest. */
const olderPods = async (): Promise<Pods> => {
  const merged = await readContexts(options, undefined)()
  if (E.isLeft(merged)) throw new Error(merged.left.message)
  const world = { ...options, writer: nodeWriter(cwd), store: memoryHome(), isTerminal: false, say: () => {} }
  const opened = await openUpstream(world, merged.right, merged.right.current ?? '')()
  if (E.isLeft(opened)) throw new Error(opened.left.message)
  const { upstream } = opened.right
  const link: typeof upstream.link = (request) => upstream.link({ ...request, protocols: request.protocols.slice(-1) })
  return podsOf({ upstream: { ...upstream, link }, clock: systemClock })
}

let opened: (PodsWorld & { readonly end: () => Promise<void> }) | undefined

test.before(async () => {
  const cluster = await connectReal()
  const { end, name: namespace } = await withNamespace(cluster, 'protocols')
  const server = readFileSync(new URL('../support/e2e/pod-server.cjs', import.meta.url), 'utf8')
  const pod = { namespace, name: 'server' }
  await startPod(cluster, pod, { image: 'node:22', command: ['node', '-e', `${server}\nlisten()`], port: 7000 })
  const endAll = async (): Promise<void> => {
    await end()
    cluster.close()
  }
  opened = { cluster: { ...cluster, pods: await olderPods() }, pod, cut: () => {}, end: endAll }
})

test.after(async () => {
  await opened?.end()
})

const world = (): PodsWorld => {
  if (opened === undefined) throw new Error('no cluster')
  return opened
}

for (const [title, run] of dialCases(world)) {
  if (!title.includes('cut')) test(`in channels: ${title}`, run)
}

const { exec, run } = asking(world)

test('v4: a command has its exit status, output and errors', async () => {
  assert.equal(await run('sh', '-c', 'echo out; echo err >&2; exit 3'), { out: 'out\n', err: 'err\n', exit: 3 })
  assert.is((await run('sh', '-c', 'kill -9 $$')).exit, 137)
})

test('v4: the input of a command arrives, and that it cannot be closed is reported', async () => {
  const { exit, stderr, stdin, stdout } = await exec({
    command: ['sh', '-c', 'read a; echo "$a"; cat'],
    hasStdin: true,
  })
  stderr.resume()
  stdin.write('hello\n')
  const [chunk]: ReadonlyArray<unknown> = await new Promise((resolve) => {
    stdout.once('data', (bytes: Buffer) => resolve([bytes.toString()]))
  })
  assert.is(chunk, 'hello\n')
  stdin.end()
  const ended = await within('exit', exit())
  assert.is(E.isLeft(ended) && ended.left._tag === 'Refused' ? ended.left.reason : '', 'NoHalfClose')
})

test.run()
