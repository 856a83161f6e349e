/** A call made by the builder: in a session the builder is the client and this machine the server. */
import type * as TE from 'fp-ts/lib/TaskEither.js'

/**
 * A gRPC status; absent means OK. Codes in use: 5 NOT_FOUND, 7 PERMISSION_DENIED, 12 UNIMPLEMENTED, 13 INTERNAL, 14
 * UNAVAILABLE.
 */
export type CallStatus = { readonly code: number; readonly message: string }

export type RpcCall = {
  /** All values of a header, exactly as sent; bytes over 127 as latin1. */
  readonly header: (name: string) => ReadonlyArray<string>
  /** The builder's messages, one protobuf message per item. Leaving the loop early does not end the call. */
  readonly messages: AsyncIterable<Uint8Array>
  /**
   * Sends one message; small ones are batched. Returns a promise when the peer is slow, to be awaited before the next
   * message.
   */
  readonly send: (message: Uint8Array) => Promise<void> | undefined
  /** Aborted when the connection is lost, the builder ends the call, or it sends an invalid message. */
  readonly signal: AbortSignal
}

/** The call ends when it returns. Throws only for defects. */
export type Handler = (call: RpcCall) => Promise<CallStatus | undefined>

/** By the full name of a method: `/moby.filesync.v1.FileSync/DiffCopy`. */
export type RpcService = ReadonlyMap<string, Handler>

/** A service whose methods take one message and return one. */
export type Unary = (request: Uint8Array, signal: AbortSignal) => TE.TaskEither<CallStatus, Uint8Array>
