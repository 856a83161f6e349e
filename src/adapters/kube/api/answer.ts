/** Responses of the API server: their body, their warnings, and errors as data. */
import type { IncomingMessage } from 'node:http'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { ApiRequest, Failure, RefusalCause } from '../../../domain/cluster/failure.ts'
import { isObject, type Json, type JsonObject, listAt, numberAt, textAt } from '../../../domain/cluster/json.ts'
import { defined } from '../../../domain/object/defined.ts'
import type { Clock } from '../../../ports/clock.ts'
import { readBody as readBytes } from '../../http/body.ts'

/** For servers that never stop sending. etcd holds objects of 1.5 MiB; lists are asked for by pages. */
export const bodyLimits = { object: 16 * 1024 * 1024, list: 128 * 1024 * 1024 } as const

/** How long a body may take, however slowly it comes. */
const longestMs = 300_000

/** The text of a body; Left says why a body is incomplete. */
export const readBody =
  (
    response: IncomingMessage,
    clock: Pick<Clock, 'after'>,
    limitBytes: number = bodyLimits.object,
  ): TE.TaskEither<string, string> =>
  async () => {
    let isLate = false
    const cancel = clock.after(longestMs, () => {
      isLate = true
      response.destroy()
    })
    const read = await readBytes(response, limitBytes)()
    cancel()
    return pipe(
      read,
      E.bimap(
        (why) => {
          response.destroy()
          return isLate ? `no complete answer within ${longestMs / 1000} s` : why
        },
        (body) => body.toString('utf8'),
      ),
    )
  }

/** `undefined` when the text is not a JSON object. */
export const readObject = (text: string): JsonObject | undefined => {
  try {
    const json: Json = JSON.parse(text)
    return isObject(json) ? json : undefined
  } catch {
    return undefined
  }
}

const causesOf = (status: JsonObject): ReadonlyArray<RefusalCause> =>
  listAt(status, 'details', 'causes').map((cause) => {
    const field = textAt(cause, 'field')
    return {
      reason: textAt(cause, 'reason') ?? '',
      message: textAt(cause, 'message') ?? '',
      ...defined({ field }),
    }
  })

/** A Status of the API, or whatever a proxy on the way answered. */
export const refusalOf = (asked: ApiRequest, httpStatus: number, text: string): Failure => {
  const json = readObject(text)
  if (json === undefined || json['kind'] !== 'Status') {
    const message = text.trim().slice(0, 300)
    return { _tag: 'Refused', asked, status: httpStatus, reason: '', message: message || 'no reason given', causes: [] }
  }
  const status = numberAt(json, 'code') ?? httpStatus
  if (status === 410) return { _tag: 'Gone', asked }
  return {
    _tag: 'Refused',
    asked,
    status,
    reason: textAt(json, 'reason') ?? '',
    message: textAt(json, 'message') ?? 'no reason given',
    causes: causesOf(json),
  }
}

/** How long the server asks clients to wait. */
export const retryAfterMs = ({ headers }: IncomingMessage): number | undefined => {
  const seconds = Number(headers['retry-after'])
  return headers['retry-after'] === undefined || !Number.isFinite(seconds) || seconds < 0 ? undefined : seconds * 1000
}

const warningForm = /\b\d{3} \S+ "((?:[^"\\]|\\.)*)"/g

/** The texts of Warning headers (RFC 7234, 5.5): `299 - "text"`, several per line. */
export const warningsOf = (header: string | ReadonlyArray<string> | undefined): ReadonlyArray<string> =>
  [header ?? []]
    .flat()
    .flatMap((line) => [...line.matchAll(warningForm)])
    .map(([, text = '']) => text.replace(/\\(.)/g, '$1'))
