/** What lies at an address outside the cluster's API: whether somebody answers there. */
import type { Task } from 'fp-ts/lib/Task.js'
import type { EndpointAnswer, Reached } from '../domain/network/answer.ts'

export type Network = {
  /** A GET without following redirects; whatever is answered counts. Never fails: why nobody answers is said by the answer. */
  readonly ask: (url: string, timeoutMs: number) => Task<EndpointAnswer>
  /** Whether a TCP connection can be made. */
  readonly reach: (host: string, port: number, timeoutMs: number) => Task<Reached>
}
