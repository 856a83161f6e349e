/** The log of the end here. */
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { logFile } from '../../../src/adapters/sync/log-file.ts'
import { memoryClock } from '../../memory/clock.ts'

const test = suite<{ base: string }>('log of a synchronisation')

test.before.each((context) => {
  context.base = fs.mkdtempSync(join(tmpdir(), 'log-file-'))
})
test.after.each(({ base }) => fs.rmSync(base, { recursive: true }))

const long = 'x'.repeat(100 * 1024)

/** Each line is written on its own. */
const write = async (file: string, lines: ReadonlyArray<string>): Promise<void> => {
  const clock = memoryClock()
  const log = logFile(clock, file)
  for (const line of lines) {
    log.add(line)
    await clock.advance(1000)
  }
  log.close()
}

test('a log that has reached its size is renamed', async ({ base }) => {
  const file = join(base, 'log')
  await write(file, [long, long, long, 'last'])
  assert.is(fs.readFileSync(file, 'utf8'), 'last\n')
  assert.match(fs.readFileSync(`${file}.1`, 'utf8'), /x\n$/)
})

test('if a log cannot be renamed, no line is lost, and it does not grow for ever', async ({ base }) => {
  const file = join(base, 'log')
  fs.mkdirSync(join(base, 'log.1', 'in the way'), { recursive: true })
  await write(file, [long, long, long, 'one', 'two'])
  assert.match(fs.readFileSync(file, 'utf8'), /x\none\ntwo\n$/)
  await write(
    file,
    Array.from({ length: 20 }, () => long),
  )
  assert.ok(fs.statSync(file).size < 1024 * 1024)
})

test.run()
