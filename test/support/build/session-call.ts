/** A builder's calls to a service of the session, without a network. */
import type { CallStatus, RpcCall, RpcService } from '../../../src/adapters/buildkit/rpc/call.ts'

type CallResult = { readonly answers: ReadonlyArray<Uint8Array>; readonly status: CallStatus | undefined }

type CallOptions = {
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** Called with each response as it arrives. */
  readonly onAnswer?: (message: Uint8Array) => void
}

/** The builder sends exactly these messages. A service without this method is a mistake in the test. */
export const callService = async (
  service: RpcService,
  method: string,
  messages: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { headers = {}, onAnswer = () => {}, signal = new AbortController().signal }: CallOptions = {},
): Promise<CallResult> => {
  const handler = service.get(method)
  if (handler === undefined) throw new Error(`nobody serves ${method}`)
  const answers: Array<Uint8Array> = []
  const call: RpcCall = {
    header: (name) => [headers[name] ?? []].flat(),
    messages: (async function* () {
      yield* messages
    })(),
    send: (message) => {
      answers.push(message)
      onAnswer(message)
      return undefined
    },
    signal,
  }
  return { status: await handler(call), answers }
}
