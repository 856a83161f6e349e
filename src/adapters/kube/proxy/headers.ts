/**
 * The headers that a proxy forwards: those of the connection are its own, and credentials are those of the upstream.
 */
import type { IncomingMessage } from 'node:http'

export type Headers = Readonly<Record<string, ReadonlyArray<string>>>

const hopByHop: ReadonlyArray<string> = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]
const ownToProxy: ReadonlyArray<string> = ['authorization', 'expect', 'host']

const namedByConnection = ({ headers }: IncomingMessage): ReadonlyArray<string> =>
  (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase())

const without = (message: IncomingMessage, names: ReadonlyArray<string>): Headers =>
  Object.fromEntries(
    Object.entries(message.headersDistinct).flatMap(([name, values]) =>
      values === undefined || names.includes(name) ? [] : [[name, values] as const],
    ),
  )

/** Repeated headers stay separate: `Impersonate-Group` values joined by commas would be another group. */
export const requestHeaders = (request: IncomingMessage): Headers =>
  without(request, [...hopByHop, ...ownToProxy, ...namedByConnection(request)])

export const upgradeHeaders = (request: IncomingMessage): Headers => ({
  ...requestHeaders(request),
  connection: ['Upgrade'],
  upgrade: [request.headers.upgrade ?? ''],
})

export const responseHeaders = (response: IncomingMessage): Headers =>
  without(response, [...hopByHop, ...namedByConnection(response)])

/** In the format of `writeHead`. */
export const mutable = (headers: Headers): Record<string, Array<string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, [...values]]))

export const headerOf = (headers: Headers, name: string): string => headers[name]?.join(', ') ?? ''

/** Whether the client accepts plain JSON objects, rather than tables. */
export const acceptsJson = (headers: Headers): boolean => {
  const accept = headerOf(headers, 'accept')
  return (
    accept === '' ||
    accept.split(',').some((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
      return ['application/json', 'application/*', '*/*'].includes(type) && !parameters.some((p) => p.startsWith('as='))
    })
  )
}
