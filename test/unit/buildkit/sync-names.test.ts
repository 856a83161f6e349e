/** What is refused: names that are no text, patterns that are none; and texts that are served as files. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Served } from '../../../src/domain/build/solve.ts'
import { errorIn, fetchAll, type Headers, serve } from '../../support/build/sync-call.ts'
import { inFolder, plant } from '../../support/build/tree.ts'

const folder = (path: string): Served => ({ _tag: 'Folder', path })
const text = (content: string): Served => ({ _tag: 'Text', file: 'Dockerfile', text: content })

const bytes = (...parts: ReadonlyArray<string | number>): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part))))

test('a name that is no text is an error that shows its bytes, unless it is kept out', () =>
  inFolder(async (root) => {
    plant(root, { 'd/fine\ufffd': '' })
    mkdirSync(bytes(`${root}/d/`, 0xff, 'x'))
    writeFileSync(bytes(`${root}/d/`, 0xff, 'x/in.txt'), '')
    const { asking, failures } = serve(folder(root))
    await asking.status
    assert.is(failures[0]?.what, `${root}/d/\\xffx`)
    assert.match(failures[0]?.cause ?? '', /not valid UTF-8/)
    assert.match(errorIn(asking.sent) ?? '', /^d\/\\xffx: /)
    const below = serve(folder(root), { 'include-patterns': ['**/*.txt'] })
    await below.asking.status
    assert.is(below.failures[0]?.what, `${root}/d/\\xffx/in.txt`)
    const without = serve(folder(root), { 'exclude-patterns': ['d/?x'] })
    assert.is((await fetchAll(without.asking)).stats.at(-1)?.path, 'd/fine\ufffd')
  }))

test('a link to a name that is no text is an error', () =>
  inFolder(async (root) => {
    symlinkSync(Buffer.of(0x61, 0xff), join(root, 'link'))
    const { asking, failures } = serve(folder(root))
    await asking.status
    assert.equal(failures, [{ what: `${root}/link`, cause: 'it points to a name that is not valid UTF-8' }])
  }))

test('a text is a folder with one file, and its time says what is in it', async () => {
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

test('a pattern that is none, and a folder that is not there', () =>
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
