/** Files are replaced whole or not at all, and locks of others stay. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { acquireLock, takeOver } from '../../../src/adapters/node-fs/home-lock.ts'
import { replacePrivately } from '../../../src/adapters/node-fs/home-write.ts'
import { nodeWriter } from '../../../src/adapters/node-fs/writer.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'

const test = suite<{ folder: string }>('writing')

test.before.each((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'writing-'))
})
test.after.each(({ folder }) => rmSync(folder, { recursive: true }))

test('a file that is replaced keeps its mode, and nothing is left beside it', async ({ folder }) => {
  const file = join(folder, 'a')
  writeFileSync(file, 'old')
  chmodSync(file, 0o640)
  assert.ok(E.isRight(await nodeWriter(folder).replace('a', 'new')()))
  assert.equal([readFileSync(file, 'utf8'), statSync(file).mode & 0o777], ['new', 0o640])
  assert.equal(readdirSync(folder), ['a'])
})

test('a private file can be read by this user only, also if it replaces another', async ({ folder }) => {
  for (const name of ['private', 'a']) {
    writeFileSync(join(folder, 'a'), 'old')
    assert.ok(E.isRight(await nodeWriter(folder).replace(name, 'new', { isPrivate: true })()))
    assert.is(statSync(join(folder, name)).mode & 0o777, 0o600)
  }
})

test('a file behind a link is replaced, the link stays', async ({ folder }) => {
  writeFileSync(join(folder, 'a'), 'old')
  symlinkSync('a', join(folder, 'link'))
  await nodeWriter(folder).replace('link', 'new')()
  assert.ok(lstatSync(join(folder, 'link')).isSymbolicLink())
  assert.is(readFileSync(join(folder, 'a'), 'utf8'), 'new')
})

test('a path that is not a file is not replaced, and the failure gives the reason', async ({ folder }) => {
  mkdirSync(join(folder, 'a'))
  const written = await nodeWriter(folder).replace('a', 'new')()
  assert.match(E.isLeft(written) ? written.left.message : '', 'not a regular file')
  assert.equal(readdirSync(folder), ['a'])
})

test('a cancelled write changes nothing and leaves no files', ({ folder }) => {
  const file = join(folder, 'state')
  writeFileSync(file, 'old')
  assert.is(
    replacePrivately(file, 'new', () => false),
    false,
  )
  assert.equal([readFileSync(file, 'utf8'), readdirSync(folder)], ['old', ['state']])
})

test('a write that fails midway leaves the old file, and nothing beside it', ({ folder }) => {
  writeFileSync(join(folder, 'a'), 'old')
  const program = `
    import { nodeWriter } from ${JSON.stringify(new URL('../../../src/adapters/node-fs/writer.ts', import.meta.url).href)}
    const written = await nodeWriter(${JSON.stringify(folder)}).replace('a', 'x'.repeat(1_000_000))()
    process.stdout.write(written._tag === 'Left' ? written.left.message : 'written')
  `
  // A limit of the process for the size of files fails as a full disk does.
  const limited = 'ulimit -f 8 && exec "$0" --import tsx --input-type=module --eval "$1"'
  const said = execFileSync('sh', ['-c', limited, process.execPath, program], {
    encoding: 'utf8',
    env: { ...process.env, TSX_DISABLE_CACHE: '1' },
  })
  assert.is(said, 'cannot write a: the file would be too large')
  assert.equal([readFileSync(join(folder, 'a'), 'utf8'), readdirSync(folder)], ['old', ['a']])
})

const soon = { staleMs: 10_000, waitMs: 100 }

test('a lock that another process took meanwhile is not released', async ({ folder }) => {
  const file = join(folder, 'lock')
  const lock = await acquireLock(file, systemClock, soon)()
  writeFileSync(file, '1 elsewhere x')
  if (E.isRight(lock)) lock.right.release()
  assert.is(readFileSync(file, 'utf8'), '1 elsewhere x')
})

test('a lock that changed hands after it was read is not taken over', ({ folder }) => {
  const file = join(folder, 'lock')
  writeFileSync(file, '1 elsewhere new')
  takeOver(file, '1 elsewhere old', systemClock)
  assert.is(readFileSync(file, 'utf8'), '1 elsewhere new')
  takeOver(file, '1 elsewhere new', systemClock)
  assert.equal(readdirSync(folder), [])
})

test('a lock that another process is taking over is left to it, for a minute', ({ folder }) => {
  const file = join(folder, 'lock')
  writeFileSync(file, '1 elsewhere x')
  writeFileSync(`${file}.takeover`, '')
  takeOver(file, '1 elsewhere x', systemClock)
  assert.equal(readdirSync(folder), ['lock', 'lock.takeover'])
  const later = { ...systemClock, wallMs: () => systemClock.wallMs() + 61_000 }
  takeOver(file, '1 elsewhere x', later)
  assert.equal(readdirSync(folder), ['lock'])
})

test('the lock of a dead process is taken over at once, one of another machine only after a while', async ({
  folder,
}) => {
  const file = join(folder, 'lock')
  const gone = 2 ** 22 + 1
  writeFileSync(file, `${gone} ${hostname()} x`)
  assert.ok(E.isRight(await acquireLock(file, systemClock, soon)()))
  writeFileSync(file, `${gone} another-machine x`)
  const refused = await acquireLock(file, systemClock, soon)()
  assert.is(E.isLeft(refused) ? refused.left.code : 'taken', 'DT2106')
})

test.run()
