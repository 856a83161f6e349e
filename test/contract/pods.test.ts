/** The pods in memory obey what real ones do; `test/e2e/pod-streams.test.ts` tries the same there. */
import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import { test } from 'uvu'
import { memoryCluster } from '../memory/cluster.ts'
import type { MemoryProcess } from '../memory/pods.ts'
import { execCases, sizesShown } from './exec-suite.ts'
import { dialCases } from './pods-suite.ts'
import { podServer, serverPort } from './pods-world.ts'

const pod = { namespace: 'contract', name: 'server' }
const id = `${pod.namespace}/${pod.name}`
const cluster = memoryCluster({ objects: [{ apiVersion: 'v1', kind: 'Pod', metadata: pod }] })

/** The commands of the contract, as a shell would run them. */
const programs: Readonly<Record<string, (process: MemoryProcess) => Promise<number>>> = {
  'sh -c echo out; echo err >&2': ({ stderr, stdout }) => {
    stdout.write('out\n')
    stderr.write('err\n')
    return Promise.resolve(0)
  },
  'sh -c exit 3': () => Promise.resolve(3),
  'sh -c kill -9 $$': () => Promise.resolve(137),
  'sh -c no-such-program': () => Promise.resolve(127),
  cat: async ({ stdin, stdout }) => {
    await pipeline(stdin, stdout)
    return 0
  },
  'head -c 5': async ({ stdin, stdout }) => {
    const [chunk]: Array<unknown> = await once(stdin, 'data')
    if (chunk instanceof Buffer) stdout.write(chunk.subarray(0, 5))
    return 0
  },
  [`sh -c ${sizesShown}`]: async ({ size, stdin, stdout }) => {
    const show = (): void => void stdout.write(`${size()?.rows} ${size()?.columns}\r\n`)
    show()
    await once(stdin, 'data')
    show()
    return 0
  },
  'head -c 33554432 /dev/zero': async ({ stdout }) => {
    await pipeline(
      Array.from({ length: 512 }, () => Buffer.alloc(65_536)),
      stdout,
      { end: false },
    )
    return 0
  },
  'sleep 100': () => new Promise(() => {}),
  'sh -c echo here; sleep 100': ({ stdout }) => {
    stdout.write('here\n')
    return new Promise(() => {})
  },
}

cluster.serve(id, serverPort, podServer.serve)
cluster.runs(id, async (command, process) => programs[command.join(' ')]?.(process))

const world = () => ({ cluster, pod, cut: () => cluster.cut(id, 'the connection was cut off') })

for (const [title, run] of [...dialCases(world), ...execCases(world)]) test(`memory: ${title}`, run)

test.run()
