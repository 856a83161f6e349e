/** What only the disk can do to a folder that is synchronised. */
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { diskTree } from '../../../src/adapters/sync/disk-tree.ts'
import { keeping, listKept, tidyKept } from '../../../src/adapters/sync/kept.ts'
import { rootIdOf } from '../../../src/adapters/sync/root.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { SyncAct } from '../../../src/domain/sync/act.ts'
import type { TreeFile } from '../../../src/domain/sync/entry.ts'
import type { OpenTree } from '../../../src/ports/tree.ts'
import { fileWith, rightOf } from '../../contract/tree-world.ts'
import { until } from '../../support/process/until.ts'

type Context = { base: string; root: string; kept: string; tree: OpenTree }

const test = suite<Context>('tree on the disk')

const dayMs = 24 * 60 * 60 * 1000
const nowMs = 1_763_839_800_000

test.before.each((context) => {
  context.base = fs.mkdtempSync(join(tmpdir(), 'disk-tree-'))
  context.root = join(context.base, 'root')
  context.kept = join(context.base, 'kept')
  fs.mkdirSync(context.root)
  const keep = keeping(context.kept, () => nowMs)
  context.tree = diskTree({ clock: systemClock, root: context.root, isIgnored: () => false, keep })
})
test.after.each(({ base, tree }) => {
  tree.close()
  fs.rmSync(base, { recursive: true })
})

async function* contentOf(text: string): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(text)
}

const replaceOf = (before: string, text: string): SyncAct => ({
  _tag: 'Write',
  end: 'here',
  path: 'a',
  expect: fileWith(before),
  file: fileWith(text),
})
const removeOf = (file: TreeFile): SyncAct => ({ _tag: 'Remove', end: 'here', path: 'a', expect: file })

const contentsIn = (folder: string): ReadonlyArray<string> =>
  fs.readdirSync(folder).map((name) => fs.readFileSync(join(folder, name), 'utf8'))

test('for a folder that may not be read, the advice is not about writing', async ({ base, root }) => {
  fs.writeFileSync(join(root, 'a'), 'one')
  const denied = (): never => {
    throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' })
  }
  const tree = diskTree({ clock: systemClock, root: join(base, 'root'), isIgnored: denied })
  const found = await tree.look()()
  tree.close()
  assert.equal(E.isLeft(found) ? found.left.reason : '', 'permission denied; let the user that runs there read it')
})

test('a change in place is never missed, however soon it comes after ours, and if it keeps the size', async ({
  root,
  tree,
}) => {
  // The clock of a file system ticks a few times in a hundredth of a second.
  for (let round = 0; round < 300; round += 1) {
    const [ours, theirs, next] = ['our', 'his', 'new'].map((word) => `${word} ${round}`)
    fs.rmSync(join(root, 'a'), { force: true })
    const first: SyncAct = { _tag: 'Write', end: 'here', path: 'a', expect: undefined, file: fileWith(ours ?? '') }
    assert.is((await tree.act(first, contentOf(ours ?? ''))())._tag, 'Done')
    fs.writeFileSync(join(root, 'a'), theirs ?? '', { flag: 'r+' })
    assert.is((await tree.act(replaceOf(ours ?? '', next ?? ''), contentOf(next ?? ''))())._tag, 'Refused')
    assert.is(fs.readFileSync(join(root, 'a'), 'utf8'), theirs)
  }
})

test('data that a program writes to a file it opened before the file was replaced is kept under a name of its own', async ({
  root,
  tree,
}) => {
  fs.writeFileSync(join(root, 'a'), 'one')
  const opened = fs.openSync(join(root, 'a'), 'r+')
  assert.is((await tree.act(replaceOf('one', 'two'), contentOf('two'))())._tag, 'Done')
  fs.writeSync(opened, 'late')
  fs.closeSync(opened)
  await until('only two files are left', () => fs.readdirSync(root).every((name) => !name.startsWith('.devtool-sync-')))
  assert.equal([...contentsIn(root)].toSorted(), ['late', 'two'])
})

