/** Answers of the API as the state of a component. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { pauseAfter } from '../../domain/time/backoff.ts'
import { type Answered, type CallFailure, call } from './client.ts'
import { addressOf, type CallAnswer, type CalledRoute, type CallInput } from './routes.ts'

/** `value`: the latest one, even when `failure` says why there is no newer one. */
export type Loaded<A> = {
  readonly value: A | undefined
  readonly failure: CallFailure | undefined
  readonly reload: () => void
}

/** Requests are numbered: an answer is older than that of a later request, whenever it arrives. */
let requests = 0

/** Earlier answers are shown while they are read again. `value`: absent when there is none any more. */
const seen = new Map<string, { readonly request: number; readonly value?: unknown }>()

/** Of all that show the same: a newer answer is for each of them. */
const shown = new Set<(path: string) => void>()

/** Requests under way, which all that want the same wait for. */
const asked = new Map<string, { readonly request: number; readonly answer: Promise<Answered<unknown>> }>()

const OFTEN_MS = 2_000
const LONGEST_MS = 60_000

/** `everyMs`: reads it again while the page is visible, with growing pauses while that fails. */
export const useCall = <K extends CalledRoute>(
  route: K,
  input: Omit<CallInput<K>, 'body'> = {},
  everyMs?: number,
): Loaded<CallAnswer<K>> => {
  const [, path] = addressOf(route, input.params, input.query)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- kept below by the same path
  const known = (): CallAnswer<K> | undefined => seen.get(path)?.value as CallAnswer<K> | undefined
  const [state, setState] = useState<{ path: string; value?: CallAnswer<K>; failure?: CallFailure }>({ path })
  const again = useRef<() => void>(() => {})

  useEffect(() => {
    let [timer, isOver, failures, latest] = [0, false, 0, 0]
    const begin = () => {
      requests += 1
      return { request: requests, answer: call(route, input) }
    }
    const look = async (): Promise<void> => {
      clearTimeout(timer)
      const asking = asked.get(path) ?? begin()
      const { request } = asking
      asked.set(path, asking)
      latest = request
      const answer = await asking.answer
      if (asked.get(path) === asking) asked.delete(path)
      if (request !== latest) return
      const isNews = request >= (seen.get(path)?.request ?? 0)
      if (answer._tag === 'Done') {
        // Also for others, when who asked is not shown any more.
        if (isNews) seen.set(path, { request, value: answer.value })
        for (const show of shown) show(path)
      } else if (isNews && (answer.failure.status === 401 || answer.failure.status === 404)) seen.set(path, { request })
      if (isOver) return
      if (answer._tag === 'Failed') {
        const value = known()
        setState({ path, failure: answer.failure, ...(value !== undefined && { value }) })
      }
      failures = answer._tag === 'Done' ? 0 : failures + 1
      const isRetried = answer._tag === 'Failed' && (answer.failure.status === 0 || answer.failure.status >= 429)
      if (everyMs === undefined && !isRetried) return
      clearTimeout(timer)
      timer = setTimeout(lookIfSeen, pauseAfter({ firstMs: everyMs ?? OFTEN_MS, longestMs: LONGEST_MS }, failures))
    }
    const lookIfSeen = (): void => {
      if (!document.hidden) void look()
    }
    const show = (of: string): void => {
      const value = known()
      if (of === path && value !== undefined) setState({ path, value })
    }
    shown.add(show)
    again.current = () => {
      // What is under way may have been answered before the change.
      asked.delete(path)
      void look()
    }
    document.addEventListener('visibilitychange', lookIfSeen)
    void look()
    return () => {
      isOver = true
      shown.delete(show)
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', lookIfSeen)
    }
  }, [path, everyMs])

  const reload = useCallback(() => again.current(), [])
  const isOfPath = state.path === path
  const value = isOfPath ? (state.value ?? known()) : known()
  return { value, failure: isOfPath ? state.failure : undefined, reload }
}

/** A change that the user requests. `run` returns the answer when it succeeded. */
export type Change<K extends CalledRoute> = {
  readonly isBusy: boolean
  readonly failure: CallFailure | undefined
  readonly run: (input: CallInput<K>) => Promise<CallAnswer<K> | undefined>
  readonly clear: () => void
}

export const useChange = <K extends CalledRoute>(route: K): Change<K> => {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<CallFailure>()
  const run = async (input: CallInput<K>): Promise<CallAnswer<K> | undefined> => {
    setBusy(true)
    setFailure(undefined)
    const answer = await call(route, input)
    setBusy(false)
    if (answer._tag === 'Done') return answer.value
    setFailure(answer.failure)
    return undefined
  }
  return { isBusy, failure, run, clear: () => setFailure(undefined) }
}
