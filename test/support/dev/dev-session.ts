/** A session with the built agent, which runs on this machine behind the port of a pod in a cluster in memory. */
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { systemMachine } from '../../../src/adapters/system/machine.ts'
import { type DevSession, openSession } from '../../../src/app/dev/session.ts'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import type { SessionNotice } from '../../../src/domain/dev/session.ts'
import { type MemoryCluster, memoryCluster } from '../../memory/cluster.ts'
import type { Started } from './agent.ts'
import { realLinks } from './links.ts'

const podOf = (name: string): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, uid: name, namespace: 'default', labels: { app: 'dev' } },
  spec: { containers: [{ name: 'app' }] },
  status: {
    phase: 'Running',
    containerStatuses: [{ name: 'app', state: { running: { startedAt: '2026-11-21T10:00:00Z' } } }],
  },
})

/**
 * `cut` resets the connections, `silence` stops all traffic, `isReachable` decides about new connections. `replace`
 * deletes the pod and starts the next one, with the same agent.
 */
export type SessionWorld = {
  readonly session: DevSession
  readonly cluster: MemoryCluster
  readonly told: ReadonlyArray<SessionNotice>
  readonly cut: () => void
  readonly silence: (isSilent: boolean) => void
  readonly reachable: (isReachable: boolean) => void
  readonly replace: () => void
}

export const sessionWith = ({ keys, port }: Started): SessionWorld => {
  const cluster = memoryCluster({ objects: [podOf('dev-1')] })
  const sockets = new Set<Socket>()
  let isReachable = true
  let isSilent = false
  const serve = (stream: Duplex): void => {
    stream.on('error', () => {})
    if (!isReachable) return void stream.end()
    const socket = connect({ host: '127.0.0.1', port, noDelay: true })
    sockets.add(socket)
    socket.on('error', () => stream.destroy())
    stream.on('close', () => socket.destroy())
    stream.on('data', (chunk: Buffer) => isSilent || socket.write(chunk))
    socket.on('data', (chunk: Buffer) => isSilent || stream.write(chunk))
    stream.on('end', () => socket.end())
    socket.on('end', () => stream.end())
    socket.on('close', () => sockets.delete(socket))
  }
  for (const name of ['dev-1', 'dev-2']) cluster.serve(`default/${name}`, port, serve)
  const told: Array<SessionNotice> = []
  const target = { cluster, keys, namespace: 'default', port, pods: 'app=dev', container: 'app', patienceMs: 60_000 }
  const session = openSession({ clock: systemClock, links: realLinks, machine: systemMachine() })(
    target,
    new AbortController().signal,
    (notice) => told.push(notice),
  )
  return {
    session,
    cluster,
    told,
    cut: () => cluster.cut('default/dev-1', 'connection reset'),
    silence: (is) => {
      isSilent = is
    },
    reachable: (is) => {
      isReachable = is
    },
    replace: () => {
      cluster.take('Pod', 'dev-1')
      cluster.cut('default/dev-1', 'connection reset')
      cluster.put(podOf('dev-2'))
    },
  }
}