test('data that a program writes to a file it opened before the file was removed is restored', async ({
  root,
  tree,
}) => {
  fs.writeFileSync(join(root, 'a'), 'one')
  const opened = fs.openSync(join(root, 'a'), 'r+')
  assert.is((await tree.act(removeOf(fileWith('one')))())._tag, 'Done')
  assert.is(fs.existsSync(join(root, 'a')), false)
  fs.writeSync(opened, 'late')
  fs.closeSync(opened)
  await until('it is there again', () => fs.existsSync(join(root, 'a')))
  assert.is(fs.readFileSync(join(root, 'a'), 'utf8'), 'late')
})

test('replaced and removed files are kept, and nothing unfinished is left', async ({ kept, root, tree }) => {
  fs.writeFileSync(join(root, 'a'), 'one')
  await tree.act(replaceOf('one', 'two'), contentOf('two'))()
  await tree.act(removeOf(fileWith('two')))()
  tree.close()
  assert.equal(fs.readdirSync(root), [])
  const copies = listKept(kept)
  assert.equal(
    copies.map(({ atMs, path, size }) => ({ atMs, path, size })),
    [
      { path: 'a', atMs: nowMs, size: 3 },
      { path: 'a', atMs: nowMs, size: 3 },
    ],
  )
  assert.equal(
    copies.map(({ name }) => fs.readFileSync(join(kept, name), 'utf8')),
    ['one', 'two'],
  )
})

test('a file that cannot be kept is not overwritten', async ({ kept, root, tree }) => {
  fs.writeFileSync(kept, 'a file in the place of the folder')
  fs.writeFileSync(join(root, 'a'), 'one')
  assert.is((await tree.act(replaceOf('one', 'two'), contentOf('two'))())._tag === 'Done', false)
  assert.is(fs.readFileSync(join(root, 'a'), 'utf8'), 'one')
  fs.rmSync(kept)
})

test('a file with several hard links is kept as a copy, not as another link', async ({ kept, root, tree }) => {
  fs.writeFileSync(join(root, 'a'), 'one')
  fs.linkSync(join(root, 'a'), join(root, 'b'))
  await tree.act(replaceOf('one', 'two'), contentOf('two'))()
  fs.writeFileSync(join(root, 'b'), 'changed')
  assert.equal(
    listKept(kept).map(({ name }) => fs.readFileSync(join(kept, name), 'utf8')),
    ['one'],
  )
})

test('kept copies expire after some days, and the oldest are removed when there are too many', ({ base }) => {
  const folder = join(base, 'copies')
  for (const [days, text] of [
    [8, 'old'],
    [3, 'much'],
    [1, 'new'],
  ] as const) {
    fs.writeFileSync(join(base, 'file'), text)
    keeping(folder, () => nowMs - days * dayMs)(`path/${text}`, join(base, 'file'))
    fs.rmSync(join(base, 'file'))
  }
  tidyKept(folder, nowMs, { days: 7, bytes: 100 })
  assert.equal(
    listKept(folder).map(({ path }) => path),
    ['path/much', 'path/new'],
  )
  tidyKept(folder, nowMs, { days: 7, bytes: 4 })
  assert.equal(
    listKept(folder).map(({ path }) => path),
    ['path/new'],
  )
})

test('an action leaves nothing in a folder that replaced the root meanwhile', async ({ base, root, tree }) => {
  const aside = join(base, 'aside')
  const exchanged = diskTree({ clock: systemClock, root, rootId: rootIdOf(root), isIgnored: () => false })
  async function* content(): AsyncGenerator<Uint8Array, void> {
    fs.renameSync(root, aside)
    fs.mkdirSync(root)
    yield Buffer.from('two')
  }
  const act = { _tag: 'Write', end: 'here', path: 'a', expect: undefined, file: fileWith('two') } as const
  assert.is((await exchanged.act(act, content())())._tag, 'Failed')
  assert.equal(fs.readdirSync(root), [])
  fs.rmSync(root, { recursive: true })
  fs.renameSync(aside, root)
  await rightOf(exchanged.look())
  assert.equal(fs.readdirSync(root), [])
  exchanged.close()
  tree.close()
})

