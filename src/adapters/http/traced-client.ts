/** An HTTP client whose requests are reported. */
import type { HttpClient, HttpRequest } from './client.ts'
import { type Tracing, traced } from './trace.ts'

export const tracedClient = (client: HttpClient, tracing: Tracing): HttpClient => {
  const by = ({ method, url }: HttpRequest) => traced(tracing, { to: url.host, method, path: url.pathname })
  return {
    open: (request, signal) => by(request)(client.open(request, signal), ({ statusCode }) => statusCode),
    ask: (request, timeoutMs, signal) => by(request)(client.ask(request, timeoutMs, signal), ({ status }) => status),
  }
}
