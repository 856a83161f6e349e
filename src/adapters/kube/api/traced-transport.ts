/** Requests to an API server that are reported. */
import { type Tracing, traced } from '../../http/trace.ts'
import type { ApiTransport } from './transport.ts'

export const tracedTransport = (transport: ApiTransport, tracing: Tracing): ApiTransport => {
  const by = (method: string, path: string) => traced(tracing, { to: 'cluster', method, path })
  return {
    ...transport,
    open: (request) => by(request.method, request.path)(transport.open(request), ({ statusCode }) => statusCode),
    upgrade: (request) =>
      by(request.method, request.path)(transport.upgrade(request), ({ response }) => response.statusCode),
    link: (request) =>
      by('GET', request.path)(transport.link(request), (opened) =>
        opened._tag === 'Linked' ? 101 : opened.response.statusCode,
      ),
    as: (account) => tracedTransport(transport.as(account), tracing),
  }
}
