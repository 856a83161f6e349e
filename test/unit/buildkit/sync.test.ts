/** Folders and texts as a builder gets them, message by message. */

import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Served } from '../../../src/domain/build/solve.ts'
import {
  ask,
  errorIn,
  fetchAll,
  type Headers,
  isDone,
  isEndOf,
  piecesOf,
  type SyncOptions,
  serve,
} from '../../support/build/sync-call.ts'
import { asOrdinaryUser, inFolder, plant, plantEveryKind } from '../../support/build/tree.ts'

const folder = (path: string): Served => ({ _tag: 'Folder', path })

const idOf = async (asking: SyncOptions, path: string): Promise<number> =>
  (await asking.listed).findIndex((stat) => stat.path === path)

test('every kind of entry is sent: the list, the contents, the end', () =>
  inFolder(async (root) => {
    await plantEveryKind(root)
    const { asking, told, failures } = serve(folder(root))
    const { stats, contents } = await fetchAll(asking)
    assert.equal(await asking.status, undefined)
    assert.equal(failures, [])
    assert.ok(stats.length > 30)
    assert.is(contents.get('a/one.txt'), 'one')
    assert.is(contents.get('hard-link'), undefined, 'a link to the first path of the file')
    assert.is(contents.get('a.txt'), 'a')
    assert.is(contents.get('line\nfeed'), 'a name of two lines')
    assert.is(contents.get('ünï/cödé.txt'), 'ü')
    assert.is(contents.get('a/deep/er/.hidden'), '')
    assert.is(contents.get('socket'), '')
    assert.is(contents.get('a/hard-link'), 'x'.repeat(200_000))
    assert.not.ok(
      [...contents.keys()].some((path) => ['link', 'pipe', 'device-char', 'outside', 'large'].includes(path)),
    )
    assert.is(asking.sent.filter(isDone).length, 1)
    assert.is(asking.sent.findIndex(isDone), asking.sent.length - 1)
    const last = told.at(-1)
    assert.equal(last?.slice(0, 2), ['context', contents.size])
    assert.ok((last?.[2] ?? 0) > 200_000)
  }))

test('a large file is sent in pieces, at the speed of the receiver', () =>
  inFolder(async (root) => {
    const content = Array.from({ length: 60_000 }, (_, index) => index).join(' ')
    plant(root, Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`f${index}`, content])))
    const { asking } = serve(folder(root), {}, true)
    const { contents } = await fetchAll(asking)
    assert.equal([...new Set(contents.values())], [content])
    assert.ok(piecesOf(asking.sent, 0).length > 3)
    assert.ok(piecesOf(asking.sent, 0).every((piece) => piece.length <= 128 * 1024))
    assert.ok(asking.mostWaiting() <= 5)
  }))

test('an unknown folder name is refused', () =>
  inFolder(async (root) => {
    const { service } = serve(folder(root))
    const status = await ask(service, { 'dir-name': 'other' }).status
    assert.equal(status, { code: 5, message: 'no access allowed to dir "other"' })
    assert.is((await ask(service, {}).status)?.code, 5)
  }))

test('escaped headers and raw UTF-8 of old builders are read', () =>
  inFolder(async (root) => {
    plant(root, { 'ünï x': '', 'a+b': '', 'a,b': '', 'c%20': '', other: '' })
    const paths = async (headers: Headers) => {
      const { asking } = serve(folder(root), headers)
      const { stats } = await fetchAll(asking)
      return stats.map(({ path }) => path)
    }
    assert.equal(await paths({ followpaths: ['ünï x', 'a,b', 'a+b', 'c%20'] }), ['a+b', 'a,b', 'c%20', 'ünï x'])
    const escaped = { followpaths: ['%C3%BCn%C3%AF+x', 'a%2Cb', 'a%2Bb', 'c%2520'], 'followpaths-encoded': '1' }
    assert.equal(await paths(escaped), ['a+b', 'a,b', 'c%20', 'ünï x'])
    assert.equal(await paths({ 'exclude-patterns': ['ü*', '?', 'a[,+]b'] }), ['c%20', 'other'])
    assert.equal(await paths({ 'include-patterns': ['other', 'c*'] }), ['c%20', 'other'])
  }))

const secret = 'what must not be read'

type Swap = readonly [title: string, swap: (root: string, outside: string) => void, cause: string]

const swaps: ReadonlyArray<Swap> = [
  [
    'a link',
    (root, outside) => {
      rmSync(join(root, 'd/file'))
      symlinkSync(join(outside, 'file'), join(root, 'd/file'))
    },
    'it became a symbolic link while it was sent',
  ],
  [
    'a pipe',
    (root) => {
      rmSync(join(root, 'd/file'))
      execFileSync('mknod', [join(root, 'd/file'), 'p'])
    },
    'it is no longer a regular file',
  ],
  [
    'a folder',
    (root) => {
      rmSync(join(root, 'd/file'))
      mkdirSync(join(root, 'd/file'))
    },
    'it is no longer a regular file',
  ],
  ['nothing', (root) => rmSync(join(root, 'd/file')), 'it does not exist'],
  [
    'a file behind a link that a folder became',
    (root, outside) => {
      renameSync(join(root, 'd'), join(root, 'e'))
      symlinkSync(outside, join(root, 'd'))
    },
    'a folder above it became a symbolic link, or was moved',
  ],
]

