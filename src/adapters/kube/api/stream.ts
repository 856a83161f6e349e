/** Streamed responses: their lines as they arrive, and why they ended early. */

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ApiRequest, Failure } from '../../../domain/cluster/failure.ts'
import { causeText } from '../../http/causes.ts'
import { linesOf } from '../../http/lines.ts'
import { readBody, refusalOf } from './answer.ts'
import { failureOf } from './request.ts'
import type { ApiTransport } from './transport.ts'

/**
 * `idleMs`: how long it may be silent, 0: no limit. Lines are cut after `limitBytes`, with `cut` behind them; without
 * `cut` it fails.
 */
type StreamRequest = {
  readonly asked: ApiRequest
  readonly path: string
  readonly accept?: string
  readonly idleMs: number
  readonly limitBytes: number
  readonly cut?: string
}

export type ApiStream =
  | { readonly _tag: 'Line'; readonly text: string }
  | { readonly _tag: 'Failed'; readonly failure: Failure }

/** Ends normally with the signal, and when the server ends it; otherwise `Failed` is the last item. */
export async function* streamLines(
  upstream: ApiTransport,
  { accept = 'application/json', asked, cut, idleMs, limitBytes, path }: StreamRequest,
  signal: AbortSignal,
): AsyncGenerator<ApiStream, void, undefined> {
  if (signal.aborted) return
  const headers = { accept, 'user-agent': 'devtool' }
  const opened = await upstream.open({ method: 'GET', path, headers, signal, isStream: true, idleMs })()
  if (E.isLeft(opened)) {
    if (!opened.left.isAborted) yield { _tag: 'Failed', failure: failureOf(upstream.server, asked, opened.left, false) }
    return
  }
  const response = opened.right
  const broken = (cause: string): Failure => ({
    _tag: 'Unreachable',
    asked,
    server: upstream.server,
    cause,
    mayHaveHappened: false,
  })
  try {
    if (response.statusCode !== 200) {
      const failure = await pipe(
        readBody(response, upstream.clock),
        TE.match(broken, (text) => refusalOf(asked, response.statusCode ?? 0, text)),
      )()
      if (!signal.aborted) yield { _tag: 'Failed', failure }
      return
    }
    for await (const text of linesOf(response, limitBytes, cut)) {
      if (signal.aborted) return
      yield { _tag: 'Line', text }
    }
    if (!response.complete && !signal.aborted) yield { _tag: 'Failed', failure: broken('the stream was cut off') }
  } catch (cause) {
    if (!signal.aborted) yield { _tag: 'Failed', failure: broken(`the stream was cut off: ${causeText(cause)}`) }
  } finally {
    response.destroy()
  }
}
