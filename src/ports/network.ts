/** Addresses outside of the cluster's API: whether they respond, and ports of this machine. */
import type { Duplex } from 'node:stream'
import type { Task } from 'fp-ts/lib/Task.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { EndpointAnswer, ListenFailure, Reached } from '../domain/network/answer.ts'

/** `close` ends its connections, too. */
export type Listener = { readonly port: number; readonly close: () => Promise<void> }

/** The target of a connection; `undefined` resets it. The signal is aborted when the connection is closed. */
export type ConnectionTarget = (signal: AbortSignal) => Promise<Duplex | undefined>

/** An accepted connection. Both directions end separately; `refuse` resets it. */
export type Accepted = { readonly bytes: Duplex; readonly refuse: () => void }

export type Network = {
  /**
   * A GET without following redirects; any response counts. Never fails: the answer says why there is no response.
   * `isLenient`: accepts any certificate.
   */
  readonly ask: (url: string, timeoutMs: number, isLenient?: boolean) => Task<EndpointAnswer>
  /** A GET that follows up to five redirects, but none from https to http. Left: why there is no text, in words. */
  readonly read: (url: string, timeoutMs: number) => TaskEither<string, string>
  /** Whether a TCP connection can be made. */
  readonly reach: (host: string, port: number, timeoutMs: number) => Task<Reached>
  /**
   * Accepts TCP connections on 127.0.0.1; port 0 is any free one. Each side learns when the other sends no more. A
   * connection whose other half stays silent for a minute after that is closed. `onRefusal` is called whenever a
   * connection cannot be accepted, as when too many files are open.
   */
  readonly listen: (
    port: number,
    connect: ConnectionTarget,
    onRefusal: (cause: string) => void,
  ) => TaskEither<ListenFailure, Listener>
  /** As `listen`, on any address of this machine, and the caller handles the connections. */
  readonly accept: (
    address: { readonly host: string; readonly port: number },
    take: (accepted: Accepted) => void,
    onRefusal: (cause: string) => void,
  ) => TaskEither<ListenFailure, Listener>
  /** A TCP connection. Both directions end separately. Left: why there is none. */
  readonly dial: (host: string, port: number) => TaskEither<string, Duplex>
}
