/** Scripted failures: requests are matched by verb and name. */
import type { ApiRequest, Failure, RefusalCause } from '../../src/domain/cluster/failure.ts'

/**
 * `what` as requested (`Deployment/web`, `pods`), `*` for anything. `status` 0: no response; -1: the connection breaks.
 * `times`: how often, forever when absent. `isDone`: the request is carried out, only its response is lost.
 */
export type ScriptedFailure = {
  readonly verb: string
  readonly what: string
  readonly status: number
  readonly reason?: string
  readonly message?: string
  readonly causes?: ReadonlyArray<RefusalCause>
  readonly mayHaveHappened?: boolean
  readonly times?: number
  readonly isDone?: boolean
}

/** A request to match. */
type Met = { readonly failure: Failure; readonly isDone: boolean }

const matches = (pattern: string, text: string): boolean => pattern === '*' || pattern === text

const failureOf = (server: string, asked: ApiRequest, failure: ScriptedFailure): Failure => {
  const { causes = [], mayHaveHappened = false, message = '', reason = '', status } = failure
  if (status === 0)
    return { _tag: 'Unreachable', asked, server, cause: message || 'connection refused', mayHaveHappened }
  if (status < 0) return { _tag: 'Aborted', asked }
  if (status === 410) return { _tag: 'Gone', asked }
  return { _tag: 'Refused', asked, status, reason, message, causes }
}

export type Script = {
  readonly add: (failure: ScriptedFailure) => void
  /** The failure for this request; each use counts. */
  readonly next: (asked: ApiRequest) => Met | undefined
}

export const scriptOf = (server: string, failures: ReadonlyArray<ScriptedFailure>): Script => {
  const left = new Map<ScriptedFailure, number>(failures.map((one) => [one, one.times ?? Number.POSITIVE_INFINITY]))
  return {
    add: (failure) => left.set(failure, failure.times ?? Number.POSITIVE_INFINITY),
    next: (asked) => {
      for (const [failure, times] of left) {
        if (times <= 0 || !matches(failure.verb, asked.verb) || !matches(failure.what, asked.what)) continue
        left.set(failure, times - 1)
        return { failure: failureOf(server, asked, failure), isDone: failure.isDone === true }
      }
      return undefined
    },
  }
}
