/** Calls to a builder: gRPC over HTTP/2 on any connection. */
import type { Duplex } from 'node:stream'
import type { Either } from 'fp-ts/lib/Either.js'

/**
 * Status: the builder answered with another status than OK; `details` are the bytes of grpc-status-details-bin. Broken: the
 * connection is gone, or was refused. Silent: no data for so long. Cut: there was an answer too large for trailers.
 */
export type RpcFailure =
  | { readonly _tag: 'Status'; readonly code: number; readonly message: string; readonly details?: Uint8Array }
  | { readonly _tag: 'Broken'; readonly cause: string }
  | { readonly _tag: 'Silent'; readonly afterMs: number; readonly isAtStart: boolean }
  | { readonly _tag: 'Cut' }
  | { readonly _tag: 'Aborted' }

/** `timeoutMs`: after which the call is given up as Silent; without one it lasts as long as it takes. */
export type CallOptions = { readonly signal?: AbortSignal; readonly timeoutMs?: number }

/** `ended` never rejects. Messages end when it is settled. Leaving their loop before the end aborts the call. */
export type RpcStream = {
  readonly messages: AsyncIterable<Uint8Array>
  readonly ended: Promise<Either<RpcFailure, void>>
}

export type Rpc = {
  /** `method` as `/moby.buildkit.v1.Control/Solve`. */
  readonly unary: (
    method: string,
    message: Uint8Array,
    options?: CallOptions,
  ) => Promise<Either<RpcFailure, Uint8Array>>
  readonly stream: (method: string, message: Uint8Array, options?: CallOptions) => RpcStream
  /**
   * A pipe of bytes through BytesMessage in both directions. Destroyed when the connection is, and with the call; the
   * `cause` of its error is an {@link RpcFailure}. Destroying it aborts the call.
   */
  readonly tunnel: (method: string, headers: ReadonlyArray<readonly [name: string, value: string]>) => Duplex
  /** Settles once, with why the connection ended; `undefined` after `close`. */
  readonly closed: Promise<RpcFailure | undefined>
  readonly close: () => void
}
