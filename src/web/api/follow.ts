/** The log of a run, line by line, as the platform sends it. */
import { eventReader } from '../../domain/platform/api/events.ts'
import { pauseAfter } from '../../domain/time/backoff.ts'
import type { ShownLine } from '../model/log.ts'
import { addressOf } from './routes.ts'

export type Follower = {
  readonly lines: (lines: ReadonlyArray<ShownLine>) => void
  /** The run has ended, and its whole log has arrived. */
  readonly ended: () => void
  /** Whether the connection is lost at the moment. */
  readonly lost: (isLost: boolean) => void
}

const lineOf = (data: string): ShownLine | undefined => {
  try {
    const json: unknown = JSON.parse(data)
    if (typeof json !== 'object' || json === null) return undefined
    const { at, n, text }: Partial<Record<keyof ShownLine, unknown>> = json
    return typeof n === 'number' && typeof text === 'string'
      ? { n, at: typeof at === 'string' ? at : '', text }
      : undefined
  } catch {
    return undefined
  }
}

type Received = { readonly last: number; readonly isEnd: boolean }

/** Runs until the stream ends. Lines that arrive together are passed on together. */
const receive = async (body: ReadableStream<Uint8Array>, last: number, { lines }: Follower): Promise<Received> => {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const read = eventReader()
  let [rest, seen, isEnd] = ['', last, false]
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return { last: seen, isEnd }
    const texts = (rest + decoder.decode(value, { stream: true })).split('\n')
    rest = texts.pop() ?? ''
    const events = texts.flatMap((text) => read(text) ?? [])
    const came = events.flatMap(({ data, event }) => (event === 'log' ? (lineOf(data) ?? []) : []))
    if (came.length > 0) lines(came)
    seen = came.at(-1)?.n ?? seen
    isEnd ||= events.some(({ event }) => event === 'end')
  }
}

const pauses = { firstMs: 500, longestMs: 15_000 }

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

/** Resumes after the last line when the connection is lost, with growing pauses. */
export const followLog = async (
  params: Readonly<Record<string, string>>,
  follower: Follower,
  signal: AbortSignal,
): Promise<void> => {
  const [, path] = addressOf('followRun', params)
  let [last, failures] = [0, 0]
  while (!signal.aborted) {
    const before = last
    try {
      const headers = { 'x-devtool': '1', ...(last > 0 && { 'last-event-id': String(last) }) }
      const response = await fetch(path, { headers, signal })
      if (response.ok && response.body !== null) {
        follower.lost(false)
        const { isEnd, last: seen } = await receive(response.body, last, {
          ...follower,
          lines: (lines) => {
            last = lines.at(-1)?.n ?? last
            follower.lines(lines)
          },
        })
        last = seen
        if (isEnd) return follower.ended()
      } else if (response.status < 429) return follower.ended()
    } catch {
      // The connection is lost, or the page was left.
    }
    if (signal.aborted) return
    failures = last > before ? 0 : failures + 1
    follower.lost(true)
    await pause(pauseAfter(pauses, failures), signal)
  }
}
