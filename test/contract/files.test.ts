/** What every reader and writer of files has to do, tried on the real disk and on the one in memory. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeFiles } from '../../src/adapters/node-fs/files.ts'
import { nodeWriter } from '../../src/adapters/node-fs/writer.ts'
import type { FileReader, FileWriter } from '../../src/ports/files.ts'
import { memoryFiles, text } from '../memory/files.ts'

type Context = {
  readonly files: FileReader & FileWriter
  readonly end: () => void
  readonly names: () => ReadonlyArray<string>
}

const limit = 16 * 1024 * 1024

const onDisk = (): Context => {
  const base = mkdtempSync(join(tmpdir(), 'files-'))
  const cwd = join(base, 'project')
  const write = (path: string, content: string): void => {
    mkdirSync(dirname(join(base, path)), { recursive: true })
    writeFileSync(join(base, path), content)
  }
  write('outside.txt', 'outside')
  write('project-2/near.txt', 'near')
  write('project/a.txt', 'a')
  write('project/sub/b.txt', 'b')
  write('project/empty.txt', '')
  for (const [name, size] of [
    ['full.bin', limit],
    ['large.bin', limit + 1],
  ] as const) {
    write(`project/${name}`, '')
    truncateSync(join(cwd, name), size)
  }
  symlinkSync('a.txt', join(cwd, 'link'))
  symlinkSync('../outside.txt', join(cwd, 'escape'))
  symlinkSync('..', join(cwd, 'up'))
  symlinkSync('nowhere', join(cwd, 'dangling'))
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(cwd, 'pipe')])
  const stdin = Readable.from([Buffer.from('from '), Buffer.from('stdin')])
  const files = {
    ...nodeFiles(cwd, () => stdin),
    ...nodeWriter(cwd),
  }
  return { files, end: () => rmSync(base, { recursive: true }), names: () => readdirSync(cwd) }
}

const inMemory = (): Context => {
  const zeros = (size: number) => ({ _tag: 'File', bytes: new Uint8Array(size) }) as const
  const link = (to: string) => ({ _tag: 'Link', to }) as const
  const disk = new Map([
    ['<stdin>', text('from stdin')],
    ['../outside.txt', text('outside')],
    ['../project-2/near.txt', text('near')],
    ['a.txt', text('a')],
    ['sub/b.txt', text('b')],
    ['empty.txt', text('')],
    ['full.bin', zeros(limit)],
    ['large.bin', zeros(limit + 1)],
    ['link', link('a.txt')],
    ['escape', link('../outside.txt')],
    ['up', link('..')],
    ['dangling', link('nowhere')],
    ['pipe', { _tag: 'Pipe' }],
  ] as const)
  return { files: memoryFiles(new Map(disk)), end: () => {}, names: () => [] }
}

for (const [name, make] of [
  ['disk', onDisk],
  ['memory', inMemory],
] as const) {
  const test = suite<{ world?: Context }>(`files (${name})`)
  test.before.each((context) => {
    context.world = make()
  })
  test.after.each(({ world }) => world?.end())

  const read = async (world: Context | undefined, path: string, root?: string): Promise<string> => {
    const content = await world?.files.read(path, { root })()
    if (content?._tag === 'File')
      return `File ${content.bytes.length > 100 ? content.bytes.length : Buffer.from(content.bytes).toString()}`
    return content?._tag ?? ''
  }

  for (const [path, expected] of [
    ['a.txt', 'File a'],
    ['./sub/../a.txt', 'File a'],
    ['empty.txt', 'File '],
    ['link', 'File a'],
    ['escape', 'File outside'],
    ['up/outside.txt', 'File outside'],
    ['missing.txt', 'Missing'],
    ['a.txt/below', 'Missing'],
    ['dangling', 'Missing'],
    ['sub', 'NotAFile'],
    ['pipe', 'NotAFile'],
    ['full.bin', `File ${limit}`],
    ['large.bin', 'TooLarge'],
    ['<stdin>', 'File from stdin'],
  ] as const) {
    test(`reading ${path} gives ${expected}`, async ({ world }) => assert.is(await read(world, path), expected))
  }

  const look = async (world: Context | undefined, path: string, root = '.'): Promise<string> => {
    const entry = await world?.files.look(path, root)()
    const real = entry?._tag === 'File' || entry?._tag === 'Folder' ? entry.real.split('/').at(-1) : ''
    if (entry?._tag === 'File') return `File ${real} ${entry.sizeBytes}`
    return entry?._tag === 'Folder' ? `Folder ${entry.names.join()}` : (entry?._tag ?? '')
  }

  for (const [path, root, expected] of [
    ['a.txt', '.', 'File a.txt 1'],
    ['link', '.', 'File a.txt 1'],
    ['sub', '.', 'Folder b.txt'],
    ['escape', '.', 'Outside'],
    ['up', '.', 'Outside'],
    ['up/outside.txt', '.', 'Outside'],
    ['a.txt', 'sub', 'Outside'],
    ['sub/b.txt', 'sub', 'File b.txt 1'],
    ['missing.txt', '.', 'Missing'],
    ['a.txt/below', '.', 'Missing'],
    ['dangling', '.', 'Missing'],
    ['pipe', '.', 'Other'],
  ] as const) {
    test(`looking at ${path} within ${root} finds ${expected}`, async ({ world }) => {
      assert.is(await look(world, path, root), expected)
    })
  }

  for (const [path, isInside] of [
    ['.', true],
    ['a.txt', true],
    ['link', true],
    ['missing/too', true],
    ['escape', false],
    ['up', false],
    ['up/missing', false],
    ['../project-2', false],
  ] as const) {
    test(`${path} leads ${isInside ? 'into' : 'out of'} the folder`, async ({ world }) => {
      assert.is(await world?.files.isInside(path, '.')(), isInside)
    })
  }

  for (const [path, root, expected] of [
    ['a.txt', '.', 'File a'],
    ['link', '.', 'File a'],
    ['escape', '.', 'Outside'],
    ['up/outside.txt', '.', 'Outside'],
    ['../outside.txt', '.', 'Outside'],
    ['..', '.', 'Outside'],
    ['up', '.', 'Outside'],
    ['../project-2', '.', 'Outside'],
    ['../project-2/near.txt', '.', 'Outside'],
    ['a.txt', 'sub', 'Outside'],
    ['sub/b.txt', 'sub', 'File b'],
    ['missing.txt', '.', 'Missing'],
    ['<stdin>', '.', 'File from stdin'],
  ] as const) {
    test(`confined to ${root}, ${path} gives ${expected}`, async ({ world }) =>
      assert.is(await read(world, path, root), expected))
  }

  test('standard input is empty after it was read', async ({ world }) => {
    assert.equal([await read(world, '<stdin>'), await read(world, '<stdin>')], ['File from stdin', 'File '])
  })

  test('the kind of a path is that of the target of a link', async ({ world }) => {
    const kinds = await Promise.all(
      ['a.txt', 'sub', 'link', 'up', 'dangling', 'missing', 'pipe'].map(async (path) => world?.files.kind(path)()),
    )
    assert.equal(kinds, ['File', 'Folder', 'File', 'Folder', 'Missing', 'Missing', 'Other'])
  })

  test('a file is replaced, also through a link', async ({ world }) => {
    assert.is((await world?.files.replace('link', 'new')())?._tag, 'Right')
    assert.is((await world?.files.replace('fresh.txt', 'fresh')())?._tag, 'Right')
    assert.is(await read(world, 'a.txt'), 'File new')
    assert.is(await read(world, 'fresh.txt'), 'File fresh')
    assert.equal(
      world?.names().filter((file) => file.endsWith('.tmp')),
      [],
    )
  })

  test('a folder is not replaced', async ({ world }) => {
    const written = await world?.files.replace('sub', 'new')()
    assert.is(written?._tag === 'Left' ? written.left.code : undefined, 'DT2006')
  })
  test.run()
}

const real = suite('files (disk only)')

real('what may not be read tells why', async () => {
  if (process.getuid?.() === 0) return
  const folder = mkdtempSync(join(tmpdir(), 'files-'))
  writeFileSync(join(folder, 'locked'), '')
  chmodSync(join(folder, 'locked'), 0)
  const content = await nodeFiles(folder, () => Readable.from([])).read('locked', {})()
  rmSync(folder, { recursive: true })
  assert.equal(content, { _tag: 'Unreadable', reason: 'permission denied' })
})

real('a path with a null character is no crash', async () => {
  const content = await nodeFiles('/', () => Readable.from([])).read('a\0b', {})()
  assert.is(content._tag, 'Unreadable')
})

real('more than 16 MiB on the standard input are refused', async () => {
  const chunks = Array.from({ length: 17 }, () => new Uint8Array(1024 * 1024))
  const content = await nodeFiles('/', () => Readable.from(chunks)).read('<stdin>', {})()
  assert.is(content._tag, 'TooLarge')
})

real('a file that no memory could hold is refused by its size', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'files-'))
  writeFileSync(join(folder, 'huge.bin'), '')
  truncateSync(join(folder, 'huge.bin'), 2 ** 36)
  const content = await nodeFiles(folder, () => Readable.from([])).read('huge.bin', {})()
  rmSync(folder, { recursive: true })
  assert.equal(content, { _tag: 'TooLarge' })
})

real('a pipe is not opened, since whoever waits to write to it would take that for a reader', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'files-'))
  const pipe = join(folder, 'pipe')
  execFileSync('sh', ['-c', 'mkfifo "$0"', pipe])
  const files = nodeFiles(folder, () => Readable.from([]))
  let isOpened = false
  const writer = open(pipe, 'w').then((handle) => {
    isOpened = true
    return handle
  })
  for (let round = 0; round < 20; round += 1) {
    // A call of the file system that was made later has ended: the writer waits by now.
    await stat(folder)
    assert.equal(await files.read('pipe', {})(), { _tag: 'NotAFile' })
  }
  assert.not.ok(isOpened)
  const reader = await open(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
  await (await writer).close()
  await reader.close()
  rmSync(folder, { recursive: true })
})

const test = real
test.run()
