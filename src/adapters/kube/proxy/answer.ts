/** Complete responses, and the proxy's own errors: a `Status`, as clients know it from the API server. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { type Headers, mutable, responseHeaders } from './headers.ts'

export type ProxyAnswer = { readonly status: number; readonly headers: Headers; readonly body: Buffer }

const reasons: ReadonlyMap<number, string> = new Map([
  [400, 'BadRequest'],
  [401, 'Unauthorized'],
  [502, 'InternalError'],
])

export const statusAnswer = (status: number, message: string): ProxyAnswer => ({
  status,
  headers: { 'content-type': ['application/json'] },
  body: Buffer.from(
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Status',
      metadata: {},
      status: 'Failure',
      message,
      reason: reasons.get(status),
      code: status,
    }),
  ),
})

export const unreachable = (server: string, cause: string): ProxyAnswer =>
  statusAnswer(502, `the API server ${server} cannot be reached: ${cause}`)

/** Reads the whole body. Rejects when it is incomplete. */
export const readAnswer = async (response: IncomingMessage): Promise<ProxyAnswer> => ({
  status: response.statusCode ?? 502,
  headers: responseHeaders(response),
  body: await buffer(response),
})

export const giveAnswer = (response: ServerResponse, { body, headers, status }: ProxyAnswer): void => {
  const { 'content-length': _length, ...rest } = headers
  response.writeHead(status, { ...mutable(rest), 'content-length': body.length })
  response.end(body)
}