test('an action in a folder that replaced the root meanwhile counts as not done', async ({ base, root, tree }) => {
  const exchange = (): boolean => {
    if (!fs.existsSync(join(base, 'aside'))) {
      fs.renameSync(root, join(base, 'aside'))
      fs.mkdirSync(root)
    }
    return false
  }
  const exchanged = diskTree({ clock: systemClock, root, rootId: rootIdOf(root), isIgnored: exchange })
  const act = { _tag: 'Write', end: 'here', path: 'a', expect: undefined, file: fileWith('two') } as const
  assert.is((await exchanged.act(act, contentOf('two'))())._tag, 'Failed')
  exchanged.close()
  tree.close()
})

test('a missing root is not an empty folder', async ({ root, tree }) => {
  await rightOf(tree.look())
  fs.rmSync(root, { recursive: true })
  assert.is((await tree.look()())._tag, 'Left')
  fs.mkdirSync(root)
})

test('a file that is written in parts has the hash of its whole content', async ({ root, tree }) => {
  const part = Buffer.alloc(1024 * 1024 + 7, 'x')
  fs.writeFileSync(join(root, 'a'), Buffer.concat([part, part, part]))
  const hash = createHash('sha256').update(part).update(part).update(part).digest('hex')
  const look = await rightOf(tree.look())
  const found = look.listings.get('')?.entries.get('a')
  assert.is(found?._tag === 'File' && found.hash, hash)
})

test('a dangling link that cannot be kept stays', async ({ kept, root, tree }) => {
  fs.writeFileSync(kept, 'a file in the place of the folder')
  fs.symlinkSync('nowhere', join(root, 'a'))
  const act: SyncAct = { _tag: 'Remove', end: 'here', path: 'a', expect: { _tag: 'Link', target: 'nowhere' } }
  assert.is((await tree.act(act)())._tag === 'Done', false)
  assert.equal(fs.readdirSync(root), ['a'])
  fs.rmSync(kept)
})

test('one huge file does not evict all other kept copies', ({ base }) => {
  const folder = join(base, 'copies')
  for (const [days, text] of [
    [3, 'small'],
    [1, 'larger than there is room'],
  ] as const) {
    fs.writeFileSync(join(base, 'file'), text)
    keeping(folder, () => nowMs - days * dayMs)(text, join(base, 'file'))
    fs.rmSync(join(base, 'file'))
  }
  tidyKept(folder, nowMs, { days: 7, bytes: 10 })
  assert.equal(
    listKept(folder).map(({ path }) => path),
    ['small'],
  )
})

test('nothing is created at a path that this end ignores', async ({ base }) => {
  const root = join(base, 'ruled')
  fs.mkdirSync(join(root, '.git/hooks'), { recursive: true })
  const isIgnored = (path: string, isFolder: boolean): boolean => isFolder && path === '.git'
  const tree = diskTree({ clock: systemClock, root, isIgnored })
  const file = fileWith('evil')
  const act: SyncAct = { _tag: 'Write', end: 'here', path: '.git/hooks/pre-commit', expect: undefined, file }
  assert.is((await tree.act(act, contentOf('evil'))())._tag, 'Failed')
  assert.equal(fs.readdirSync(join(root, '.git/hooks')), [])
  tree.close()
})

test('of endless content, at most one part beyond its size is held', async ({ tree }) => {
  let sent = 0
  async function* endless(): AsyncGenerator<Uint8Array, void> {
    for (; sent < 1000; sent += 1) yield Buffer.alloc(1024)
  }
  const act: SyncAct = { _tag: 'Write', end: 'here', path: 'a', expect: undefined, file: fileWith('one') }
  assert.is((await tree.act(act, endless())())._tag, 'Failed')
  assert.is(sent < 3, true)
})

test('folders that are nested too deeply are unknown, and others are seen', async ({ root, tree }) => {
  fs.mkdirSync(join(root, 'd/'.repeat(300)), { recursive: true })
  fs.writeFileSync(join(root, 'a'), 'one')
  const { listings } = await rightOf(tree.look())
  const deepest = Array.from({ length: 255 }, () => 'd').join('/')
  assert.is(listings.get(deepest)?.entries.get('d')?._tag, 'Unknown')
  assert.is(listings.get('')?.entries.get('a')?._tag, 'File')
})

test('a folder with the name of an unfinished file does not prevent a listing', async ({ root, tree }) => {
  fs.mkdirSync(join(root, '.devtool-sync-00000000-1-1-1'))
  assert.is((await rightOf(tree.look())).isWhole, true)
})

test.run()
