/**
 * A route of the API, as data: the server checks requests by it, the client builds them from it, and the OpenAPI
 * document and the tests of who may do what are made of it.
 */
import type * as t from 'io-ts'
import { keys, type Rows } from '../../print/document.ts'
import type { NamespaceRole } from '../role.ts'

/** Rows with whatever types. */
export type AnyKeys = t.Mixed & { readonly required: Rows; readonly optional: Rows }

/** Without parameters, query, headers, body or answer. */
const nothing = keys({})

/**
 * Who may call it: anyone, who holds a token whatever its scope, every user, an administrator of the platform, or who
 * has at least that role in the namespace that `{namespace}` in its path names.
 */
export type Audience = 'anyone' | 'holder' | 'user' | 'admin' | NamespaceRole

export type ApiRoute<
  P extends AnyKeys = AnyKeys,
  Q extends AnyKeys = AnyKeys,
  B extends AnyKeys = AnyKeys,
  A extends AnyKeys = AnyKeys,
  M extends Audience = Audience,
  H extends AnyKeys = AnyKeys,
> = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly about: string
  readonly may: M
  readonly params: P
  readonly query: Q
  /** By lower-case names. */
  readonly headers: H
  readonly body: B
  readonly status: 200 | 201 | 202 | 204
  readonly answer: A
}

type Written<
  P extends AnyKeys,
  Q extends AnyKeys,
  B extends AnyKeys,
  A extends AnyKeys,
  M extends Audience,
  H extends AnyKeys,
> = Pick<ApiRoute<P, Q, B, A, M, H>, 'method' | 'path' | 'about' | 'may'> &
  Partial<Pick<ApiRoute<P, Q, B, A, M, H>, 'params' | 'query' | 'headers' | 'body' | 'status' | 'answer'>>

type Nothing = typeof nothing

export const route = <
  const M extends Audience,
  P extends AnyKeys = Nothing,
  Q extends AnyKeys = Nothing,
  B extends AnyKeys = Nothing,
  A extends AnyKeys = Nothing,
  H extends AnyKeys = Nothing,
>({
  answer,
  body,
  headers,
  params,
  query,
  status,
  ...rest
}: Written<P, Q, B, A, M, H>): ApiRoute<P, Q, B, A, M, H> => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is not written has the type of `nothing`
  const or = <K extends AnyKeys>(given: K | undefined): K => given ?? (nothing as unknown as K)
  return {
    ...rest,
    params: or(params),
    query: or(query),
    headers: or(headers),
    body: or(body),
    status: status ?? (answer === undefined ? 204 : 200),
    answer: or(answer),
  }
}

/** The checked parts of a request. */
export type InputOf<R extends ApiRoute> = {
  readonly params: t.TypeOf<R['params']>
  readonly query: t.TypeOf<R['query']>
  readonly headers: t.TypeOf<R['headers']>
  readonly body: t.TypeOf<R['body']>
}
export type AnswerOf<R extends ApiRoute> = t.TypeOf<R['answer']>
