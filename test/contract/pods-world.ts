/** What the contract of pods is tried with: a server that does as it is told, and ways to read and write. */
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import type { Duplex } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import type { Cluster } from '../../src/ports/cluster.ts'
import type { ByteStream, ExecOptions, Execution, PodName } from '../../src/ports/pods.ts'
import { done } from './cluster-world.ts'

type PodServer = { readonly block: Buffer; readonly serve: (stream: Duplex) => void }

export const podServer: PodServer = createRequire(import.meta.url)('../support/e2e/pod-server.cjs')
export const serverPort = 7000

/** `pod` runs the server on its port. `cut` breaks every connection that there is. */
export type PodsWorld = { readonly cluster: Cluster; readonly pod: PodName; readonly cut: () => void }

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** As the server makes them. */
export const bytesOf = (size: number): Buffer => Buffer.alloc(size, podServer.block)

/** What a connection begins with: `e` echo, `g` get, `p` put, `s` sit still. */
export const command = (letter: 'e' | 'g' | 'p' | 's', size = 0): Buffer => {
  const head = Buffer.alloc(9, letter, 'latin1')
  head.writeBigUInt64BE(BigInt(size), 1)
  return head
}

export const read = async (stream: AsyncIterable<Uint8Array>, size = Number.POSITIVE_INFINITY): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  let length = 0
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk)
    chunks.push(bytes)
    length += bytes.length
    if (length >= size) break
  }
  return Buffer.concat(chunks)
}

/** Longer than a busy cluster takes. */
const patienceMs = 120_000

export const within = async <A>(what: string, waited: Promise<A>): Promise<A> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: not within ${patienceMs} ms`)), patienceMs)
  })
  return Promise.race([waited, late]).finally(() => clearTimeout(timer))
}

export const asking = (world: () => PodsWorld) => {
  const never = new AbortController().signal
  return {
    dial: (port = serverPort, signal = never): Promise<ByteStream> =>
      done(world().cluster.pods.dial(world().pod, port, signal)),
    exec: (options: ExecOptions, signal = never): Promise<Execution> =>
      done(world().cluster.pods.exec(world().pod, options, signal)),
    /** Its output and its exit status. */
    run: async (...argv: ReadonlyArray<string>) => {
      const execution = await done(world().cluster.pods.exec(world().pod, { command: argv }, never))
      const [out, err] = await Promise.all([read(execution.stdout), read(execution.stderr)])
      const exit = await within('exit', execution.exit())
      return { out: out.toString(), err: err.toString(), exit: E.isRight(exit) ? exit.right : exit.left._tag }
    },
  }
}
