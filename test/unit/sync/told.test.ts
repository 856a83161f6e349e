/** What people are told of files that cannot be written. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { outcomeOf, readWordsOf } from '../../../src/adapters/sync/refusal.ts'
import { tellSync } from '../../../src/app/dev/tell-sync.ts'
import { memoryClock } from '../../memory/clock.ts'

const failure = (code: string, name: string): Error =>
  Object.assign(new Error(`${code}: something of the system, open '/app/${name}'`), { code })

test('the reason is described in words, the same for each attempt, with what helps', () => {
  for (const [code, words] of [
    ['ENOSPC', 'no space left on the disk; delete something there'],
    ['EROFS', 'the file system is read-only; synchronise a folder that can be written'],
    ['EACCES', 'permission denied; let the user that runs there write to it'],
  ] as const) {
    const [first, second] = ['.devtool-sync-1', '.devtool-sync-2'].map((name) => outcomeOf(failure(code, name)))
    assert.equal(first, second)
    assert.match(JSON.stringify(first), words)
  }
})

test('for an unreadable folder, the advice is about reading, not about writing', () => {
  assert.is(readWordsOf(failure('EACCES', 'a')), 'permission denied; let the user that runs there read it')
  assert.is(readWordsOf(failure('ENOSPC', 'a')), 'no space left on the disk')
})

test('of many files that are not synchronised one is named, and the others are counted', async () => {
  const [clock, said]: [ReturnType<typeof memoryClock>, Array<string>] = [memoryClock(), []]
  const teller = tellSync(clock, 'api', (text) => said.push(text))
  const lines = Array.from({ length: 30 }, (_, index) => `f${index} cannot be written here: no space left on the disk`)
  teller.troubles(lines)
  await clock.advance(1000)
  teller.troubles(lines)
  await clock.advance(1000)
  assert.equal(said, [
    'api: f0 cannot be written here: no space left on the disk; 29 more files are not synchronised: `devtool status api -o json` says why',
  ])
})

test.run()
