/** The port `Network` in memory: tests define what answers, and connect to what listens. */
import type { Duplex } from 'node:stream'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ConnectionTarget, Network } from '../../src/ports/network.ts'

export type MemoryNetwork = Network & {
  /** Ports of other programs. */
  readonly taken: Set<number>
  /** The other end of a connection to a local port; `undefined` when nothing listens or the connection broke. */
  readonly connect: (port: number) => Promise<Duplex | undefined>
  readonly listening: () => ReadonlyArray<number>
}

const firstFree = 49_152

/** By default nothing answers. */
export const memoryNetwork = (answers: Partial<Pick<Network, 'ask' | 'reach' | 'read'>> = {}): MemoryNetwork => {
  const taken = new Set<number>()
  const listeners = new Map<number, ConnectionTarget>()
  const silent = { _tag: 'Silent', because: 'Broken', text: 'no network in tests' } as const
  const open = new Set<AbortController>()
  let next = firstFree
  return {
    ask: () => () => Promise.resolve(silent),
    reach: () => () => Promise.resolve(silent),
    read: () => TE.left('no network in tests'),
    ...answers,
    listen: (wanted, connect) => {
      const port = wanted === 0 ? next : wanted
      next += wanted === 0 ? 1 : 0
      if (taken.has(port) || listeners.has(port)) return TE.left({ because: 'Taken', text: 'address in use' })
      if (port < 1024) return TE.left({ because: 'Forbidden', text: 'permission denied' })
      listeners.set(port, connect)
      const close = (): Promise<void> => {
        listeners.delete(port)
        for (const one of open) one.abort()
        return Promise.resolve()
      }
      return TE.right({ port, close })
    },
    accept: ({ port }) =>
      port === 0
        ? TE.right({ port: (next += 1), close: () => Promise.resolve() })
        : TE.left({ because: 'Taken', text: `port ${port} is in use` }),
    dial: () => TE.left('no network in tests'),
    taken,
    connect: async (port) => {
      const gone = new AbortController()
      open.add(gone)
      return listeners.get(port)?.(gone.signal)
    },
    listening: () => [...listeners.keys()],
  }
}
