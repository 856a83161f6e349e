/** Both ends of gRPC, independent of the code under test: a builder that answers, and a builder that calls. */
import {
  type ClientHttp2Session,
  connect,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import { type AddressInfo, connect as connectTcp, createServer as createTcp, type Server, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'

export const frame = (message: Uint8Array): Buffer => {
  const head = Buffer.alloc(5)
  head.writeUInt32BE(message.length, 1)
  return Buffer.concat([head, message])
}

/** All messages of a whole body. */
export const unframe = (body: Buffer): ReadonlyArray<Buffer> => {
  if (body.length === 0) return []
  const length = body.readUInt32BE(1)
  return [body.subarray(5, 5 + length), ...unframe(body.subarray(5 + length))]
}

export const readAll = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

type Trailers = Readonly<Record<string, string>>

/** Responds with these bytes, which need not be whole messages, and these trailers. */
export const answerWith = (stream: ServerHttp2Stream, body: ReadonlyArray<Uint8Array>, trailers: Trailers): void => {
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
  stream.on('wantTrailers', () => stream.sendTrailers({ ...trailers }))
  for (const part of body) stream.write(part)
  stream.end()
}

export type FakeBuilder = {
  readonly port: number
  readonly dial: () => Promise<E.Either<string, Duplex>>
  readonly sockets: ReadonlySet<Socket>
  readonly sessions: ReadonlySet<ServerHttp2Session>
  readonly close: () => Promise<void>
}

type StreamHandler = (stream: ServerHttp2Stream, headers: Readonly<Record<string, unknown>>) => void

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address: AddressInfo | string | null = server.address()
  return address !== null && typeof address === 'object' ? address.port : 0
}

export const dialPort = (port: number): Promise<E.Either<string, Duplex>> =>
  new Promise((resolve) => {
    const socket = connectTcp({ port, host: '127.0.0.1' })
    socket.on('connect', () => resolve(E.right(socket)))
    socket.on('error', (cause) => resolve(E.left(cause.message)))
  })

/** A TCP server that runs this on each connection, and how to close it cleanly. */
export const openTcp = async (serve: (socket: Socket) => void): Promise<FakeBuilder> => {
  const sockets = new Set<Socket>()
  const server = createTcp((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    serve(socket)
  })
  const port = await listen(server)
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    await new Promise<void>((resolve) => {
      server.close(() => resolve())
    })
  }
  return { port, dial: () => dialPort(port), sockets, sessions: new Set(), close }
}

/** A builder on its own port. */
export const openBuilder = async (answer: StreamHandler): Promise<FakeBuilder> => {
  const sessions = new Set<ServerHttp2Session>()
  const http = createServer()
  http.on('session', (session) => {
    sessions.add(session)
    session.on('error', () => {})
  })
  http.on('stream', (stream, headers) => {
    stream.on('error', () => {})
    answer(stream, headers)
  })
  const tcp = await openTcp((socket) => {
    http.emit('connection', socket)
  })
  return { ...tcp, sessions }
}

/**
 * Two ends of a pipe in memory, without a socket. It accepts any amount of data: HTTP/2 sessions of Node do not read
 * while they write, so that two of them would wait for each other.
 */
export const pipePair = (): readonly [Duplex, Duplex] => {
  const ends: Array<Duplex> = []
  const make = (other: number): Duplex =>
    new Duplex({
      read: () => {},
      write: (chunk, _encoding, done) => {
        ends[other]?.push(chunk)
        done()
      },
      final: (done) => {
        ends[other]?.push(null)
        done()
      },
      destroy: (cause, done) => {
        const peer = ends[other]
        if (peer !== undefined && !peer.destroyed) setImmediate(() => peer.destroy())
        done(cause)
      },
    })
  const first = make(1)
  const second = make(0)
  ends.push(first, second)
  return [first, second]
}

/** A builder that calls the services of a session. */
export const openCaller = (pipe: Duplex): ClientHttp2Session => {
  const session = connect('http://localhost', {
    createConnection: () => pipe,
    maxSendHeaderBlockLength: 1 << 24,
    maxHeaderListPairs: 1 << 20,
  })
  session.on('error', () => {})
  return session
}

export type CallResult = { readonly messages: ReadonlyArray<Buffer>; readonly status: string; readonly message: string }

type Headers = Readonly<Record<string, string | ReadonlyArray<string>>>

/** One complete call with these messages. */
export const callOn = async (
  session: ClientHttp2Session,
  path: string,
  sent: ReadonlyArray<Uint8Array>,
  headers: Headers = {},
): Promise<CallResult> => {
  const mutable = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  )
  const stream = session.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...mutable,
  })
  let ending: IncomingHttpHeaders = {}
  const see = (received: IncomingHttpHeaders): void => {
    if ('grpc-status' in received) ending = received
  }
  stream.on('response', see)
  stream.on('trailers', see)
  for (const message of sent) stream.write(frame(message))
  stream.end()
  const body = await readAll(stream)
  return {
    messages: unframe(body),
    status: String(ending['grpc-status']),
    message: [ending['grpc-message'] ?? ''].flat().join(),
  }
}
