/** Calls the API with the session of this browser. */
import { sentence } from '../../domain/text/sentence.ts'
import { addressOf, type CallAnswer, type CalledRoute, type CallInput } from './routes.ts'

/** `status`: 0 when the platform cannot be reached. */
export type CallFailure = { readonly status: number; readonly title: string; readonly detail: string }

export type Answered<A> =
  | { readonly _tag: 'Done'; readonly value: A }
  | { readonly _tag: 'Failed'; readonly failure: CallFailure }

const failed = (status: number, title: string, detail: string): Answered<never> => ({
  _tag: 'Failed',
  failure: { status, title, detail },
})

const unreachable = failed(0, 'The platform cannot be reached', 'Check your connection; this page tries again.')

const textIn = (json: unknown, key: string): string => {
  const value: unknown =
    typeof json === 'object' && json !== null ? Object.entries(json).find(([k]) => k === key)?.[1] : ''
  return typeof value === 'string' ? value : ''
}

const answerOf = async <A>(response: Response): Promise<Answered<A>> => {
  const text = await response.text()
  try {
    const json: unknown = text === '' ? {} : JSON.parse(text)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- page and API are of the same release
    if (response.ok) return { _tag: 'Done', value: json as A }
    const title = textIn(json, 'title')
    return failed(
      response.status,
      title === '' ? `The platform answered with status ${response.status}` : sentence(title),
      sentence(textIn(json, 'detail')),
    )
  } catch {
    return response.status >= 500
      ? failed(response.status, 'The platform does not answer', 'It may be starting; this page tries again.')
      : failed(response.status, 'This is no answer of the platform', 'Something between you and it has answered.')
  }
}

const TIMEOUT_MS = 30_000

export const call = async <K extends CalledRoute>(
  route: K,
  { body, params, query }: CallInput<K> = {},
): Promise<Answered<CallAnswer<K>>> => {
  const [method, path] = addressOf(route, params, query)
  try {
    const response = await fetch(path, {
      method,
      headers: { 'x-devtool': '1', 'content-type': 'application/json' },
      ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return await answerOf<CallAnswer<K>>(response)
  } catch {
    return unreachable
  }
}
