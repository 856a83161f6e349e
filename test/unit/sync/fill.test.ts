/** What is sent first into a folder that nobody has synchronised with. */
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Filled, fill } from '../../../src/app/sync/fill.ts'
import { emptyBase, type SyncBase } from '../../../src/domain/sync/base.ts'
import { largestFilled, partsOf } from '../../../src/domain/sync/fill.ts'
import type { OpenTree } from '../../../src/ports/tree.ts'
import { rightOf } from '../../contract/tree-world.ts'
import { fileOf, type MemoryTree, memoryTree, newFolder } from '../../memory/tree.ts'

/** What was agreed on in the end. */
const filled = async (
  here: MemoryTree,
  there: OpenTree,
  begun = { base: emptyBase, isNew: true },
  see: (filled: Filled) => void = () => {},
): Promise<SyncBase> => {
  let agreed: SyncBase = emptyBase
  const agree = (base: SyncBase): void => {
    agreed = base
  }
  await fill(here, there, see)(begun, agree)()
  return agreed
}

const trees = () => {
  const [here, there] = [memoryTree(), memoryTree()]
  here.change('src', newFolder())
  here.change('src/a', fileOf('one'))
  here.change('b', fileOf('two', true))
  here.change('link', { _tag: 'Link', target: 'src/a' })
  here.change('large', fileOf('x'.repeat(largestFilled + 1)))
  return { here, there }
}

test('everything except large files is sent, and what was sent is in the base', async () => {
  const { here, there } = trees()
  const seen: Array<number> = []
  const base = await filled(here, there, undefined, ({ bytes }) => void seen.push(bytes))
  assert.equal([...there.nodes.keys()].toSorted(), ['', 'b', 'link', 'src', 'src/a'])
  assert.is(seen.at(-1), 6)
  assert.equal([...(base.get('')?.keys() ?? []), ...(base.get('src')?.keys() ?? [])].toSorted(), ['a', 'b', 'link'])
})

test('existing files stay, and files of the image are known as such', async () => {
  const { here, there } = trees()
  there.change('b', fileOf('theirs'))
  there.change('only there', fileOf('theirs'))
  there.change('src', fileOf('a file'))
  const base = await filled(here, there)
  assert.equal([...there.nodes.keys()].toSorted(), ['', 'b', 'link', 'only there', 'src'])
  assert.equal([...(base.get('')?.keys() ?? [])].toSorted(), ['b', 'link', 'src'])
  const [image] = (await rightOf(there.look())).listings.values()
  assert.equal(base.get('')?.get('b'), image?.entries.get('b'))
})

test('files in the base that were deleted there are not sent again, and files that differ there are left alone', async () => {
  const { here, there } = trees()
  const base = await filled(here, there)
  there.change('b', undefined)
  there.change('large', fileOf('theirs'))
  assert.is(await filled(here, there, { base, isNew: false }), base)
  assert.equal([...there.nodes.keys()].toSorted(), ['', 'large', 'link', 'src', 'src/a'])
})

test('when the link is lost, what was sent before is in the base', async () => {
  const { here, there } = trees()
  for (let index = 0; index < 600; index += 1) here.change(`f${index}`, fileOf('x'))
  let parts = 0
  const makeAll: OpenTree['makeAll'] = (...given) => {
    parts += 1
    return parts === 1 ? there.makeAll(...given) : TE.left({ _tag: 'Lost', reason: 'cut' })
  }
  const base = await filled(here, { ...there, makeAll })
  const made = [...there.nodes.values()].filter(({ _tag }) => _tag !== 'Folder')
  assert.is(
    [...base.values()].reduce((sum, names) => sum + names.size, 0),
    made.length,
  )
})

test('parts have a maximum size, and contain everything in order', () => {
  const acts = Array.from({ length: 1500 }, (_, index) => ({
    _tag: 'Write' as const,
    end: 'there' as const,
    path: `f${index}`,
    expect: undefined,
    file: { _tag: 'File' as const, hash: '', isExecutable: false, size: index === 700 ? largestFilled : 10 },
  }))
  const parts = [...partsOf(acts)]
  assert.equal(parts.flat(), acts)
  for (const part of parts) {
    assert.ok(part.length > 0 && part.length <= 512)
    assert.ok(part.reduce((sum, { _tag, ...act }) => sum + ('file' in act ? act.file.size : 0), 0) <= largestFilled)
  }
})

test.run()
