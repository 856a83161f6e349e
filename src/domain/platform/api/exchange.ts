/** Requests and answers of the API, as its client sees them. */
import * as E from 'fp-ts/lib/Either.js'
import { isObject, type Json, textAt } from '../../cluster/json.ts'
import { isCode } from '../../diagnostic/codes.ts'
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts'
import { defined } from '../../object/defined.ts'
import type { AnswerOf, ApiRoute, InputOf } from './route.ts'

type Needed<T> = { [K in keyof T as object extends T[K] ? never : K]: T[K] }

/** Parts that the route does not use may be left out. */
export type RouteInput<R extends ApiRoute> = Needed<InputOf<R>> & Partial<InputOf<R>>

type Parts = {
  readonly params?: unknown
  readonly query?: unknown
  readonly headers?: unknown
  readonly body?: unknown
}

/** `path`: including the query. */
export type SentRequest = {
  readonly method: ApiRoute['method']
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

const entriesOf = (part: unknown): ReadonlyArray<[string, string]> =>
  Object.entries(part ?? {}).flatMap(
    ([name, value]): ReadonlyArray<[string, string]> => (value === undefined ? [] : [[name, String(value)]]),
  )

export const requestFor = (route: ApiRoute, { body, headers, params, query }: Parts): SentRequest => {
  const values = new Map(entriesOf(params))
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values.get(name) ?? ''))
  const search = new URLSearchParams([...entriesOf(query)]).toString()
  return {
    method: route.method,
    path: search === '' ? path : `${path}?${search}`,
    headers: Object.fromEntries(entriesOf(headers)),
    ...defined({ body: body === undefined ? undefined : JSON.stringify(route.body.encode(body)) }),
  }
}

const parsed = (text: string): Json | undefined => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** DT2110 for an answer that is not a platform's: a page of a proxy, or another program. */
const notUnderstood = (url: string, status: number): Diagnostic =>
  error('DT2110', `${url} does not answer as a platform does (status ${status})`, {
    help: 'check the address: it is that of the pages of the platform, without a path',
  })

const problemIn = (url: string, status: number, json: Json | undefined): Diagnostic => {
  const [code = '', title] = [textAt(json, 'code'), textAt(json, 'title')]
  if (title === undefined || !isCode(code)) return notUnderstood(url, status)
  return error(code, title, { help: textAt(json, 'detail') })
}

/** The error in a platform's answer. */
export const refusalIn = (url: string, status: number, text: string): Diagnostic =>
  problemIn(url, status, text === '' ? {} : parsed(text))

/** `url`: that of the platform, for messages. Fails with the platform's own error, or with DT2110. */
export const answerTo = <R extends ApiRoute>(
  route: R,
  { status, text, url }: { readonly url: string; readonly status: number; readonly text: string },
): E.Either<Diagnostic, AnswerOf<R>> => {
  const json = text === '' ? {} : parsed(text)
  if (status !== route.status) return E.left(problemIn(url, status, json))
  const decoded = route.answer.decode(json)
  return isObject(json) && E.isRight(decoded) ? E.right(decoded.right) : E.left(notUnderstood(url, status))
}
