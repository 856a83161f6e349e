/** The reason why a build failed, from the builder's history: for errors too large for a response. */
import * as E from 'fp-ts/lib/Either.js'
import { decodeStatus } from './errors.ts'
import {
  BuildHistoryEvent,
  type BuildHistoryRecord,
  BuildHistoryRequest,
  type Descriptor,
  ReadContentRequest,
  ReadContentResponse,
  type Status,
} from './gen/buildkit.ts'
import type { Rpc, RpcStream } from './rpc/rpc.ts'

const waitMs = 10_000
/** The message contains the whole Dockerfile, twice. */
const longestBytes = 64 * 1024 * 1024
const complete = 1

const ask = (rpc: Rpc, method: string, request: Uint8Array, signal: AbortSignal): RpcStream =>
  rpc.stream(method, request, { timeoutMs: waitMs, signal })

const decode = <A>({ decode: read }: { readonly decode: (bytes: Uint8Array) => A }, bytes: Uint8Array): A | undefined =>
  E.getOrElseW(() => undefined)(
    E.tryCatch(
      () => read(bytes),
      () => undefined,
    ),
  )

/** Without early exit, since the record is written only after the build has failed. */
const recordOf = async (rpc: Rpc, ref: string, signal: AbortSignal): Promise<BuildHistoryRecord | undefined> => {
  const request = BuildHistoryRequest.encode({ ref, activeOnly: false, earlyExit: false }).finish()
  const { messages } = ask(rpc, '/moby.buildkit.v1.Control/ListenBuildHistory', request, signal)
  for await (const message of messages) {
    const event = decode(BuildHistoryEvent, message)
    if (event?.type === complete && event.record?.ref === ref) return event.record
  }
  return undefined
}

const contentOf = async (rpc: Rpc, { digest }: Descriptor, signal: AbortSignal): Promise<Uint8Array | undefined> => {
  const method = '/containerd.services.content.v1.Content/Read'
  const { ended, messages } = ask(
    rpc,
    method,
    ReadContentRequest.encode({ digest, offset: 0n, size: 0n }).finish(),
    signal,
  )
  const parts: Array<Uint8Array> = []
  let bytes = 0
  for await (const message of messages) {
    const { data } = decode(ReadContentResponse, message) ?? {}
    if (data === undefined || bytes + data.length > longestBytes) return undefined
    bytes += data.length
    parts.push(data)
  }
  return E.isRight(await ended()) ? Buffer.concat(parts) : undefined
}

/** `undefined` when the builder keeps no history, or does not answer in time. */
export const errorInHistory = async (rpc: Rpc, ref: string, signal: AbortSignal): Promise<Status | undefined> => {
  if (signal.aborted) return undefined
  const record = await recordOf(rpc, ref, signal)
  if (record?.externalError === undefined) return record?.error
  const content = await contentOf(rpc, record.externalError, signal)
  return content === undefined ? record.error : (decodeStatus(content) ?? record.error)
}
