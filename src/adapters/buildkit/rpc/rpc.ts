/** Calls to a builder: gRPC over HTTP/2 on any connection. */
import type { Duplex } from 'node:stream'
import type * as TE from 'fp-ts/lib/TaskEither.js'

/**
 * Status: the builder answered with a status other than OK; `details` are the bytes of grpc-status-details-bin. Broken:
 * the connection is lost, or was refused. Silent: no data for too long. Cut: the error was too large for trailers.
 */
export type RpcFailure =
  | { readonly _tag: 'Status'; readonly code: number; readonly message: string; readonly details?: Uint8Array }
  | { readonly _tag: 'Broken'; readonly cause: string }
  | { readonly _tag: 'Silent'; readonly afterMs: number; readonly isAtStart: boolean }
  | { readonly _tag: 'Cut' }
  | { readonly _tag: 'Aborted' }

/** `timeoutMs`: when the call is cancelled as Silent; without it there is no limit. */
export type CallOptions = {
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
  readonly headers?: ReadonlyArray<readonly [name: string, value: string]>
}

/** `ended` never rejects. Messages end once it is settled. Leaving their loop early aborts the call. */
export type RpcStream = {
  readonly messages: AsyncIterable<Uint8Array>
  readonly ended: TE.TaskEither<RpcFailure, void>
}

export type Rpc = {
  /** `method` as `/moby.buildkit.v1.Control/Solve`. */
  readonly unary: (method: string, message: Uint8Array, options?: CallOptions) => TE.TaskEither<RpcFailure, Uint8Array>
  readonly stream: (method: string, message: Uint8Array, options?: CallOptions) => RpcStream
  /**
   * A byte stream through BytesMessage in both directions. Destroyed with the connection and with the call; the `cause`
   * of its error is an {@link RpcFailure}. Destroying it aborts the call.
   */
  readonly tunnel: (method: string, headers: ReadonlyArray<readonly [name: string, value: string]>) => Duplex
  /** Resolves once, with the reason why the connection ended; `undefined` after `close`. */
  readonly closed: Promise<RpcFailure | undefined>
  readonly close: () => void
}
