/** A call that the builder makes: in a session it is the client, and this machine serves. */
import type { Either } from 'fp-ts/lib/Either.js'

/** Of gRPC; absent means OK. Codes that are used: 5 NOT_FOUND, 12 UNIMPLEMENTED, 13 INTERNAL, 14 UNAVAILABLE, 7 PERMISSION_DENIED. */
export type CallStatus = { readonly code: number; readonly message: string }

export type RpcCall = {
  /** Every value of a header, exactly as it was sent; bytes over 127 as latin1. */
  readonly header: (name: string) => ReadonlyArray<string>
  /** What the builder sends, one protobuf message an item. Leaving the loop early does not end the call. */
  readonly messages: AsyncIterable<Uint8Array>
  /** One message. Small ones are gathered; a promise only when the other side is slow: await it before the next one. */
  readonly send: (message: Uint8Array) => Promise<void> | undefined
  /** Comes when the builder has gone or has ended the call, or has sent what is no message. */
  readonly signal: AbortSignal
}

/** The call ends when it returns. Throws only for defects. */
export type Handler = (call: RpcCall) => Promise<CallStatus | undefined>

/** By the full name of a method: `/moby.filesync.v1.FileSync/DiffCopy`. */
export type RpcService = ReadonlyMap<string, Handler>

/** A service whose methods take one message and answer one. */
export type Unary = (request: Uint8Array, signal: AbortSignal) => Promise<Either<CallStatus, Uint8Array>>
