/** A byte stream through a call: messages with a single bytes field, in both directions. */
import type { ClientHttp2Stream } from 'node:http2'
import { Duplex } from 'node:stream'
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import * as E from 'fp-ts/lib/Either.js'
import { frameReader, prefixBytes, writePrefix } from './frames.ts'
import type { Http2Link } from './link.ts'
import { openRequest, type RpcRequest } from './request.ts'
import type { Rpc, RpcFailure } from './rpc.ts'
import { showRpcFailure } from './status.ts'

/** Daemons accept at least 4 MiB. */
const messageLimitBytes = 1024 * 1024
/** How much is queued before the writer has to wait. */
const aheadBytes = 512 * 1024
const dataField = 1

const headOf = (dataBytes: number): Uint8Array =>
  new BinaryWriter().tag(dataField, WireType.LengthDelimited).uint32(dataBytes).finish()

/** Copies all chunks once, into one frame. */
const frameOfData = (chunks: ReadonlyArray<Uint8Array>, dataBytes: number): Buffer => {
  const head = headOf(dataBytes)
  const frame = Buffer.allocUnsafe(prefixBytes + head.length + dataBytes)
  writePrefix(frame, 0, head.length + dataBytes)
  frame.set(head, prefixBytes)
  let at = prefixBytes + head.length
  for (const chunk of chunks) {
    frame.set(chunk, at)
    at += chunk.length
  }
  return frame
}

/** Frames no larger than the message limit. */
const framesOfData = function* (chunks: ReadonlyArray<Uint8Array>): Generator<Buffer> {
  let gathered: Array<Uint8Array> = []
  let bytes = 0
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + messageLimitBytes - bytes)
      gathered.push(part)
      bytes += part.length
      at += part.length
      if (bytes < messageLimitBytes) continue
      yield frameOfData(gathered, bytes)
      gathered = []
      bytes = 0
    }
  }
  if (bytes > 0) yield frameOfData(gathered, bytes)
}

/** The bytes in a message; unknown fields are skipped. Throws on an invalid message. */
const dataOf = (message: Uint8Array): ReadonlyArray<Uint8Array> => {
  const reader = new BinaryReader(message)
  const found: Array<Uint8Array> = []
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag()
    if (field === dataField && type === WireType.LengthDelimited) found.push(reader.bytes())
    else reader.skip(type, field)
  }
  return found
}

const readData = (message: Uint8Array): E.Either<string, ReadonlyArray<Uint8Array>> => {
  try {
    return E.right(dataOf(message))
  } catch {
    return E.left('a message came that cannot be read')
  }
}

/** The error of the stream; its `cause` is the {@link RpcFailure}. */
const errorOf = (failure: RpcFailure): Error => new Error(showRpcFailure(failure), { cause: failure })

const receive = (pipe: Duplex, stream: ClientHttp2Stream, giveUp: RpcRequest['giveUp']): void => {
  const frames = frameReader()
  const refuse = (message: string): void => giveUp({ _tag: 'Status', code: 13, message })
  stream.on('data', (chunk: Buffer) => {
    const read = frames.read(chunk)
    if (E.isLeft(read)) return refuse(read.left.message)
    for (const message of read.right) {
      const data = readData(message)
      if (E.isLeft(data)) return refuse(data.left)
      for (const part of data.right) if (part.length > 0 && !pipe.push(part)) stream.pause()
    }
  })
  stream.on('end', () => pipe.push(null))
}

/** Writes the frames, and waits while too much is queued. */
const sendOn =
  (stream: ClientHttp2Stream) =>
  (chunks: ReadonlyArray<Uint8Array>, done: (cause?: Error) => void): void => {
    if (stream.destroyed || stream.writableEnded) return done(new Error('the connection is gone'))
    for (const frame of framesOfData(chunks)) stream.write(frame)
    if (stream.writableLength <= aheadBytes) return done()
    const go = (): void => {
      stream.off('drain', go)
      stream.off('close', go)
      done()
    }
    stream.on('drain', go)
    stream.on('close', go)
  }

/** A call may fail after its user has finished and stopped listening. */
const ignore = (): void => {}

const deadPipe = (ended: RpcRequest['ended']): Duplex => {
  const pipe = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
  pipe.on('error', ignore)
  void ended.then(
    E.match(
      (failure) => pipe.destroy(errorOf(failure)),
      () => pipe.destroy(),
    ),
  )
  return pipe
}

/** Its error is the failure of the call; listening to it is optional. Destroying it ends the call. */
export const tunnelOn =
  (link: Http2Link): Rpc['tunnel'] =>
  (method, headers) => {
    const { ended, giveUp, stream } = openRequest(link, method, headers)
    if (stream === undefined) return deadPipe(ended)
    const send = sendOn(stream)
    const pipe = new Duplex({
      writableHighWaterMark: aheadBytes,
      read: () => {
        if (stream.isPaused()) stream.resume()
      },
      write: (chunk: Buffer, _encoding, done) => send([chunk], done),
      writev: (chunks, done) =>
        send(
          chunks.map(({ chunk }) => chunk),
          done,
        ),
      final: (done) => {
        stream.end()
        done()
      },
      destroy: (cause, done) => {
        giveUp({ _tag: 'Aborted' })
        done(cause)
      },
    })
    pipe.on('error', ignore)
    receive(pipe, stream, giveUp)
    void ended.then(E.match((failure) => void pipe.destroy(errorOf(failure)), ignore))
    return pipe
  }
