/** `forward` through the real API server: private ports, several at once, half-closed, and when pods are replaced. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isPodReady } from '../../src/domain/rollout/pod.ts'
import { compose, page } from '../support/e2e/apps.ts'
import type { Space } from '../support/e2e/e2e.ts'
import { type Scenario, scenarios } from '../support/e2e/scenarios.ts'
import { until } from '../support/process/until.ts'

/** Sends `request`, ends its side, and reads to the end. */
const ask = async (port: number, request: string): Promise<string> => {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
  socket.end(request)
  return text(socket)
}

const get = (port: number): Promise<string> => ask(port, 'GET / HTTP/1.0\r\n\r\n')

const portsIn = (json: string): ReadonlyArray<number> => {
  const { forwards }: { forwards: ReadonlyArray<{ address: string }> } = JSON.parse(json)
  return forwards.map(({ address }) => Number(address.split(':')[1]))
}

/** Many times what it takes: a forward that does not heal never answers again. */
const healedMs = 100_000

/** How long nobody answers, from the last answer of this pod to the first of another one. */
const silence = async (port: number, pod: string): Promise<string> => {
  let last = performance.now()
  await until('another pod answers', async () => {
    const answer = await get(port).catch(() => '')
    const isOld = answer.endsWith(` from ${pod}\n`)
    if (isOld) last = performance.now()
    return !isOld && / from \S+\n$/.test(answer)
  })
  const ms = performance.now() - last
  assert.ok(ms < healedMs, `nobody answered for ${ms} ms`)
  return `${ms.toFixed(0)} ms`
}

const opened = async (space: Space, ...args: ReadonlyArray<string>) => {
  const running = space.start('forward', '--name', 'shop', '-o', 'json', ...args)
  let printed = ''
  running.child.stdout?.on('data', (part: string) => {
    printed += part
  })
  await running.says('\n}\n')
  return { running, ports: portsIn(printed) }
}

const forwarded = async (space: Space): Promise<void> => {
  const files = (word: string) => compose({ web: page(`${word} from $$HOSTNAME`, 'ports: [8080]') })
  const podNow = async () => (await space.list('Pod')).find(isPodReady)?.metadata.name ?? ''
  space.write('compose.yaml', files('one'))
  await space.must('deploy', '--name', 'shop', '--wait')
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const address = taken.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const refused = await space.run('forward', '--name', 'shop', 'web', `${port}:8080`)
  taken.close()
  assert.equal([refused.status, refused.stdout], [7, ''], refused.stderr)
  const { ports, running } = await opened(space, 'web', ':8080', ':8080')
  const answers = await Promise.all([...ports, ...ports, ...ports].map(get))
  const first = await podNow()
  for (const answer of answers) assert.ok(answer.endsWith(`\none from ${first}\n`), answer)
  space.write('compose.yaml', files('two'))
  const [replaced] = await Promise.all([
    silence(ports[0] ?? 0, first),
    space.must('deploy', '--name', 'shop', '--wait'),
  ])
  const second = await podNow()
  await space.remove('Pod', second)
  const deleted = await silence(ports[0] ?? 0, second)
  process.stdout.write(`  nobody answers for ${replaced} in a rollout, and for ${deleted} when the pod is deleted\n`)
  running.child.kill('SIGINT')
  const { status } = await running.ended
  assert.is(status, 130)
}

const list: ReadonlyArray<Scenario> = [
  {
    title: 'forward: connections reach the pod, and the new one in a rollout and when the pod is deleted',
    space: 'forward',
    run: forwarded,
  },
]

const test = suite('forward')

await scenarios(test, list)

test.run()
