/** The agent as it is built, run as a command whose input and output are the connection. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline, type Readable, Transform, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { newPair } from '../../src/adapters/ssh/keys.ts'
import type { Link } from '../../src/ports/link.ts'
import {
  type AgentWorld,
  connectMs,
  rightOf,
  run,
  type Started,
  untilText,
  withStartedAgent,
} from '../support/dev/agent.ts'
import { realLinks } from '../support/dev/links.ts'
import { isAlive } from '../support/process/alive.ts'
import { until } from '../support/process/until.ts'

const test = suite<AgentWorld>('the agent as a command')
withStartedAgent(test)

type Agent = { readonly process: ChildProcessByStdio<Writable, Readable, null>; readonly ended: Promise<unknown> }

const startAgent = ({ folder }: Started, more: Readonly<Record<string, string>> = {}): Agent => {
  const child = spawn(join(folder, 'sh'), [join(folder, 'pid1.sh'), '--stdio'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], DEVTOOL_AGENT_FOLDER: folder, DEVTOOL_AGENT_KEYS: join(folder, 'keys'), ...more },
  })
  child.stdin.on('error', () => {})
  return { process: child, ended: new Promise((resolve) => child.once('close', resolve)) }
}

/** Bytes arrive in other pieces than they were sent, and late. `sizes`: of the pieces, in turn. */
const inPieces = (sizes: ReadonlyArray<number>): Transform => {
  let turn = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const give = async (): Promise<void> => {
        for (let at = 0; at < chunk.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1
          this.push(chunk.subarray(at, at + size))
          at += size
          if (turn % 3 === 0) await sleep(turn % 5)
        }
        done()
      }
      void give()
    },
  })
}

/** Its end is not passed on. */
const passingOn = ({ process: { stdin } }: Agent, see: (chunk: Buffer) => void = () => {}): Writable =>
  new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      see(chunk)
      stdin.write(chunk)
      done()
    },
  })

const linkedTo = ({ process: { stdin, stdout } }: Agent, { keys }: Started): Promise<Link> =>
  rightOf(realLinks.connect({ stdin, stdout }, keys, connectMs))

test('programs run whatever pieces the bytes arrive in, and the agent ends with its link', async ({ started }) => {
  const sizes = fc.array(fc.integer({ min: 200, max: 70_000 }), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(sizes, sizes, async (there, back) => {
      const agent = startAgent(started)
      const [stdin, stdout] = [inPieces(there), inPieces(back)]
      pipeline(stdin, agent.process.stdin, () => {})
      pipeline(agent.process.stdout, stdout, () => {})
      const link = await rightOf(realLinks.connect({ stdin, stdout }, started.keys, connectMs))
      const input = 'x'.repeat(300_000)
      assert.equal(await run(link, { command: 'cat; echo err >&2; exit 7' }, input), {
        status: 7,
        stdout: input,
        stderr: 'err\n',
      })
      link.close()
      await agent.ended
    }),
    { numRuns: 5 },
  )
})

test('an agent ends when its input does, however little of a client it has seen', async ({ started }) => {
  const recorded: Array<Buffer> = []
  const first = startAgent(started)
  const stdin = passingOn(first, (chunk) => recorded.push(chunk))
  const link = await rightOf(realLinks.connect({ stdin, stdout: first.process.stdout }, started.keys, connectMs))
  link.close()
  await first.ended
  const whole = Buffer.concat(recorded)
  for (const share of [0, 0.02, 0.5, 1]) {
    const agent = startAgent(started)
    agent.process.stdout.resume()
    agent.process.stdin.end(whole.subarray(0, Math.floor(whole.length * share)))
    await agent.ended
  }
})

test('an agent ends with its link even if its input stays open', async ({ started }) => {
  const agent = startAgent(started)
  const { stdout } = agent.process
  const link = await rightOf(realLinks.connect({ stdin: passingOn(agent), stdout }, started.keys, connectMs))
  link.close()
  await agent.ended
})

test('a client with another key is refused', async ({ started }) => {
  const agent = startAgent(started)
  const { stdin, stdout } = agent.process
  const keys = { ...started.keys, client: newPair().private }
  const refused = await realLinks.connect({ stdin, stdout }, keys, connectMs)()
  assert.is(refused._tag, 'Left')
  await agent.ended
})

test('a program without a terminal is told that its client has left', async ({ started }) => {
  const agent = startAgent(started)
  const link = await linkedTo(agent, started)
  const command = ['/bin/sh', '-c', 'echo $$; exec sleep 1000']
  const program = await rightOf(link.run({ command }))
  const pid = Number(await untilText(program.stdout, '\n'))
  assert.ok(isAlive(pid))
  agent.process.stdin.destroy()
  await agent.ended
  await until('the program has ended', () => !isAlive(pid))
})

test('the agent starts when the files of the image are in their volumes', async ({ started }) => {
  const agent = startAgent(started, { DEVTOOL_AGENT_FILLS: 'yes' })
  let said = ''
  agent.process.stdout.on('data', (chunk: Buffer) => (said += chunk.toString('latin1')))
  await sleep(1500)
  assert.is(said, '')
  const filled = join(started.folder, 'filled')
  writeFileSync(filled, '')
  await until('the agent speaks', () => said.startsWith('SSH-2.0'))
  rmSync(filled)
  agent.process.stdin.end()
  await agent.ended
})

test.run()
