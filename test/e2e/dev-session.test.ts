/** A session with a development container on the real cluster, while its pod and its links come and go. */
import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { systemMachine } from '../../src/adapters/system/machine.ts'
import { type DevSession, openSession } from '../../src/app/dev/session.ts'
import type { Failure } from '../../src/domain/cluster/failure.ts'
import { resources } from '../../src/domain/cluster/resources.ts'
import type { SessionNotice } from '../../src/domain/dev/session.ts'
import type { Cluster } from '../../src/ports/cluster.ts'
import { run } from '../support/dev/agent.ts'
import { realLinks } from '../support/dev/links.ts'
import { changesIn, recording, replay } from '../support/dev/session-log.ts'
import { agentPod, agentPort, apply, type DevWorld, devWorld, rightOf } from '../support/e2e/dev-pod.ts'

const labels = { app: 'dev' }
let world: DevWorld | undefined

const current = (): DevWorld => {
  if (world === undefined) throw new Error('no cluster')
  return world
}

test.before(async () => {
  world = await devWorld('session')
  const template = { metadata: { labels }, spec: agentPod('busybox:1.37') }
  const spec = { replicas: 1, selector: { matchLabels: labels }, strategy: { type: 'Recreate' }, template }
  await apply(world, 'Deployment', { metadata: { name: 'dev' }, spec })
})

const recorded = recording()

test.after(() => world?.end())

const sessions = new Set<DevSession>()

// Those of a test that failed as well.
test.after.each(() => {
  for (const session of sessions) session.end({ _tag: 'Closed', reason: 'done' })
  sessions.clear()
})

const opened = (told: Array<SessionNotice>, pods: Partial<Cluster['pods']> = {}): DevSession => {
  const { keys, namespace, ...rest } = current()
  const cluster = { ...rest.cluster, pods: { ...rest.cluster.pods, ...pods } }
  const target = { cluster, keys, namespace, port: agentPort, pods: 'app=dev', container: 'app', patienceMs: 300_000 }
  const needs = { clock: systemClock, links: realLinks, machine: systemMachine(), step: recorded.step }
  const session = openSession(needs)(target, new AbortController().signal, (notice) => told.push(notice))
  sessions.add(session)
  return session
}

test('a session connects once the container runs, with one link for terminals and one for bulk data', async () => {
  const told: Array<SessionNotice> = []
  const session = opened(told)
  const [terminal, bulk] = await Promise.all([rightOf(session.link('terminal')), rightOf(session.link('bulk'))])
  assert.equal(terminal.pod, bulk.pod)
  assert.is.not(terminal.link, bulk.link)
  assert.is((await run(bulk.link, { command: 'echo here' })).stdout, 'here\n')
  const connections = told.filter(({ _tag }) => _tag === 'Connected')
  assert.equal(connections, [{ _tag: 'Connected', pod: terminal.pod, isReplaced: false }])
  session.end({ _tag: 'Closed', reason: 'done' })
  assert.equal(await session.ended, { _tag: 'Closed', reason: 'done' })
  assert.is((await session.link('terminal')())._tag, 'Left')
})

test('a lost link to the same pod is restored', async () => {
  const told: Array<SessionNotice> = []
  const session = opened(told)
  const first = await rightOf(session.link('terminal'))
  // What has no name is a child of the SSH server.
  await first.link.run({ command: ['/bin/sh', '-c', 'kill -9 $PPID'] })()
  const second = await rightOf(session.link('terminal', first.link))
  assert.equal(second.pod, first.pod)
  assert.equal(changesIn(told), ['Connected', 'Lost', 'Connected'])
})

test('a deleted pod is abandoned at once, and the session connects to the next one', async () => {
  const { cluster, namespace } = current()
  const told: Array<SessionNotice> = []
  const session = opened(told)
  const first = await rightOf(session.link('terminal'))
  await rightOf(
    cluster.remove({ resource: resources.Pod, namespace, name: first.pod.name }, { propagation: 'Background' }),
  )
  const second = await rightOf(session.link('terminal', first.link))
  assert.is.not(second.pod.uid, first.pod.uid)
  assert.is((await run(second.link, { command: 'echo here' })).stdout, 'here\n')
  const last = told.at(-1)
  assert.ok(last?._tag === 'Connected' && last.isReplaced)
  await sleep(500)
  assert.equal(changesIn(told), ['Connected', 'Lost', 'Connected'])
})

const scaled = async (replicas: number): Promise<void> => {
  const { cluster, namespace } = current()
  const at = { resource: resources.Deployment, namespace, name: 'dev' }
  await rightOf(cluster.merge(at, { spec: { replicas } }, { manager: 'test' }))
}

test('a session waits while there is no pod', async () => {
  const told: Array<SessionNotice> = []
  const session = opened(told)
  const { link } = await rightOf(session.link('terminal'))
  await scaled(0)
  await link.closed()
  await sleep(2000)
  await scaled(1)
  const next = await rightOf(session.link('terminal', link))
  assert.is((await run(next.link, { command: 'echo here' })).stdout, 'here\n')
  assert.equal(changesIn(told), ['Connected', 'Lost', 'Connected'])
})

test('links that break one after the other are restored', async () => {
  const session = opened([])
  let { link } = await rightOf(session.link('terminal'))
  let bulk = await rightOf(session.link('bulk'))
  for (let round = 0; round < 5; round += 1) {
    const [terminal, other] = [link, bulk.link]
    terminal.close()
    other.close()
    ;({ link } = await rightOf(session.link('terminal', terminal)))
    bulk = await rightOf(session.link('bulk', other))
  }
  assert.is((await run(link, { command: 'echo here' })).stdout, 'here\n')
})

const forbidden: Failure = {
  _tag: 'Refused',
  asked: { verb: 'forward ports of', what: 'Pod/dev' },
  status: 403,
  reason: 'Forbidden',
  message: 'pods "dev" is forbidden',
  causes: [],
}

test('without permission to forward ports, the agent is reached through exec', async () => {
  const session = opened([], { dial: () => TE.left(forbidden) })
  const { link } = await rightOf(session.link('terminal'))
  assert.equal(await run(link, { command: 'cat; echo err >&2; exit 7' }, 'in'), {
    status: 7,
    stdout: 'in',
    stderr: 'err\n',
  })
  const large = 'x'.repeat(2_000_000)
  assert.is((await run(link, { command: 'cat' }, large)).stdout, large)
})

test('without permission for either, the session ends with the reason', async () => {
  const session = opened([], { dial: () => TE.left(forbidden), exec: () => TE.left(forbidden) })
  assert.equal(await session.ended, { _tag: 'Forbidden', reason: '403 pods "dev" is forbidden' })
})

test('the recorded events lead to the same end when they are replayed', () => {
  const logs = recorded.logs()
  assert.ok(logs.length > 0)
  for (const log of logs) assert.is(replay(log)[0].phase, 'Over')
  const file = process.env['DEVTOOL_E2E_SESSION_LOGS']
  if (file !== undefined) writeFileSync(file, `${JSON.stringify(logs)}\n`)
})

test.run()
