/** The walk through a folder, against what BuildKit's own client says of the same folder, and in large ones. */
import { closeSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { fromBinary } from '@bufbuild/protobuf'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { followLinks } from '../../../src/adapters/buildkit/sync/follow.ts'
import { statPacket } from '../../../src/adapters/buildkit/sync/packet.ts'
import { openFile } from '../../../src/adapters/buildkit/sync/read.ts'
import { filterOf, treeOf } from '../../../src/adapters/buildkit/sync/tree.ts'
import { walkFolder } from '../../../src/adapters/buildkit/sync/walk.ts'
import { compilePatterns } from '../../../src/domain/ignore/patterns.ts'
import { PacketSchema } from '../../support/build/gen/buildkit_pb.ts'
import { devices, inFolder, isRoot, plant, plantEveryKind } from '../../support/build/tree.ts'

const Patterns = t.readonlyArray(t.string)
/** Path, mode, size, time, link, device. */
const Entry = t.readonlyArray(t.union([t.string, t.number]))
const Cases = t.type({
  cases: t.readonlyArray(
    t.type({
      wanted: t.partial({ include: Patterns, exclude: Patterns, follow: Patterns }),
      entries: t.readonlyArray(Entry),
    }),
  ),
})
type Entry = t.TypeOf<typeof Entry>
type Wanted = t.TypeOf<typeof Cases>['cases'][number]['wanted']

const entriesOf = (root: string, { include = [], exclude = [], follow }: Wanted): ReadonlyArray<Entry> => {
  const tree = treeOf({ _tag: 'Folder', path: root }, undefined)
  if (E.isLeft(tree)) throw new Error(tree.left.cause)
  const filter = filterOf(tree.right, { name: '', include, exclude, follow })
  if (E.isLeft(filter)) throw new Error(filter.left.cause)
  return [...tree.right.walk(filter.right)].flatMap((entry): ReadonlyArray<Entry> => {
    if (entry === undefined) return []
    const { stat } = fromBinary(PacketSchema, statPacket(entry))
    if (stat === undefined) throw new Error('a packet without an entry')
    assert.equal([stat.uid, stat.gid], [0, 0])
    const device = `${stat.devmajor}:${stat.devminor}`
    return [[stat.path, stat.mode.toString(8), Number(stat.size), String(stat.modTime), stat.linkname, device]]
  })
}

test('entries and patterns are handled as in fsutil', () =>
  inFolder(async (root) => {
    await plantEveryKind(root)
    const read = Cases.decode(JSON.parse(readFileSync(new URL('sync-fsutil.json', import.meta.url), 'utf8')))
    if (E.isLeft(read)) throw new Error('the cases cannot be read')
    assert.ok(read.right.cases.length >= 20)
    for (const { wanted, entries } of read.right.cases) {
      const expected = entries.filter(([path]) => isRoot || !devices.includes(String(path)))
      assert.equal(entriesOf(root, wanted), expected, JSON.stringify(wanted))
    }
  }))

test('links with several paths and endless chains are handled', () =>
  inFolder((root) => {
    plant(root, { 'real/a': '', 'real/b': '', 'real/c': '' })
    symlinkSync('real', join(root, 'link'))
    symlinkSync('grows/grows', join(root, 'grows'))
    symlinkSync('/../..', join(root, 'up'))
    const follow = (...paths: ReadonlyArray<string>) => followLinks(root, paths)
    assert.equal(follow('link/a', 'link/b'), E.right(['link', 'real/a', 'real/b']))
    assert.equal(follow('grows/x'), E.right(['grows']))
    assert.equal(follow('up/real/c'), E.right(['real/c', 'up']))
    assert.equal(follow('up'), E.right(undefined))
    assert.equal(follow('missing/x', '../../etc/passwd'), E.right(['../../etc/passwd', 'missing/x']))
  }))

test('a path is opened unless it leads through a link', () =>
  inFolder((root) =>
    inFolder((elsewhere) => {
      plant(root, { 'd/e/file': 'x' })
      symlinkSync(root, join(elsewhere, 'other-name'))
      symlinkSync('d', join(root, 'link'))
      const open = (path: string, folder = root): string => {
        const opened = openFile(folder, path)
        if (E.isRight(opened)) closeSync(opened.right.fd)
        return E.isRight(opened) ? String(opened.right.size) : opened.left.cause
      }
      assert.is(open('d/e/file'), '1')
      assert.is(
        open('d/e/file', join(elsewhere, 'other-name')),
        'a folder above it became a symbolic link, or was moved',
      )
      assert.is(open('link/e/file'), 'a folder above it became a symbolic link, or was moved')
      assert.is(open('link'), 'it became a symbolic link while it was sent')
      assert.is(open('d'), 'it is no longer a regular file')
      assert.is(open('d/e/file/x'), 'it does not exist')
    }),
  ))

test('a walk does not follow links, and ends if the folder is removed', () =>
  inFolder((outside) =>
    inFolder((root) => {
      plant(outside, { 'd/secret': '' })
      plant(root, { 'a/x': '', 'b/x': '', 'c/x': '' })
      const walk = walkFolder(root, {})
      assert.is(walk.next().value?.path, 'a')
      rmSync(join(root, 'b'), { recursive: true })
      symlinkSync(outside, join(root, 'b'))
      rmSync(join(root, 'c'), { recursive: true })
      assert.equal(
        [...walk].flatMap((entry) => entry?.path ?? []),
        ['a/x', 'b'],
      )
    }),
  ))

const collect = (): void => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

test('100,000 files: in order, with pauses, in little memory', () =>
  inFolder((root) => {
    for (let folder = 0; folder < 20; folder += 1) {
      mkdirSync(join(root, `d${folder}`))
      for (let file = 0; file < 5000; file += 1) writeFileSync(`${root}/d${folder}/file-${file}`, '')
    }
    collect()
    const before = process.memoryUsage().heapUsed
    const counted = { entries: 0, pauses: 0, most: 0 }
    let last = ''
    for (const entry of walkFolder(root, {})) {
      if (entry === undefined) {
        counted.pauses += 1
        continue
      }
      counted.entries += 1
      assert.ok(entry.path.replaceAll('/', '\0') > last)
      last = entry.path.replaceAll('/', '\0')
      if (counted.entries % 20_000 !== 0) continue
      collect()
      counted.most = Math.max(counted.most, process.memoryUsage().heapUsed - before)
    }
    assert.is(counted.entries, 100_020)
    assert.ok(counted.pauses > 1000)
    assert.ok(counted.most < 30e6, `${counted.most} bytes`)
    const exclude = compilePatterns(['**', '!**/no-such-file'])
    if (E.isLeft(exclude)) throw new Error(exclude.left)
    const nothing = [...walkFolder(root, { exclude: exclude.right })]
    assert.ok(nothing.length > 1000)
    assert.ok(nothing.every((entry) => entry === undefined))
  }, true))

test.run()
