/**
 * The API server as the user's commands see it: on 127.0.0.1, with a token valid only while the command runs, with the
 * user's permissions and without the user's credentials. It keeps a list of created objects and logs nothing.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { Socket } from 'node:net'
import { readIntent } from '../../../domain/labelling/request.ts'
import type { Identity } from '../../../ports/certificates.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Created, LabellingProxy } from '../../../ports/cluster.ts'
import type { ApiTransport } from '../api/transport.ts'
import { giveAnswer, type ProxyAnswer, statusAnswer } from './answer.ts'
import { makeIdentity } from './certificate.ts'
import { forward, forwardUpgrade } from './forward.ts'
import { requestHeaders } from './headers.ts'
import { writeKubeconfig } from './kubeconfig.ts'
import { type CreationLog, carryOut, type ProxyScope, type ProxyWrite } from './write.ts'

/** Above the limit of the API server, which then refuses larger bodies itself. */
const mostBytes = 4 * 1024 * 1024
/** How long to wait for the response to a creation after its command has ended, so that it is not lost. */
const graceMs = 5_000

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

type IsAllowed = (request: IncomingMessage) => boolean

const tokenCheck = (token: string): IsAllowed => {
  const expected = digest(`Bearer ${token}`)
  return ({ headers }) => timingSafeEqual(digest(headers.authorization ?? ''), expected)
}

/** `isWhole`: nothing is left to be read. */
type Body = { readonly chunks: ReadonlyArray<Buffer>; readonly isWhole: boolean }

const readBody = async (request: IncomingMessage): Promise<Body> => {
  const chunks: Array<Buffer> = []
  let length = 0
  const reader: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false })
  for await (const chunk of reader) {
    chunks.push(chunk)
    length += chunk.length
    if (length > mostBytes) return { chunks, isWhole: false }
  }
  return { chunks, isWhole: true }
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

type Write = (writing: ProxyWrite) => Promise<ProxyAnswer>

const handler = (upstream: ApiTransport, isAllowed: IsAllowed, write: Write): Handler => {
  return async (request, response) => {
    const { method = '', url: path = '' } = request
    if (!isAllowed(request)) return giveAnswer(response, statusAnswer(401, 'this proxy is not for you'))
    if (!path.startsWith('/')) return giveAnswer(response, statusAnswer(400, 'the path is not one of the API'))
    const intent = readIntent(method, path, request.headers['content-type'] ?? '')
    if (intent._tag === 'Pass') return forward(upstream, request, response)
    const { chunks, isWhole } = await readBody(request)
    if (!isWhole) return forward(upstream, request, response, chunks)
    const body = Buffer.concat(chunks)
    const answer = await write({ method, path, headers: requestHeaders(request), body, intent })
    if (!response.destroyed) giveAnswer(response, answer)
  }
}

const creationLog = (): CreationLog & { readonly all: () => ReadonlyArray<Created> } => {
  const created = new Map<string, Created>()
  return {
    record: (object) => void created.set(object.uid, object),
    has: (uid) => created.has(uid),
    all: () => [...created.values()],
  }
}

const listen = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })

/** All connections, including upgraded ones, which the HTTP server no longer tracks. */
const trackSockets = (server: Server): (() => void) => {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return () => {
    for (const socket of sockets) socket.destroy()
  }
}

/** `settled` resolves when no creation is in flight. */
const keepCount = (write: Write): { readonly write: Write; readonly settled: () => Promise<unknown> } => {
  const running = new Set<Promise<unknown>>()
  return {
    write: (writing) => {
      const written = write(writing)
      running.add(written)
      const forget = (): void => void running.delete(written)
      written.then(forget, forget)
      return written
    },
    settled: () => Promise.allSettled(running),
  }
}

const serve = (upstream: ApiTransport, { certificate, key }: Identity, isAllowed: IsAllowed, write: Write): Server => {
  const handle = handler(upstream, isAllowed, write)
  const server = createServer({ key, cert: certificate, ALPNProtocols: ['http/1.1'] })
  // Without timeouts: clients reuse connections at any time, and long uploads and watches are theirs to end.
  server.keepAliveTimeout = 0
  server.requestTimeout = 0
  server.on('request', (request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    if (!isAllowed(request) || request.url?.startsWith('/') !== true) {
      socket.end('HTTP/1.1 401 Unauthorized\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
    } else forwardUpgrade(upstream, request, socket, head).catch(() => socket.destroy())
  })
  return server
}

/** Rejects when no port is available or the file cannot be written. The upstream stays open when the proxy closes. */
export const startProxy = async (
  upstream: ApiTransport,
  scope: ProxyScope,
  clock: Pick<Clock, 'sleep' | 'wallMs'>,
): Promise<LabellingProxy> => {
  const identity = makeIdentity(clock.wallMs())
  const token = randomBytes(32).toString('base64url')
  const creations = creationLog()
  const { settled, write } = keepCount(carryOut(upstream, scope, creations))
  const server = serve(upstream, identity, tokenCheck(token), write)
  const destroyAll = trackSockets(server)
  const { certificate } = identity
  const port = await listen(server)
  const leads = { port, certificate, token, context: scope.context, namespace: scope.namespace }
  const file = await writeKubeconfig(leads).catch((cause: unknown) => {
    server.close()
    throw cause
  })
  const close = async (): Promise<void> => {
    server.close()
    const isSettled = new AbortController()
    await Promise.race([settled().then(() => isSettled.abort()), clock.sleep(graceMs, isSettled.signal)])
    destroyAll()
    await file.remove()
  }
  return { kubeconfig: file.path, created: creations.all, close }
}
