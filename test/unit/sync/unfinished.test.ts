/** Entries that are being prepared or held in a folder that is synchronised. */
import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { diskTree } from '../../../src/adapters/sync/disk-tree.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { SyncAct } from '../../../src/domain/sync/act.ts'
import type { OpenTree } from '../../../src/ports/tree.ts'
import { fileWith, rightOf } from '../../contract/tree-world.ts'

type Context = { root: string; tree: OpenTree }

const test = suite<Context>('unfinished files')

const dayMs = 24 * 60 * 60 * 1000

test.before.each((context) => {
  context.root = fs.mkdtempSync(join(tmpdir(), 'unfinished-'))
  context.tree = diskTree({ clock: systemClock, root: context.root, isIgnored: () => false })
})
test.after.each(({ root, tree }) => {
  tree.close()
  fs.rmSync(root, { recursive: true })
})

test('the first listing removes unfinished files of a killed process, not those of a running one', async ({
  root,
  tree,
}) => {
  const module = new URL('../../../src/adapters/sync/unfinished.ts', import.meta.url).href
  const code = `import { unfinishedIn } from '${module}'; console.log(unfinishedIn(process.argv[1])('a')); setInterval(() => {}, 1000)`
  const args = ['--import', 'tsx', '--input-type=module', '--eval', code, root]
  const other = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const name = String(await new Promise<Buffer>((resolve) => other.stdout.once('data', resolve))).trim()
  fs.writeFileSync(join(root, name), 'half')
  await rightOf(tree.look())
  assert.equal(fs.readdirSync(root), [name])

  const exited = new Promise((resolve) => other.once('exit', resolve))
  other.kill('SIGKILL')
  await exited
  const next = diskTree({ clock: systemClock, root, isIgnored: () => false })
  await rightOf(next.look())
  next.close()
  assert.equal(fs.readdirSync(root), [])
})

test('what a program writes to a file that is being removed by a process which then dies is given back', async ({
  root,
  tree,
}) => {
  const url = (path: string): string => new URL(`../../../${path}`, import.meta.url).href
  const code = `
    import { diskTree } from '${url('src/adapters/sync/disk-tree.ts')}'
    import { systemClock } from '${url('src/adapters/system/clock.ts')}'
    const clock = { ...systemClock, after: () => () => {} }
    const tree = diskTree({ clock, root: process.argv[1], isIgnored: () => false })
    const { _tag } = await tree.act(JSON.parse(process.argv[2]))()
    console.log(_tag)
    setInterval(() => {}, 1000)`
  fs.mkdirSync(join(root, 'sub'))
  fs.writeFileSync(join(root, 'sub/a'), 'one')
  fs.writeFileSync(join(root, 'sub/b'), 'two')
  const opened = fs.openSync(join(root, 'sub/a'), 'r+')
  for (const [path, text] of [
    ['sub/a', 'one'],
    ['sub/b', 'two'],
  ] as const) {
    const act: SyncAct = { _tag: 'Remove', end: 'here', path, expect: fileWith(text) }
    const args = ['--import', 'tsx', '--input-type=module', '--eval', code, root, JSON.stringify(act)]
    const other = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    assert.is(String(await new Promise<Buffer>((resolve) => other.stdout.once('data', resolve))).trim(), 'Done')
    const exited = new Promise((resolve) => other.once('exit', resolve))
    other.kill('SIGKILL')
    await exited
  }
  fs.writeSync(opened, 'late')
  fs.closeSync(opened)
  await rightOf(tree.look())
  assert.equal(fs.readdirSync(root).toSorted(), ['a.conflict-1', 'sub'])
  assert.is(fs.readFileSync(join(root, 'a.conflict-1'), 'utf8'), 'late')
  assert.equal(fs.readdirSync(join(root, 'sub')), [])
})

test('what a program writes to a file that is being removed while its root is replaced is given back', async ({
  root,
  tree,
}) => {
  const aside = `${root}.aside`
  fs.writeFileSync(join(root, 'a'), 'one')
  const opened = fs.openSync(join(root, 'a'), 'r+')
  await tree.act({ _tag: 'Remove', end: 'here', path: 'a', expect: fileWith('one') })()
  fs.renameSync(root, aside)
  fs.mkdirSync(root)
  fs.writeSync(opened, 'late')
  fs.closeSync(opened)
  // The time for which it is held is over, and its folder is not there.
  await sleep(500)
  fs.rmSync(root, { recursive: true })
  fs.renameSync(aside, root)
  await rightOf(tree.look())
  assert.equal(fs.readdirSync(root), ['a.conflict-1'])
  assert.is(fs.readFileSync(join(root, 'a.conflict-1'), 'utf8'), 'late')
})

test('unfinished files of another machine are removed once they are old', async ({ root, tree }) => {
  fs.writeFileSync(join(root, '.devtool-sync-00000000-1-1-1'), 'half')
  await rightOf(tree.look())
  assert.equal(fs.readdirSync(root), ['.devtool-sync-00000000-1-1-1'])
  const clock = { ...systemClock, wallMs: () => systemClock.wallMs() + dayMs }
  const later = diskTree({ clock, root, isIgnored: () => false })
  await rightOf(later.look())
  later.close()
  assert.equal(fs.readdirSync(root), [])
})

test('an action that fails at its last step leaves only what was there', async ({ root }) => {
  const spoil = (): string => {
    for (const name of fs.readdirSync(root)) if (name !== 'a') fs.rmSync(join(root, name))
    return ''
  }
  const spoiled = diskTree({ clock: systemClock, root, isIgnored: () => false, keep: spoil })
  async function* content(): AsyncGenerator<Uint8Array, void> {
    yield Buffer.from('two')
  }
  fs.writeFileSync(join(root, 'a'), 'one')
  const act: SyncAct = { _tag: 'Write', end: 'here', path: 'a', expect: fileWith('one'), file: fileWith('two') }
  assert.is((await spoiled.act(act, content())())._tag, 'Refused')
  assert.equal(fs.readdirSync(root), ['a'])
  assert.is(fs.readFileSync(join(root, 'a'), 'utf8'), 'one')
  spoiled.close()
})

test('an action that ends after its tree was closed leaves nothing', async ({ root, tree }) => {
  async function* content(): AsyncGenerator<Uint8Array, void> {
    tree.close()
    yield Buffer.from('two')
  }
  fs.writeFileSync(join(root, 'a'), 'one')
  const act: SyncAct = { _tag: 'Write', end: 'here', path: 'a', expect: fileWith('one'), file: fileWith('two') }
  assert.is((await tree.act(act, content())())._tag, 'Done')
  assert.equal(fs.readdirSync(root), ['a'])
})

test('a file whose name only begins like that of an unfinished file is a file of the user', async ({ root, tree }) => {
  for (const name of ['.devtool-sync-mine', '.devtool-sync-0a1b2c3d-1-1-x', '.devtool-sync-0a1b2c3d-1-1-1-x']) {
    fs.writeFileSync(join(root, name), 'mine')
    fs.utimesSync(join(root, name), 0, 0)
  }
  const { listings } = await rightOf(tree.look())
  assert.equal([...(listings.get('')?.entries.keys() ?? [])].toSorted(), [
    '.devtool-sync-0a1b2c3d-1-1-1-x',
    '.devtool-sync-0a1b2c3d-1-1-x',
    '.devtool-sync-mine',
  ])
})

test.run()
