import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withResource } from '../../../src/app/concurrency/resource.ts'

/** What happens to a lock that is held for `use`. */
const holding = (use: TE.TaskEither<string, number>, acquire: TE.TaskEither<string, string> = TE.right('lock')) => {
  const events: Array<string> = []
  const run = withResource(
    acquire,
    (lock) => async () => {
      events.push(`use ${lock}`)
      return use()
    },
    (lock) => async () => events.push(`release ${lock}`),
  )
  return { events, run }
}

test('a resource is released after its use, whether that failed or not', async () => {
  for (const result of [E.right(1), E.left('broken')]) {
    const { events, run } = holding(async () => result)
    assert.equal(await run(), result)
    assert.equal(events, ['use lock', 'release lock'])
  }
})

test('a resource is released when its use throws', async () => {
  const { events, run } = holding(() => Promise.reject(new Error('a defect')))
  const thrown = await run().catch((cause: unknown) => cause)
  assert.instance(thrown, Error)
  assert.equal(events, ['use lock', 'release lock'])
})

test('a resource that could not be acquired is neither used nor released', async () => {
  const { events, run } = holding(TE.right(1), TE.left('taken'))
  assert.equal(await run(), E.left('taken'))
  assert.equal(events, [])
})

test.run()
