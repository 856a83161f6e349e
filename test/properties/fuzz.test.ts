/** The short form of `npm run fuzz`: in this process, from a fixed seed. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { fuzz } from '../support/arbitrary/fuzz.ts'

const seed = 20_250_101
const count = Number(process.env['FUZZ_RUNS'] ?? 100)

test(`${count} inputs of each kind give a plan or an error with a place, within the time limit`, () => {
  const failures = fuzz(seed, count)
  const shown = failures.slice(0, 5).map(({ kind, index, problems }) => `${kind} ${index}: ${problems.join('; ')}`)
  assert.is(failures.length, 0, `seed ${seed}\n${shown.join('\n')}`)
})

test.run()