for (const [title, swap, cause] of swaps) {
  test(`a file that becomes ${title} after it was listed is an error`, () =>
    inFolder((outside) =>
      inFolder(async (root) => {
        plant(root, { 'd/file': 'fine' })
        plant(outside, { file: secret })
        const { asking, failures } = serve(folder(root))
        const id = await idOf(asking, 'd/file')
        swap(root, outside)
        asking.request(id)
        const status = await asking.status
        assert.is(errorIn(asking.sent), `d/file: ${cause}`)
        assert.is(status?.message, `d/file: ${cause}`)
        assert.equal(failures, [{ what: `${root}/d/file`, cause }])
        assert.equal(piecesOf(asking.sent, id), [])
      }),
    ))
}

test('a replaced file is sent with its new content', () =>
  inFolder(async (root) => {
    plant(root, { file: 'before' })
    const { asking } = serve(folder(root))
    await asking.listed
    plant(root, { other: 'afterwards' })
    renameSync(join(root, 'other'), join(root, 'file'))
    assert.is((await fetchAll(asking)).contents.get('file'), 'afterwards')
  }))

test('a file that grows or shrinks while it is sent is sent with at most its listed size', () =>
  inFolder(async (root) => {
    const size = 1024 * 1024
    plant(root, { grows: 'x'.repeat(size), shrinks: 'x'.repeat(size) })
    const { asking, failures } = serve(folder(root), {}, true)
    await asking.listed
    asking.request(0)
    await asking.until(({ type }) => type === 2)
    appendFileSync(join(root, 'grows'), 'y'.repeat(size))
    await asking.until(isEndOf(0))
    const grown = Buffer.concat(piecesOf(asking.sent, 0))
    assert.is(grown.toString(), 'x'.repeat(size))
    asking.request(1)
    await asking.until(({ type, id }) => type === 2 && id === 1)
    truncateSync(join(root, 'shrinks'), 10)
    await asking.until(isEndOf(1))
    const shrunk = Buffer.concat(piecesOf(asking.sent, 1)).length
    assert.ok(shrunk > 0 && shrunk < size, String(shrunk))
    asking.done()
    assert.is(await asking.status, undefined)
    assert.equal(failures, [])
  }))

test('a file that cannot be read is an error, never an empty file', () =>
  inFolder(async (root) => {
    plant(root, { 'd/secret.key': 'k', 'd/other': '' })
    chmodSync(join(root, 'd/secret.key'), 0)
    await asOrdinaryUser(async () => {
      const { asking, failures } = serve(folder(root))
      asking.request(await idOf(asking, 'd/secret.key'))
      assert.is((await asking.status)?.code, 13)
      assert.is(errorIn(asking.sent), 'd/secret.key: permission denied')
      assert.equal(failures, [{ what: `${root}/d/secret.key`, cause: 'permission denied' }])
      assert.not.ok(asking.sent.some(isEndOf(2)))
    })
  }))

test('an unreadable folder is an error unless it is ignored', () =>
  inFolder(async (root) => {
    plant(root, { 'closed/x/y': '', other: '' })
    chmodSync(join(root, 'closed'), 0)
    try {
      await asOrdinaryUser(async () => {
        const { asking, failures } = serve(folder(root))
        await asking.status
        assert.equal(failures, [{ what: `${root}/closed`, cause: 'permission denied' }])
        assert.is(errorIn(asking.sent), 'closed: permission denied')
        const without = serve(folder(root), { 'exclude-patterns': ['closed', '!**/z'] })
        const { stats } = await fetchAll(without.asking)
        assert.equal(
          stats.map(({ path }) => path),
          ['other'],
        )
        assert.equal(without.failures, [])
      })
    } finally {
      chmodSync(join(root, 'closed'), 0o755)
    }
  }))

test('unknown or repeated file numbers are refused', () =>
  inFolder(async (root) => {
    plant(root, { 'd/': '', file: 'x' })
    const status = async (ids: ReadonlyArray<number>) => {
      const { asking } = serve(folder(root))
      await asking.listed
      for (const id of ids) asking.request(id)
      return (await asking.status)?.message
    }
    assert.is(await status([7]), 'there is no file 7 to send')
    assert.is(await status([0]), 'there is no file 0 to send', 'a folder')
    assert.is(await status([1, 1]), 'there is no file 1 to send')
  }))

test('the transfer ends when the builder disconnects or gives up', () =>
  inFolder(async (root) => {
    plant(root, Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, 'x'.repeat(5000)])))
    const after = async (leave: (asking: SyncOptions) => void) => {
      const { asking, failures } = serve(folder(root), {}, true)
      await asking.listed
      for (let id = 0; id < 50; id += 1) asking.request(id)
      leave(asking)
      const status = await asking.status
      assert.equal(failures, [])
      return status
    }
    assert.is((await after((asking) => asking.hangUp()))?.code, 1)
    assert.is((await after((asking) => asking.reset()))?.code, 1)
    assert.is((await after((asking) => asking.failed('no room')))?.message, 'the builder gave up: no room')
  }))

test.run()
