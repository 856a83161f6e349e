/**
 * A route of the API, as data: the server checks requests by it, the client builds them from it, and the OpenAPI
 * document and the authorisation tests are derived from it.
 */
import type * as t from 'io-ts'
import { keys, type Rows } from '../../print/document.ts'
import type { NamespaceRole } from '../role.ts'

/** Any record of rows. */
export type AnyKeys = t.Mixed & { readonly required: Rows; readonly optional: Rows }

/** Without parameters, query, headers, body or answer. */
const nothing = keys({})

/**
 * Who may call a route: anyone, holders of a token of any scope, every user, an administrator of the platform, or a
 * user with at least that role in the namespace in the path (`{namespace}`).
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
  /** Keyed by lower-case name. */
  readonly headers: H
  readonly body: B
  readonly status: 200 | 201 | 202 | 204
  /** Whether repeating the request with the same content changes nothing more. */
  readonly isRepeatable: boolean
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
  Partial<
    Pick<ApiRoute<P, Q, B, A, M, H>, 'params' | 'query' | 'headers' | 'body' | 'status' | 'answer' | 'isRepeatable'>
  >

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
  isRepeatable,
  params,
  query,
  status,
  ...rest
}: Written<P, Q, B, A, M, H>): ApiRoute<P, Q, B, A, M, H> => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a part that is not given has the type of `nothing`
  const or = <K extends AnyKeys>(given: K | undefined): K => given ?? (nothing as unknown as K)
  return {
    ...rest,
    params: or(params),
    query: or(query),
    headers: or(headers),
    body: or(body),
    isRepeatable: isRepeatable ?? (rest.method === 'GET' || rest.method === 'PUT'),
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
