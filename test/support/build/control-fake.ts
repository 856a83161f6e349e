/** A builder for tests, which define each method of the Control service. */
import type { ServerHttp2Stream } from 'node:http2'
import { create, type DescMessage, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { type SolveRequest, SolveRequestSchema, SolveResponseSchema, StatusResponseSchema } from './gen/buildkit_pb.ts'
import { answerWith, type FakeBuilder, frame, openBuilder, unframe } from './grpc-fake.ts'

/** `message`: the first one, which is the only one except in sessions. */
export type ControlRequest = {
  readonly stream: ServerHttp2Stream
  readonly headers: Readonly<Record<string, unknown>>
  readonly message: Buffer
}

type Method = (asked: ControlRequest) => void

/** By the last part of their names. */
export type Methods = Readonly<Record<string, Method>>

export const encode = <D extends DescMessage>(schema: D, init: MessageInitShape<D>): Uint8Array =>
  toBinary(schema, create(schema, init))

/** The whole response of a successful call. */
export const reply =
  (...messages: ReadonlyArray<Uint8Array>): Method =>
  ({ stream }) =>
    answerWith(stream, messages.map(frame), { 'grpc-status': '0' })

export const refuse =
  (code: number, message: string, details?: string): Method =>
  ({ stream }) =>
    answerWith(stream, [], {
      'grpc-status': `${code}`,
      'grpc-message': encodeURIComponent(message),
      ...(details === undefined ? {} : { 'grpc-status-details-bin': details.replace(/=+$/, '') }),
    })

/** Begins a response, which `more` and `end` continue. */
export const begin = ({ stream }: ControlRequest) => {
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
  return {
    more: (status: MessageInitShape<typeof StatusResponseSchema>): void => {
      stream.write(frame(encode(StatusResponseSchema, status)))
    },
    end: (): void => {
      stream.end()
    },
  }
}

export const solveRequestIn = ({ message }: ControlRequest): SolveRequest => fromBinary(SolveRequestSchema, message)

/** A response to Solve. */
export const solved = (exporterResponse: Record<string, string> = {}): Uint8Array =>
  encode(SolveResponseSchema, { exporterResponse })

/** A session stays open until the builder closes. */
const usual: Methods = {
  Info: reply(new Uint8Array()),
  Session: (asked) => {
    begin(asked)
  },
  Status: reply(),
  Solve: reply(solved()),
}

const firstMessage = (stream: ServerHttp2Stream, take: (message: Buffer) => void): void => {
  let received = Buffer.alloc(0)
  const listen = (chunk: Buffer): void => {
    received = Buffer.concat([received, chunk])
    if (received.length < 5 || received.length < 5 + received.readUInt32BE(1)) return
    stream.off('data', listen)
    stream.resume()
    take(unframe(received)[0] ?? Buffer.alloc(0))
  }
  stream.on('data', listen)
}

/** Methods of Control that the test does not define succeed without effect; other services are not there. */
export const openControl = (methods: Methods): Promise<FakeBuilder> =>
  openBuilder((stream, headers) => {
    const name = String(headers[':path']).split('/').at(-1) ?? ''
    const answer: Method = methods[name] ?? usual[name] ?? refuse(12, `unknown method ${name}`)
    if (name === 'Session') return answer({ stream, headers, message: Buffer.alloc(0) })
    firstMessage(stream, (message) => answer({ stream, headers, message }))
  })
