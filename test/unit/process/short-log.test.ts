import { appendFileSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { shortenLog } from '../../../src/adapters/process/short-log.ts'

test('of a log that is too long the last complete lines are kept, and new lines follow', () => {
  const folder = mkdtempSync(join(tmpdir(), 'devtool-log-'))
  const path = join(folder, 'api.log')
  const log = openSync(path, 'a+')
  const limit = { mostBytes: 100, keptBytes: 20 }
  writeSync(log, 'line 1\n')
  shortenLog(log, limit)
  assert.is(readFileSync(path, 'utf8'), 'line 1\n')
  for (let line = 2; line <= 30; line += 1) appendFileSync(log, `line ${line}\n`)
  shortenLog(log, limit)
  writeSync(log, 'line 31\n')
  assert.is(readFileSync(path, 'utf8'), '... earlier output was left out ...\nline 29\nline 30\nline 31\n')
  closeSync(log)
  rmSync(folder, { recursive: true })
})

test.run()
