/** Places that services mount are looked up until there are too many of them. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { noFilesRead, settling } from '../../../src/app/project/reading.ts'
import { memoryFiles } from '../../memory/files.ts'

const settle = settling({ files: memoryFiles(new Map()) }, noFilesRead(new Map()), false)

test('files that lead to other files are looked up in at most 1,000 rounds', async () => {
  const looked = await settle('.', ({ host }) => {
    for (let at = 0; ; at += 1) if (host.look(`a${at}`)?._tag !== 'Missing') return at
  })
  assert.is(looked, 1_000)
})

test('no more than 100,000 places are looked up', async () => {
  const names = Array.from({ length: 100_200 }, (_, at) => `b${at}`)
  const tags = await settle('.', ({ host }) => names.map((name) => host.look(name)?._tag))
  assert.ok(tags.filter((tag) => tag === 'TooMany').length >= 200)
})

test.run()
