/** A source with several readers. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { shared } from '../../../src/app/concurrency/shared.ts'
import { settle } from '../../memory/clock.ts'

const { signal: never } = new AbortController()

/** A source that says what it is told to. */
const manual = () => {
  let [wake, isOver, opened, stopped]: [() => void, boolean, number, number] = [() => {}, false, 0, 0]
  const items: Array<number> = []
  async function* open(signal: AbortSignal): AsyncGenerator<number> {
    opened += 1
    signal.addEventListener('abort', () => {
      stopped += 1
      wake()
    })
    while (!signal.aborted) {
      const item = items.shift()
      if (item !== undefined && item < 0) throw new Error('broken')
      if (item !== undefined) yield item
      else if (isOver) return
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  return {
    open,
    say: async (...more: ReadonlyArray<number>) => {
      items.push(...more)
      wake()
      await settle()
    },
    end: async () => {
      isOver = true
      wake()
      await settle()
    },
    counts: () => ({ opened, stopped }),
  }
}

const reading = (items: AsyncIterable<number>): { readonly seen: Array<number>; readonly ended: Promise<string> } => {
  const seen: Array<number> = []
  const read = async (): Promise<string> => {
    try {
      for await (const item of items) seen.push(item)
      return 'over'
    } catch (cause) {
      return String(cause)
    }
  }
  return { seen, ended: read() }
}

test('a source runs once for all its readers, and who comes later reads what there was', async () => {
  const [join, source] = [shared<number>(), manual()]
  const first = join('log', source.open)
  const one = reading(first.items(never))
  await source.say(1, 2)
  const second = join('log', source.open)
  const two = reading(second.items(never))
  await source.say(3)
  await source.end()
  assert.equal([first.isFirst, second.isFirst], [true, false])
  assert.equal(
    [one.seen, two.seen],
    [
      [1, 2, 3],
      [1, 2, 3],
    ],
  )
  assert.equal([await one.ended, await two.ended], ['over', 'over'])
  assert.equal(source.counts(), { opened: 1, stopped: 0 })
  assert.ok(join('log', manual().open).isFirst, 'it is over')
})

test('a source goes on without its first reader, and is stopped by the last', async () => {
  const [join, source] = [shared<number>(), manual()]
  const [first, second] = [join('log', source.open), join('log', source.open)]
  const two = reading(second.items(never))
  first.leave()
  await source.say(1)
  assert.equal([two.seen, source.counts().stopped], [[1], 0])
  second.leave()
  await settle()
  assert.is(source.counts().stopped, 1)
  assert.ok(join('log', manual().open).isFirst)
})

test('a reader who does not read is cut off after some items, and the others are not', async () => {
  const [join, source] = [shared<number>(1), manual()]
  const [slow, quick] = [join('log', source.open), join('log', source.open)]
  const two = reading(quick.items(never))
  for (const item of [1, 2, 3, 4]) await source.say(item)
  const one = reading(slow.items(never))
  assert.is(await one.ended, 'over')
  assert.equal(
    [one.seen, two.seen],
    [
      [1, 2, 3],
      [1, 2, 3, 4],
    ],
  )
  quick.leave()
})

test('the failure of a source is that of its readers, and a reader who is stopped ends alone', async () => {
  const [join, source] = [shared<number>(), manual()]
  const stopped = new AbortController()
  const one = reading(join('log', source.open).items(never))
  const two = reading(join('log', source.open).items(stopped.signal))
  stopped.abort()
  assert.is(await two.ended, 'over')
  await source.say(-1)
  assert.is(await one.ended, 'Error: broken')
})

test.run()
