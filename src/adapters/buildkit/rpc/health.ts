/**
 * Distinguishes a builder that is gone from one whose step is silent: a builder with a session checks every five
 * seconds whether this side is alive. When no check arrives for longer, this side sends a request, and any response
 * will do: unlike a ping, it does not count against a builder's limit.
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
