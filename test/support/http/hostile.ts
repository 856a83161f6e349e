/** Servers that misbehave, on real sockets. Each counts the bytes it could send before the client disconnected. */
import { createServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { closing, listening } from './proxy.ts'

export type HostileServer = { readonly port: number; readonly sentBytes: () => number; readonly close: () => void }

/** Writes as long as the client reads. */
const endlessly = (socket: Socket, chunk: string | Buffer): void => {
  const more = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  }
  socket.on('drain', more)
  more()
}

/** Sends one byte now and then and never finishes. */
const dripping = (socket: Socket, byte: string): void => {
  const timer = setInterval(() => socket.write(byte), 5)
  socket.once('close', () => clearInterval(timer))
}

const ok = 'HTTP/1.1 200 OK\r\n'
const json = `${ok}content-type: application/json\r\n`
const chunked = `${json}transfer-encoding: chunked\r\n\r\n`
const chunkOf = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`
const megabyte = 1024 * 1024

const bomb = gzipSync(Buffer.alloc(64 * megabyte))
const nested = `{"a":${'['.repeat(megabyte)}`

type Behaviour = (socket: Socket, port: number) => void

export const behaviours: Readonly<Record<string, Behaviour>> = {
  'headers without end': (socket) => {
    socket.write(ok)
    endlessly(socket, `x-${'a'.repeat(1000)}: b\r\n`)
  },
  'one header without end': (socket) => {
    socket.write(`${ok}x-a: `)
    endlessly(socket, 'a'.repeat(1000))
  },
  'a body without end': (socket) => {
    socket.write(chunked)
    endlessly(socket, chunkOf('x'.repeat(65_536)))
  },
  'JSON without end': (socket) => {
    socket.write(`${chunked}${chunkOf('{"items":[')}`)
    endlessly(socket, chunkOf('{},'.repeat(20_000)))
  },
  'a body without end or length': (socket) => {
    socket.write(`${json}connection: close\r\n\r\n`)
    endlessly(socket, 'x'.repeat(65_536))
  },
  'interim responses without end': (socket) => endlessly(socket, 'HTTP/1.1 100 Continue\r\n\r\n'),
  'interim responses now and then': (socket) => {
    const timer = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 5)
    socket.once('close', () => clearInterval(timer))
  },
  'a head byte by byte': (socket) => {
    socket.write(`${ok}x-a: `)
    dripping(socket, 'a')
  },
  'a body byte by byte': (socket) => {
    socket.write(`${json}content-length: 1000000000\r\n\r\n`)
    dripping(socket, ' ')
  },
  'a length that is too long': (socket) => socket.end(`${json}content-length: 1000\r\n\r\n{}`),
  'a length that is too short': (socket) => socket.end(`${json}content-length: 1\r\n\r\n{"a":"b"}`),
  'two lengths': (socket) => socket.end(`${json}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`),
  'a chunk of no size': (socket) => socket.end(`${chunked}zz\r\n{}\r\n`),
  'a chunk of an enormous size': (socket) => socket.end(`${chunked}ffffffffffffffff\r\n{}\r\n`),
  'a gzip bomb': (socket) => {
    socket.write(`${json}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`)
    socket.end(bomb)
  },
  'JSON nested a million times': (socket) => {
    socket.end(`${json}content-length: ${nested.length + megabyte + 1}\r\n\r\n${nested}${']'.repeat(megabyte)}}`)
  },
  'a redirect to itself': (socket, port) =>
    socket.end(`HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:${port}/v2/again\r\ncontent-length: 0\r\n\r\n`),
  'a challenge again and again': (socket, port) =>
    socket.end(
      `HTTP/1.1 401 Unauthorized\r\nwww-authenticate: Bearer realm="http://127.0.0.1:${port}/token"\r\ncontent-length: 0\r\n\r\n`,
    ),
  'what is not HTTP': (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
  'bytes of no protocol': (socket) => socket.end(Buffer.from('0500ff00160301ffff00', 'hex')),
  'nothing at all': (socket) => socket.end(),
}

export const hostileServer = async (behave: Behaviour): Promise<HostileServer> => {
  const sockets = new Set<Socket>()
  let ended = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => {
      sockets.delete(socket)
      ended += socket.bytesWritten
    })
    socket.once('data', () => behave(socket, port))
  })
  const close = closing(server)
  const port = await listening(server)
  return { port, close, sentBytes: () => [...sockets].reduce((sum, one) => sum + one.bytesWritten, ended) }
}
