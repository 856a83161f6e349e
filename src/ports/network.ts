/** Addresses outside of the cluster's API: whether they respond. */
import type { Task } from 'fp-ts/lib/Task.js'
import type { EndpointAnswer, Reached } from '../domain/network/answer.ts'

export type Network = {
  /** A GET without following redirects; any response counts. Never fails: the answer says why there is no response. */
  readonly ask: (url: string, timeoutMs: number) => Task<EndpointAnswer>
  /** Whether a TCP connection can be made. */
  readonly reach: (host: string, port: number, timeoutMs: number) => Task<Reached>
}
