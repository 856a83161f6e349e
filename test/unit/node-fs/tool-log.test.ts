/** The log that devtool keeps of its requests. */
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { traced } from '../../../src/adapters/http/trace.ts'
import { toolLog } from '../../../src/adapters/node-fs/tool-log.ts'

type Context = { folder: string }

const test = suite<Context>('tool log')
test.before.each((world) => {
  world.folder = mkdtempSync(join(tmpdir(), 'log-'))
})
test.after.each(({ folder }) => rmSync(folder, { recursive: true, force: true }))

const clockAt = (second: number) => ({ date: () => `2026-11-21T10:00:${String(second).padStart(2, '0')}Z` })
const logOf = (folder: string, second = 0) => toolLog({ DEVTOOL_HOME: folder }, clockAt(second))

const only = (folder: string): string => {
  const names = readdirSync(join(folder, 'log'))
  assert.is(names.length, 1)
  return join(folder, 'log', names[0] ?? '')
}

test('a run without requests leaves no file', ({ folder }) => {
  logOf(folder)
  assert.equal(readdirSync(folder), [])
})

test('each line has its time, and only its owner can read the file', ({ folder }) => {
  const log = logOf(folder)
  log('cluster GET /api 200 3 ms')
  log('cluster GET /apis 200 4 ms')
  const file = only(folder)
  assert.is(lstatSync(file).mode & 0o777, 0o600)
  assert.is(lstatSync(join(folder, 'log')).mode & 0o777, 0o700)
  const [first, second] = readFileSync(file, 'utf8').split('\n')
  assert.is(first, '2026-11-21T10:00:00Z cluster GET /api 200 3 ms')
  assert.is(second, '2026-11-21T10:00:00Z cluster GET /apis 200 4 ms')
})

test('credentials and control characters do not reach the file', ({ folder }) => {
  logOf(folder)('registry GET /v2/token=hunter2/\u001b[31m\nforged 200 3 ms')
  const text = readFileSync(only(folder), 'utf8')
  assert.not.match(text, 'hunter2')
  assert.not.match(text, '\u001b')
  assert.is(text.split('\n').length, 2)
})

test('a file has at most 1 MiB, and says that the rest is missing', ({ folder }) => {
  const log = logOf(folder)
  for (let at = 0; at < 3000; at += 1) log(`cluster GET /${'é'.repeat(300)} 200 3 ms`)
  const bytes = readFileSync(only(folder))
  assert.ok(bytes.length <= 1024 * 1024, String(bytes.length))
  assert.match(bytes.toString(), /the log is full\n$/)
})

test('the last 20 runs are kept, and other files are not touched', ({ folder }) => {
  mkdirSync(join(folder, 'log'))
  writeFileSync(join(folder, 'log', 'notes.txt'), '')
  for (let second = 0; second < 25; second += 1) logOf(folder, second)('cluster GET /api 200 3 ms')
  const names = readdirSync(join(folder, 'log'))
  assert.is(names.length, 21)
  assert.ok(names.includes('notes.txt'))
  assert.ok(names.includes(`20261121100024-${process.pid}.log`))
  assert.not.ok(names.includes(`20261121100004-${process.pid}.log`))
})

test('a folder that is a link, or no folder, is left alone', ({ folder }) => {
  const other = join(folder, 'other')
  mkdirSync(other)
  symlinkSync(other, join(folder, 'log'))
  logOf(folder)('cluster GET /api 200 3 ms')
  assert.equal(readdirSync(other), [])
  toolLog({ DEVTOOL_HOME: '/dev/null' }, clockAt(0))('cluster GET /api 200 3 ms')
  toolLog({}, clockAt(0))('cluster GET /api 200 3 ms')
})

test('a request is logged without its query, with its status and duration, or as one without a response', async () => {
  const lines: Array<string> = []
  let nowMs = 0
  const tracing = { trace: (line: string) => lines.push(line), clock: { now: () => (nowMs += 7) } }
  const by = traced(tracing, { to: 'cluster', method: 'GET', path: '/api/v1/pods?token=hunter2#x' })
  await by(TE.right({ status: 200 }), ({ status }) => status)()
  const failed: E.Either<string, { readonly status: number }> = E.left('refused')
  await by(TE.fromEither(failed), ({ status }) => status)()
  assert.equal(lines, ['cluster GET /api/v1/pods 200 7 ms', 'cluster GET /api/v1/pods no response 7 ms'])
})

test.run()
