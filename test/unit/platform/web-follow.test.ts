/** How a page follows the log of a run: what ends it, and what does not. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { followLog } from '../../../src/web/api/follow.ts'

const test = suite<{ real: typeof fetch }>('following a log')

test.before((world) => {
  world.real = globalThis.fetch
})

test.after.each(({ real }) => {
  globalThis.fetch = real
})

const event = (n: number): string =>
  `id: ${n}\nevent: log\ndata: ${JSON.stringify({ n, at: '', text: `line ${n}` })}\n\n`
const END = 'event: end\ndata: {}\n\n'

/** Sends the texts with pauses between them, and then stays silent until the connection is closed. */
const silentAfter = (texts: ReadonlyArray<string>, signal: AbortSignal, pauseMs = 0): Response => {
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      signal.addEventListener('abort', () => controller.error(new Error('closed')))
      for (const text of texts) {
        if (signal.aborted) return
        controller.enqueue(new TextEncoder().encode(text))
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    },
  })
  return new Response(body)
}

type Answer = (signal: AbortSignal) => Response

/** What a page hears when the platform answers like this, one answer for each connection. */
const followed = async (answers: ReadonlyArray<Answer>, silenceMs = 200) => {
  const [heard, resumed]: [Array<string>, Array<string>] = [[], []]
  globalThis.fetch = async (_, init) => {
    resumed.push(new Headers(init?.headers).get('last-event-id') ?? '')
    const answer = answers[resumed.length - 1]
    if (answer === undefined || !init?.signal) throw new Error('nothing answers')
    return answer(init.signal)
  }
  const follower = {
    lines: (lines: ReadonlyArray<{ readonly text: string }>) => void heard.push(...lines.map(({ text }) => text)),
    ended: () => void heard.push('ended'),
    lost: (isLost: boolean) => void (isLost && heard.push('lost')),
    refused: (why: string) => void heard.push(why),
  }
  await followLog({ namespace: 'shop', run: 'x' }, follower, AbortSignal.timeout(5_000), silenceMs)
  return { heard, resumed }
}

test('a connection that has become silent is lost, and the log goes on after its last line', async () => {
  const { heard, resumed } = await followed([
    (signal) => silentAfter([event(1), event(2)], signal),
    (signal) => silentAfter([event(3) + END], signal),
  ])
  assert.equal(heard.slice(0, 4), ['line 1', 'line 2', 'lost', 'line 3'])
  assert.equal(resumed.slice(0, 2), ['', '2'])
})

test('signs of life keep a connection', async () => {
  const signs = Array.from({ length: 8 }, () => ': alive\n\n')
  const { heard, resumed } = await followed([
    (signal) => silentAfter([...signs, event(1)], signal, 50),
    () => new Response(END),
  ])
  assert.equal(heard, ['line 1', 'lost', 'ended'])
  assert.equal(resumed, ['', '1'])
})

test('who has lost the login, the right or the run is told so, and nothing is tried again', async () => {
  for (const [status, why] of [
    [401, /not logged in any more/],
    [403, /may not read/],
    [404, /not there any more/],
    [400, /status 400/],
  ] as const) {
    const { heard, resumed } = await followed([() => new Response('{}', { status })])
    assert.is(heard.length, 1)
    assert.match(heard[0] ?? '', why)
    assert.is(resumed.length, 1)
  }
})

test('a platform that is busy or down is tried again', async () => {
  const { heard } = await followed([() => new Response('', { status: 503 }), () => new Response(event(1) + END)])
  assert.equal(heard, ['lost', 'line 1', 'ended'])
})

test.run()
