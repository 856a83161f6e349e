import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isTerminal, standard } from '../../src/cli/standard.ts'

const folder = mkdtempSync(join(tmpdir(), 'standard-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))

const unopened = (): Writable => {
  throw new Error('the stream was opened')
}

const collector = () => {
  const chunks: Array<Buffer> = []
  const stream = new Writable({
    write: (chunk, _, done) => {
      chunks.push(chunk)
      done()
    },
  })
  return { stream, said: () => Buffer.concat(chunks) }
}

const everything = (fd: number, length: number): Buffer => {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(fd, bytes, 0, length, null))
}

test('data that does not fit into a non-blocking descriptor is left to the stream', async () => {
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  const fd = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK)
  const { said, stream } = collector()
  const { print } = standard(
    fd,
    () => stream,
    () => true,
  )
  const text = 'šedá\n'.repeat(200_000)
  assert.equal(await print(text), { _tag: 'Done' })
  const written = everything(fd, Buffer.byteLength(text))
  closeSync(fd)
  assert.ok(written.length > 0 && said().length > 0)
  assert.ok(Buffer.concat([written, said()]).equals(Buffer.from(text)))
})

test('text goes to the stream once it is open, and always while other work must go on', async () => {
  const [first, second] = [collector(), collector()]
  const opened = standard(
    -1,
    () => first.stream,
    () => true,
  )
  opened.open()
  await opened.print('a')
  await standard(
    -1,
    () => second.stream,
    () => false,
  ).print('b')
  assert.equal([first.said().toString(), second.said().toString()], ['a', 'b'])
})

test('a descriptor that cannot be written gives the reason, and one without a reader is not a failure', async () => {
  const full = openSync('/dev/full', 'w')
  assert.equal(await standard(full, unopened, () => true).print('a'), { _tag: 'Failed', code: 'ENOSPC' })
  closeSync(full)
  assert.equal(await standard(full, unopened, () => true).print(''), { _tag: 'Done' })
})

test('neither a file nor the null device is a terminal', () => {
  for (const path of ['/dev/null', new URL(import.meta.url).pathname]) {
    const fd = openSync(path, 'r')
    assert.is(isTerminal(fd), false)
    closeSync(fd)
  }
})

test.run()
