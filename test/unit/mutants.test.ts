/** The list of changes that `npm run mutants` makes. */
import { existsSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { mistakeIn, mutants } from '../../scripts/mutants/list.ts'

test('every change in the list applies in exactly one place', () => {
  assert.equal(
    mutants.flatMap((mutant) => mistakeIn(mutant) ?? []),
    [],
  )
})

test('the tests that should detect a change exist', () => {
  const missing = mutants.flatMap(({ tests }) => tests.filter((file) => !existsSync(file)))
  assert.equal([...new Set(missing)], [])
})

test.run()
