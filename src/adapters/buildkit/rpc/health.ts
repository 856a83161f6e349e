/**
 * Tells a builder that is gone from one whose step says nothing: a builder with a session asks every five seconds whether
 * this side is well. When nothing comes for longer, it is asked in turn, and any answer will do: a call does not count
 * against a builder's limit of pings.
 */
import type { Keepalive } from '../../../domain/build/keepalive.ts'
import { unaryOn } from './calls.ts'
import { keepAlive } from './keepalive.ts'
import type { Http2Link } from './link.ts'

const usual: Keepalive = { timeMs: 15_000, timeoutMs: 30_000, whileIdle: false }

export const healthPath = '/grpc.health.v1.Health/Check'

/** Ends the connection as Silent. */
export const watchHealth = (link: Http2Link, times: Keepalive = usual): void => {
  const call = unaryOn(link)
  const ping = (): void => {
    void call(healthPath, new Uint8Array(), { timeoutMs: times.timeoutMs })()
  }
  void link.closed.then(keepAlive(times, { ...link.watched, ping }, link.clock))
}
