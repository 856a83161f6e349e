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
  /** The platform does not send the log, and trying again would not help. */
  readonly refused: (why: string) => void
}

/** Of three signs of life that the platform sends without lines. */
const SILENCE_MS = 45_000

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

type Receive = (
  body: ReadableStream<Uint8Array>,
  last: number,
  follower: Follower,
  heard: () => void,
) => Promise<Received>

/** Runs until the stream ends. Lines that arrive together are passed on together. */
const receive: Receive = async (body, last, { lines }, heard) => {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const read = eventReader()
  let [rest, seen, isEnd] = ['', last, false]
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return { last: seen, isEnd }
    heard()
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

const refusals: Readonly<Record<number, string>> = {
  401: 'You are not logged in any more. Load this page again to log in.',
  403: 'You may not read this log.',
  404: 'This run, or its namespace, is not there any more, or you have lost access to it.',
}

/** Ends the connection when nothing has been heard for too long, as after the sleep of a computer. */
const listening = (silenceMs: number, left: AbortSignal) => {
  const silence = new AbortController()
  const end = (): void => silence.abort()
  let timer = setTimeout(end, silenceMs)
  left.addEventListener('abort', end)
  return {
    signal: silence.signal,
    heard: (): void => {
      clearTimeout(timer)
      timer = setTimeout(end, silenceMs)
    },
    stop: (): void => {
      clearTimeout(timer)
      left.removeEventListener('abort', end)
    },
  }
}

/** Resumes after the last line when the connection is lost, with growing pauses. */
export const followLog = async (
  params: Readonly<Record<string, string>>,
  follower: Follower,
  signal: AbortSignal,
  silenceMs = SILENCE_MS,
): Promise<void> => {
  const [, path] = addressOf('followRun', params)
  let [last, failures] = [0, 0]
  while (!signal.aborted) {
    const before = last
    const connection = listening(silenceMs, signal)
    try {
      const headers = { 'x-devtool': '1', ...(last > 0 && { 'last-event-id': String(last) }) }
      const response = await fetch(path, { headers, signal: connection.signal })
      if (response.ok && response.body !== null) {
        follower.lost(false)
        const noting: Follower = {
          ...follower,
          lines: (lines) => {
            last = lines.at(-1)?.n ?? last
            follower.lines(lines)
          },
        }
        const { isEnd, last: seen } = await receive(response.body, last, noting, connection.heard)
        last = seen
        if (isEnd) return follower.ended()
      } else if (response.status < 429) {
        return follower.refused(refusals[response.status] ?? `The platform answered with status ${response.status}.`)
      }
    } catch {
      // The connection is lost, or the page was left.
    } finally {
      connection.stop()
    }
    if (signal.aborted) return
    failures = last > before ? 0 : failures + 1
    follower.lost(true)
    await pause(pauseAfter(pauses, failures), signal)
  }
}
