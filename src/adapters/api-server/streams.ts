/** Writes streams of events to clients, as fast as each of them reads. */
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { type EventStream, eventText, type ServerEvent, SIGN_OF_LIFE } from '../../domain/platform/api/events.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventSink } from './request-state.ts'

export type Streams = {
  /** Returns why the stream was refused, or `undefined` once it has begun. */
  readonly send: (
    outgoing: EventSink | undefined,
    headers: Readonly<Record<string, string>>,
    events: EventStream,
  ) => Diagnostic | undefined
  /** Ends all streams: clients continue at another replica. */
  readonly end: () => void
}

/** `most`: clients at the same time. `patienceMs`: how long a client may stall. */
type StreamOptions = {
  readonly clock: Pick<Clock, 'after' | 'every'>
  readonly failed: (cause: unknown) => void
  readonly most?: number
  readonly signOfLifeMs?: number
  readonly patienceMs?: number
}

const full = error('DT6007', 'too many clients are reading streams', { help: 'try again after a second' })
const notStreaming = error('DT6009', 'streams cannot be sent here')

/** Resolves when there is room for more, or the reader has gone. */
const roomIn = (outgoing: EventSink, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      outgoing.off('drain', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    outgoing.once('drain', done)
    signal.addEventListener('abort', done, { once: true })
  })

const streamHeaders = {
  'content-type': 'text/event-stream',
  // nginx buffers an answer unless it is told not to.
  'x-accel-buffering': 'no',
  // The client's next connection goes to another replica when this one is ending.
  connection: 'close',
}

const texts = new WeakMap<ServerEvent, string>()

/** One event may go to thousands of clients. */
const textOf = (event: ServerEvent): string => {
  const known = texts.get(event)
  if (known !== undefined) return known
  const text = eventText(event)
  texts.set(event, text)
  return text
}

export const eventStreams = ({
  clock,
  failed,
  most = 2000,
  patienceMs = 60_000,
  signOfLifeMs = 15_000,
}: StreamOptions): Streams => {
  const open = new Set<AbortController>()
  let isEnding = false

  const write = async (outgoing: EventSink, text: string, signal: AbortSignal): Promise<void> => {
    if (signal.aborted || outgoing.write(text)) return
    const giveUp = clock.after(patienceMs, () => outgoing.destroy())
    await roomIn(outgoing, signal)
    giveUp()
  }

  const pump = async (outgoing: EventSink, events: EventStream, { signal }: AbortController): Promise<void> => {
    for await (const event of events(signal)) {
      if (signal.aborted) return
      await write(outgoing, textOf(event), signal)
    }
  }

  const run = async (outgoing: EventSink, events: EventStream, ended: AbortController): Promise<void> => {
    const left = (): void => ended.abort()
    for (const name of ['close', 'error']) outgoing.on(name, left)
    // Proxies cut silent connections, and a client that has gone is only noticed by writing to it.
    const beat = clock.every(signOfLifeMs, () => outgoing.write(SIGN_OF_LIFE))
    try {
      await pump(outgoing, events, ended)
    } catch (cause) {
      failed(cause)
    }
    beat()
    open.delete(ended)
    outgoing.end()
  }

  return {
    send: (outgoing, headers, events) => {
      if (outgoing === undefined) return notStreaming
      if (isEnding || open.size >= most) return full
      const ended = new AbortController()
      open.add(ended)
      outgoing.writeHead(200, { ...headers, ...streamHeaders })
      outgoing.write(SIGN_OF_LIFE)
      void run(outgoing, events, ended)
      return undefined
    },
    end: () => {
      isEnding = true
      for (const one of open) one.abort()
    },
  }
}
