/** Files that are created in bulk on disk. */
import nodeFs, * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { diskTree } from '../../../src/adapters/sync/disk-tree.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { FillAct } from '../../../src/domain/sync/act.ts'
import type { OpenTree } from '../../../src/ports/tree.ts'
import { fileWith, rightOf } from '../../contract/tree-world.ts'
import { withFs } from '../../support/process/file-systems.ts'

const test = suite<{ root: string; tree: OpenTree }>('files in bulk')

const isIgnored = (path: string, isFolder: boolean): boolean =>
  path.endsWith('.log') || (isFolder && path === 'packages')

test.before.each((world) => {
  world.root = fs.mkdtempSync(join(tmpdir(), 'fill-disk-'))
  world.tree = diskTree({ clock: systemClock, root: world.root, isIgnored })
})
test.after.each(({ root, tree }) => {
  tree.close()
  fs.rmSync(root, { recursive: true })
})

const writeOf = (path: string): FillAct => ({
  _tag: 'Write',
  end: 'there',
  path,
  expect: undefined,
  file: fileWith('one'),
})
const folderOf = (path: string): FillAct => ({ _tag: 'MakeFolder', end: 'there', path, expect: undefined })

test('nothing is created that this end ignores, nor below it', async ({ root, tree }) => {
  fs.mkdirSync(join(root, 'packages'))
  const acts = [writeOf('packages/a'), writeOf('x.log'), folderOf('packages/below'), writeOf('a')]
  assert.equal(await rightOf(tree.makeAll(acts, Buffer.from('oneoneone'))), [0, 1, 2])
  assert.equal(fs.readdirSync(root).toSorted(), ['a', 'packages'])
  assert.equal(fs.readdirSync(join(root, 'packages')), [])
})

test('nothing is created by way of a link', async ({ root, tree }) => {
  fs.mkdirSync(join(root, 'real'))
  fs.symlinkSync('real', join(root, 'linked'))
  assert.equal(await rightOf(tree.makeAll([writeOf('linked/a')], Buffer.from('one'))), [0])
  assert.equal(fs.readdirSync(join(root, 'real')), [])
})

test('what a program saves right after a file was created is seen, even if it keeps the size and the time', async ({
  root,
  tree,
}) => {
  const { futimesSync } = nodeFs
  const dating = (...asked: ReadonlyArray<unknown>): unknown => {
    fs.writeFileSync(join(root, 'a'), 'two', { flag: 'r+' })
    return Reflect.apply(futimesSync, nodeFs, asked)
  }
  await rightOf(tree.look())
  await withFs({ futimesSync: dating }, () => rightOf(tree.makeAll([writeOf('a')], Buffer.from('one'))))
  assert.equal((await rightOf(tree.look())).listings.get('')?.entries.get('a'), fileWith('two'))
})

test.run()
