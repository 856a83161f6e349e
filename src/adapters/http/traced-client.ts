/** An HTTP client whose requests are reported. */
import type { Clock } from '../../ports/clock.ts'
import { type HttpClient, type HttpRequest, httpClient } from './client.ts'
import type { Env } from './proxy.ts'
import { type Trace, type Tracing, traced } from './trace.ts'

const tracedClient = (client: HttpClient, tracing: Tracing): HttpClient => {
  const by = ({ method, url }: HttpRequest) => traced(tracing, { to: url.host, method, path: url.pathname })
  return {
    open: (request, signal) => by(request)(client.open(request, signal), ({ statusCode }) => statusCode),
    ask: (request, timeoutMs, signal) => by(request)(client.ask(request, timeoutMs, signal), ({ status }) => status),
  }
}

/** Without `trace` nothing is reported. */
export const httpClientFor = (env: Env, clock: Clock, { trace }: { readonly trace?: Trace }): HttpClient => {
  const plain = httpClient(env, clock)
  return trace === undefined ? plain : tracedClient(plain, { clock, trace })
}
