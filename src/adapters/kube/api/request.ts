/**
 * One request and its complete response. Requests are retried when that is safe: all reads, writes that name the
 * version or uid of their object, and requests that the server has not begun.
 */
import type { IncomingMessage } from 'node:http'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { type ApiRequest, type Failure, isStale, serverWords } from '../../../domain/cluster/failure.ts'
import type { JsonObject } from '../../../domain/cluster/json.ts'
import { defined } from '../../../domain/object/defined.ts'
import { tooLarge } from '../../http/body.ts'
import { readBody, readObject, refusalOf, retryAfterMs, warningsOf } from './answer.ts'
import { type Attempt, type Pauses, retry } from './retry.ts'
import { slowRequests } from './slow.ts'
import type { ApiTransport, NoAnswer } from './transport.ts'

/**
 * `isRepeatable`: doing it twice has the effect of doing it once. `repeatsStale`: it may be retried after a conflict
 * with another writer.
 */
type Ask = {
  readonly asked: ApiRequest
  readonly method: string
  readonly path: string
  readonly accept?: string
  readonly type?: string
  readonly body?: string
  readonly signal?: AbortSignal | undefined
  readonly limitBytes?: number
  readonly isRepeatable: boolean
  readonly repeatsStale?: boolean
}

type Answer = {
  readonly status: number
  readonly json: JsonObject
  readonly warnings: ReadonlyArray<string>
}

/** Sends the request, and retries it as often as necessary and allowed. */
export type Asker = (ask: Ask) => TaskEither<Failure, Answer>

const mostStaleTries = 4
const passing: ReadonlySet<number> = new Set([500, 502, 503, 504])

const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted === true

const isRead = ({ method }: Ask): boolean => method === 'GET'

/** The failure of a request without a response. */
export const failureOf = (server: string, asked: ApiRequest, none: NoAnswer, mayHaveHappened: boolean): Failure => {
  if (none.isAborted) return { _tag: 'Aborted', asked }
  if (none.isDenied) {
    return { _tag: 'Refused', asked, status: 401, reason: 'NoCredentials', message: none.cause, causes: [] }
  }
  return { _tag: 'Unreachable', asked, server, cause: none.cause, mayHaveHappened }
}

const unanswered = (server: string, ask: Ask, none: NoAnswer): Attempt<Failure, Answer> => {
  const mayHaveHappened = none.hasLeft && !isRead(ask)
  const isOver = none.isAborted || none.isFinal || (none.hasLeft && !ask.isRepeatable)
  return {
    result: E.left(failureOf(server, ask.asked, none, mayHaveHappened)),
    ...(isOver ? {} : { again: {} }),
  }
}

/** A server that says when to come back has not carried out the request. */
const refused = (ask: Ask, response: IncomingMessage, text: string, tries: number): Attempt<Failure, Answer> => {
  const status = response.statusCode ?? 0
  const failure = refusalOf(ask.asked, status, text)
  const afterMs = retryAfterMs(response)
  const isUntouched = status === 429 || (status === 503 && afterMs !== undefined)
  const isSafe = isUntouched || (ask.isRepeatable && passing.has(status))
  const isRace = ask.repeatsStale === true && tries < mostStaleTries && isStale(failure)
  return {
    result: E.left(failure),
    ...(isSafe || isRace ? { again: defined({ afterMs }) } : {}),
  }
}

const attempt = async (upstream: ApiTransport, ask: Ask, tries: number): Promise<Attempt<Failure, Answer>> => {
  const { accept = 'application/json', body, limitBytes, method, path, signal, type } = ask
  const opened = await upstream.open({
    method,
    path,
    headers: { accept, 'user-agent': 'devtool', ...defined({ 'content-type': type }) },
    ...defined({ body, signal }),
  })()
  if (E.isLeft(opened)) return unanswered(upstream.server, ask, opened.left)
  const response = opened.right
  const text = await readBody(response, upstream.clock, limitBytes)()
  const broken = (cause: string): Attempt<Failure, Answer> =>
    unanswered(upstream.server, ask, {
      cause,
      hasLeft: true,
      isAborted: isAborted(signal),
      isDenied: false,
      isFinal: cause === tooLarge,
    })
  if (E.isLeft(text)) return broken(text.left)
  const status = response.statusCode ?? 0
  if (status < 200 || status > 299) return refused(ask, response, text.right, tries)
  const json = readObject(text.right)
  if (json === undefined) return broken('the answer is not a JSON object')
  return { result: E.right({ status, json, warnings: warningsOf(response.headers['warning']) }) }
}

/** An address that never answered is retried for less time than one that answered a moment ago. */
const mostFirstTries = 3

export const asker = (upstream: ApiTransport, pauses: Pauses, say: (text: string) => void): Asker => {
  let hasAnswered = false
  const slow = slowRequests(pauses.clock, say)
  const once = async (ask: Ask, tries: number): Promise<Attempt<Failure, Answer>> => {
    const { again, result } = await attempt(upstream, ask, tries)
    const isSilent = E.isLeft(result) && result.left._tag === 'Unreachable'
    hasAnswered ||= !isSilent
    const isEnough = isSilent && !hasAnswered && tries >= mostFirstTries
    return again === undefined || isEnough ? { result } : { result, again }
  }
  return (ask) => async () => {
    const { asked, signal } = ask
    if (isAborted(signal)) return E.left({ _tag: 'Aborted', asked })
    const open = slow(asked)
    let last: Failure | undefined
    const followed = async (tries: number): Promise<Attempt<Failure, Answer>> => {
      const tried = await once(ask, tries)
      if (E.isLeft(tried.result) && tried.result.left._tag !== 'Aborted') {
        last = tried.result.left
        open.failed(last)
      }
      return tried
    }
    const answer = await retry(pauses, followed, signal)()
    open.end()
    if (E.isRight(answer) || !isAborted(signal)) return answer
    const mayHaveHappened = answer.left._tag === 'Unreachable' && answer.left.mayHaveHappened
    return mayHaveHappened
      ? answer
      : E.left({ _tag: 'Aborted', asked, ...defined({ last: last && serverWords(last) }) })
  }
}
