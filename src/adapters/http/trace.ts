/** Reports requests: who was asked, what for, how it ended and how long it took; never a query, a header or a body. */
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Clock } from '../../ports/clock.ts'

/** Gets a line for each request. */
export type Trace = (line: string) => void

/** `to`: the cluster, or the host of a registry or builder. `path` may have a query. */
type RequestHead = { readonly to: string; readonly method: string; readonly path: string }

/** `status`: of the response, or why there is none. */
export const requestLine = ({ method, path, to }: RequestHead, status: string | number, ms: number): string =>
  `${to} ${method} ${path.replace(/[?#].*/s, '')} ${status} ${Math.round(ms)} ms`

export type Tracing = { readonly trace: Trace; readonly clock: Pick<Clock, 'now'> }

/** `statusOf`: of a response. */
export const traced =
  ({ clock, trace }: Tracing, head: RequestHead) =>
  <L, A>(work: TE.TaskEither<L, A>, statusOf: (answer: A) => string | number | undefined): TE.TaskEither<L, A> =>
  async () => {
    const startMs = clock.now()
    const result = await work()
    const status = E.isRight(result) ? (statusOf(result.right) ?? 'answered') : 'no response'
    trace(requestLine(head, status, clock.now() - startMs))
    return result
  }
