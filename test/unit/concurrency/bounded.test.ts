import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { bounded } from '../../../src/app/concurrency/bounded.ts'

test('no more than allowed run at once, and the results keep the order of the items', async () => {
  let [running, most] = [0, 0]
  const results = await bounded(
    [3, 1, 2, 0, 4, 1],
    async (turns) => {
      running += 1
      most = Math.max(most, running)
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
      running -= 1
      return turns * 10
    },
    2,
  )
  assert.equal(results, [30, 10, 20, 0, 40, 10])
  assert.is(most, 2)
})

test('a slow item does not block the others', async () => {
  let endSlow = (): void => undefined
  const slow = new Promise<void>((resolve) => (endSlow = resolve))
  const done: Array<number> = []
  const all = bounded(
    [0, 1, 2, 3, 4],
    async (item) => {
      if (item === 0) await slow
      done.push(item)
      if (item === 4) endSlow()
    },
    2,
  )
  await all
  assert.equal(done, [1, 2, 3, 4, 0])
})

test.run()
