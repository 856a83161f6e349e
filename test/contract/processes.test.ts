/** What programs of this machine have to do, tried on those in memory and on real ones. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeProcesses } from '../../src/adapters/process/processes.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import type { Processes, Spawned } from '../../src/ports/processes.ts'
import { type MemoryProgram, memoryProcesses } from '../memory/processes.ts'

const printing: MemoryProgram = ({ stderr, stdout }) => {
  stdout.write('out')
  stderr.write('err')
  return Promise.resolve(3)
}
const sleeping: MemoryProgram = async ({ stdout }) => {
  stdout.write('here\n')
  return new Promise(() => {})
}
const script = 'printf out; printf err >&2; exit 3'
const lasting = 'sleep 50; exit 1'
const family = 'sleep 50 & echo here; wait'

const memory = memoryProcesses(
  new Map<string, MemoryProgram>([
    [`sh -c ${script}`, printing],
    [`sh -c ${family}`, sleeping],
    ['sh -c exit 3', () => Promise.resolve(3)],
    [`sh -c ${lasting}`, () => new Promise(() => {})],
    [
      'cat',
      async ({ stdin, stdout }) => {
        await pipeline(stdin, stdout)
        return 0
      },
    ],
    [
      'head -c 5',
      async ({ stdin, stdout }) => {
        const [chunk]: Array<unknown> = await once(stdin, 'data')
        if (chunk instanceof Buffer) stdout.write(chunk.subarray(0, 5))
        return 0
      },
    ],
  ]),
)

let lent = 0
const lend = () => {
  lent += 1
  return () => {
    lent -= 1
  }
}

const env = new Map([['PATH', process.env['PATH'] ?? '']])
const never = new AbortController().signal

const start = async (processes: Processes, argv: ReadonlyArray<string>, signal = never): Promise<Spawned> => {
  const spawned = await processes.spawn({ argv, folder: tmpdir(), env }, signal)()
  if (E.isLeft(spawned)) throw new Error(spawned.left.message)
  return spawned.right
}

const read = async (stream: Readable): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

for (const [name, processes] of [
  ['memory', memory],
  ['real', nodeProcesses({ clock: systemClock, lend })],
] as const) {
  test(`${name}: a program has separate outputs and an exit status`, async () => {
    const { exit, stderr, stdout } = await start(processes, ['sh', '-c', script])
    const [out, err] = await Promise.all([read(stdout), read(stderr)])
    assert.equal([out.toString(), err.toString(), await exit()], ['out', 'err', 3])
  })

  test(`${name}: 8 MiB of binary data pass through a program to a reader that starts late`, async () => {
    const { exit, stderr, stdin, stdout } = await start(processes, ['cat'])
    stderr.resume()
    const sent = Buffer.alloc(8 * 1024 * 1024, Buffer.from([0, 255, 128, 13, 10, 7, 26]))
    stdin.end(sent)
    await new Promise((resolve) => setTimeout(resolve, 100))
    assert.is(hashOf(await read(stdout)), hashOf(sent))
    assert.is(await exit(), 0)
  })

  test(`${name}: a program that stops reading its input can end`, async () => {
    const { exit, stderr, stdin, stdout } = await start(processes, ['head', '-c', '5'])
    stderr.resume()
    stdin.write(Buffer.alloc(8 * 1024 * 1024, 'x'))
    assert.is((await read(stdout)).toString(), 'xxxxx')
    assert.is(await exit(), 0)
  })

  for (const [which, status] of [
    ['SIGTERM', 143],
    ['SIGKILL', 137],
  ] as const) {
    test(`${name}: ${which} reaches a program and its children`, async () => {
      const { exit, kill, stderr, stdout } = await start(processes, ['sh', '-c', family])
      stderr.resume()
      await once(stdout, 'data')
      kill(which)
      assert.is(await exit(), status)
      // Its outputs end only when nobody holds them any more.
      await read(stdout)
      kill(which)
    })
  }

  test(`${name}: aborting ends a program and its children`, async () => {
    const stop = new AbortController()
    const { exit, stderr, stdout } = await start(processes, ['sh', '-c', family], stop.signal)
    stderr.resume()
    await once(stdout, 'data')
    stop.abort()
    assert.ok([130, 137].includes(await exit()))
    await read(stdout)
  })

  test(`${name}: a program that has our streams gives its exit status`, async () => {
    const program = { argv: ['sh', '-c', 'exit 3'], folder: tmpdir(), env }
    assert.equal(await processes.attach(program, never)(), E.right(3))
    assert.is(lent, 0)
  })

  test(`${name}: aborting ends a program that has our streams, and its children`, async () => {
    const program = { argv: ['sh', '-c', lasting], folder: tmpdir(), env }
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 300)
    const ended = await processes.attach(program, stop.signal)()
    assert.ok([130, 143].includes(E.getOrElse(() => 0)(ended)))
    assert.is(lent, 0)
  })

  test(`${name}: a missing program is named`, async () => {
    const spawned = await processes.spawn({ argv: ['no-such-program'], folder: tmpdir(), env }, never)()
    assert.is(
      E.isLeft(spawned) ? `${spawned.left.code} ${spawned.left.message}` : 'it runs',
      'DT3503 the program no-such-program does not exist',
    )
    const attached = await processes.attach({ argv: ['no-such-program'], folder: tmpdir(), env }, never)()
    assert.is(E.isLeft(attached) ? attached.left.code : 'it runs', 'DT3503')
    assert.is(lent, 0)
  })
}

test.run()
