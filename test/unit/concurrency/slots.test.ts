import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { slots } from '../../../src/app/concurrency/slots.ts'

test('no more tasks run at once than there are slots, and waiting tasks are notified and run in order', async () => {
  let [running, most, waits] = [0, 0, 0]
  const order: Array<number> = []
  const slot = slots(3, () => {
    waits += 1
  })
  const one = (index: number) => async (): Promise<void> => {
    order.push(index)
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
  }
  await Promise.all(Array.from({ length: 10 }, (_, index) => slot(one(index))))
  assert.is(most, 3)
  assert.is(waits, 7)
  assert.equal(
    order,
    order.toSorted((a, b) => a - b),
  )
})

test('a failure frees its slot', async () => {
  const slot = slots(1, () => {})
  const failed = slot(() => Promise.reject(new Error('no')))
  let hasRun = false
  await slot(() => {
    hasRun = true
    return Promise.resolve()
  })
  assert.ok(hasRun)
  assert.is(await failed.catch(({ message }) => message), 'no')
})

test.run()
