/** The real cluster through a local relay, whose connections can be cut. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import type { Cluster } from '../../../src/ports/cluster.ts'
import { connectReal } from './real-cluster.ts'

type Cuttable = {
  readonly cluster: Cluster
  /** A kubeconfig that leads to the relay. */
  readonly kubeconfig: string
  readonly cut: () => void
  /** Stops all traffic without closing connections. */
  readonly silence: (isSilent: boolean) => void
  readonly close: () => Promise<void>
}

/** Everything arrives in order, this much later. */
const late = (ms: number): Transform =>
  new Transform({
    transform(chunk, _encoding, done) {
      setTimeout(() => this.push(chunk), ms)
      done()
    },
    flush: (done) => void setTimeout(done, ms),
  })

const relayTo = (server: URL, delayMs: number) => {
  const open = new Set<Socket>()
  let isSilent = false
  const relay = createServer((near) => {
    const far = connect(Number(server.port || 443), server.hostname)
    for (const socket of [near, far]) {
      open.add(socket.setNoDelay())
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    if (delayMs > 0) near.pipe(late(delayMs)).pipe(far).pipe(late(delayMs)).pipe(near)
    else near.pipe(far).pipe(near)
    if (isSilent) for (const socket of [near, far]) socket.pause()
  })
  const cut = (): void => {
    for (const socket of open) socket.resetAndDestroy()
  }
  const silence = (is: boolean): void => {
    isSilent = is
    for (const socket of open) {
      if (is) socket.pause()
      else socket.resume()
    }
  }
  return { relay, cut, silence }
}

/** `host`: the address of this machine that the relay listens on. `delayMs`: how long each byte takes, in each direction. */
export const cuttableCluster = async (host = '127.0.0.1', delayMs = 0): Promise<Cuttable> => {
  const direct = await connectReal()
  const server = new URL(direct.server)
  direct.close()
  const { cut, relay, silence } = relayTo(server, delayMs)
  const port = await new Promise<number>((resolve) => {
    relay.listen(0, host, () => {
      const address = relay.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
  const folder = mkdtempSync(join(tmpdir(), 'devtool-relay-'))
  const file = join(folder, 'config')
  const text = readFileSync(process.env['KUBECONFIG'] ?? '', 'utf8')
  const relayed = `https://${host}:${port}, tls-server-name: ${server.hostname}`
  writeFileSync(file, text.replace(server.href.replace(/\/$/, ''), relayed))
  const cluster = await connectReal(file)
  const close = async (): Promise<void> => {
    cluster.close()
    cut()
    await new Promise((resolve) => relay.close(resolve))
    rmSync(folder, { recursive: true })
  }
  return { cluster, kubeconfig: file, cut, silence, close }
}
