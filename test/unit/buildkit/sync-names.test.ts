/** Names that are no text, patterns that are none, and texts that are served as files. */
import { closeSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromBinary } from '@bufbuild/protobuf'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { statPacket } from '../../../src/adapters/buildkit/sync/packet.ts'
import { openFile } from '../../../src/adapters/buildkit/sync/read.ts'
import { walkFolder } from '../../../src/adapters/buildkit/sync/walk.ts'
import { bytesOfName, nameOf } from '../../../src/adapters/paths/name.ts'
import type { Served } from '../../../src/domain/build/solve.ts'
import { PacketSchema } from '../../support/build/gen/buildkit_pb.ts'
import { fetchAll, type Headers, serve } from '../../support/build/sync-call.ts'
import { inFolder, plant } from '../../support/build/tree.ts'

const folder = (path: string): Served => ({ _tag: 'Folder', path })
const text = (content: string): Served => ({ _tag: 'Text', file: 'Dockerfile', text: content })

const bytes = (...parts: ReadonlyArray<string | number>): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part))))

test('names and link targets that are not UTF-8 arrive as the same bytes', () =>
  inFolder(async (root) => {
    plant(root, { 'd/fine\ufffd': '' })
    mkdirSync(bytes(`${root}/d/`, 0xff, 'x'))
    writeFileSync(bytes(`${root}/d/`, 0xff, 'x/in', 0xe2, 0x98, '.txt'), 'in')
    symlinkSync(Buffer.of(0x61, 0xff), join(root, 'link'))
    const walked = [...walkFolder(root, {})].flatMap((entry) => (entry === undefined ? [] : [entry]))
    assert.equal(
      walked.map(({ path }) => bytesOfName(path).toString('latin1')),
      ['d', 'd/fine\xef\xbf\xbd', 'd/\xffx', 'd/\xffx/in\xe2\x98.txt', 'link'],
    )
    for (const entry of walked) {
      const packet = Buffer.from(statPacket(entry))
      assert.ok(packet.includes(bytesOfName(entry.path)))
      if (entry.kind === 'Link') assert.ok(packet.includes(Buffer.of(0x61, 0xff)))
    }
    const opened = openFile(root, walked[3]?.path ?? '')
    assert.is(E.isRight(opened) ? opened.right.size : opened.left.cause, 2)
    if (E.isRight(opened)) closeSync(opened.right.fd)
    const some = await fetchAll(serve(folder(root), { 'exclude-patterns': ['d/?x', 'link'] }).asking)
    assert.equal(
      some.stats.map(({ path }) => path),
      ['d', 'd/fine\ufffd'],
    )
  }))

test('times before the earliest one are moved behind it, and stay different', () =>
  inFolder((root) => {
    plant(root, { a: '' })
    const [entry] = [...walkFolder(root, {})].flatMap((one) => one ?? [])
    assert.ok(entry)
    const timeOf = (mtimeNs: bigint, earliestNs?: bigint): bigint | undefined =>
      fromBinary(PacketSchema, statPacket({ ...entry, mtimeNs }, earliestNs)).stat?.modTime
    assert.equal([timeOf(5n), timeOf(-3n), timeOf(200n, 100n)], [5n, -3n, 200n])
    assert.equal([timeOf(5n, 100n), timeOf(0n, 100n), timeOf(-3n, 100n)], [105n, 100n, 103n])
  }))

test('a file that cannot be read is named by its bytes', () =>
  inFolder(async (root) => {
    const why = openFile(root, nameOf(bytes('a', 0xff)))
    assert.equal(why, E.left({ path: 'a\\xff', cause: 'it does not exist' }))
  }))

test('the bytes of a name can be restored from its text', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (name) => {
      assert.equal([...bytesOfName(nameOf(name))], [...name])
    }),
  )
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      assert.is(nameOf(bytesOfName(name)), name)
    }),
  )
})

test('a text is served as a folder with one file, whose time depends on its content', async () => {
  const fetched = async (content: string, headers: Headers = {}) => {
    const { asking } = serve(text(content), headers)
    return fetchAll(asking)
  }
  const wanted = { followpaths: ['Dockerfile', 'Dockerfile.dockerignore', 'dockerfile'] }
  const one = await fetched('FROM a\n', wanted)
  assert.is(one.contents.get('Dockerfile'), 'FROM a\n')
  const [stat] = one.stats
  assert.equal([one.stats.length, stat?.mode, stat?.size, stat?.uid], [1, 0o644, 7n, 0])
  assert.is((await fetched('FROM a\n')).stats[0]?.modTime, stat?.modTime)
  assert.is.not((await fetched('FROM b\n')).stats[0]?.modTime, stat?.modTime)
  assert.equal((await fetched('FROM a\n', { followpaths: ['.dockerignore'] })).stats, [])
  const long = 'RUN x\n'.repeat(100_000)
  assert.is((await fetched(long)).contents.get('Dockerfile'), long)
  assert.is((await fetched('')).contents.get('Dockerfile'), '')
})

test('an invalid pattern and a missing folder are failures', () =>
  inFolder(async (root) => {
    const bad = serve(folder(root), { 'exclude-patterns': ['[', 'x'] })
    assert.is((await bad.asking.status)?.message, '.: "[" is not a pattern that BuildKit understands')
    assert.equal(bad.failures, [{ what: root, cause: '"[" is not a pattern that BuildKit understands' }])
    const missing = serve(folder(join(root, 'missing')))
    assert.is((await missing.asking.status)?.code, 13)
    assert.equal(missing.failures, [{ what: `${root}/missing`, cause: 'it does not exist' }])
    plant(root, { file: '' })
    const file = serve(folder(join(root, 'file')))
    await file.asking.status
    assert.equal(file.failures, [{ what: `${root}/file`, cause: 'it is not a folder' }])
  }))

test.run()
