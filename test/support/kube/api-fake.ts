/** A minimal API server: stores objects by path and records requests. */
import { Agent, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type ApiTransport, openTransport } from '../../../src/adapters/kube/api/transport.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { at, isObject, type Json, type JsonObject, textAt } from '../../../src/domain/cluster/json.ts'

type FakeRequest = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headersDistinct']
  readonly body: string
}

/** `undefined`: not handled. */
export type FakeHandler = (asked: FakeRequest, response: ServerResponse) => boolean

export type FakeApi = {
  readonly asked: ReadonlyArray<FakeRequest>
  readonly objects: Map<string, JsonObject>
  readonly server: Server
  readonly upstream: ApiTransport
  readonly close: () => Promise<void>
}

const answer = (response: ServerResponse, status: number, json: Json): void => {
  response.setHeader('warning', ['299 - "a"', '299 - "b"'])
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(json))
}

const parse = (body: string): Json => JSON.parse(body)
const objectAt = (json: Json | undefined, ...path: ReadonlyArray<string>): JsonObject => {
  const found = at(json, ...path)
  return isObject(found) ? found : {}
}

let made = 0

const store = (objects: FakeApi['objects'], { body, method, path }: FakeRequest, response: ServerResponse): void => {
  const [route = '', query = ''] = path.split('?')
  if (method === 'GET') return answer(response, objects.has(route) ? 200 : 404, objects.get(route) ?? { code: 404 })
  const sent = parse(body)
  const metadata = objectAt(sent, 'metadata')
  const name = textAt(metadata, 'name') ?? `${textAt(metadata, 'generateName')}x`
  const key = method === 'POST' ? `${route}/${name}` : route
  const before = objects.get(key)
  if (method === 'PATCH' && query.includes('fieldManager=devtool-owner')) {
    const labels = { ...objectAt(before, 'metadata', 'labels'), ...objectAt(metadata, 'labels') }
    const kept = Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== null))
    const relabelled = { ...before, metadata: { ...objectAt(before, 'metadata'), resourceVersion: '2', labels: kept } }
    objects.set(key, relabelled)
    return answer(response, 200, relabelled)
  }
  made += 1
  const uid = textAt(before, 'metadata', 'uid') ?? `uid-${made}`
  const object = { ...objectAt(sent), metadata: { resourceVersion: '1', ...metadata, name, uid } }
  if (!query.includes('dryRun')) objects.set(key, object)
  answer(response, before === undefined && method !== 'DELETE' ? 201 : 200, object)
}

/** `special` may handle a request before the store does. */
export const fakeApi = async (special: FakeHandler = () => false): Promise<FakeApi> => {
  const asked: Array<FakeRequest> = []
  const objects: FakeApi['objects'] = new Map()
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { headersDistinct: headers, method = '', url: path = '' } = request
    const one = { method, path, headers, body: await text(request) }
    asked.push(one)
    if (!special(one, response)) store(objects, one, response)
  }
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
  const grant = {
    headers: { authorization: 'Bearer of-the-user' },
    requests: new Agent({ keepAlive: true }),
    streams: new Agent(),
  }
  const upstream = openTransport({
    clock: systemClock,
    server: new URL(`http://127.0.0.1:${port}`),
    grant: TE.right(grant),
    renew: () => TE.right(grant),
    close: () => grant.requests.destroy(),
  })
  const close = async (): Promise<void> => {
    upstream.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { asked, objects, server, upstream, close }
}
