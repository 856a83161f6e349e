/** Who wins, by example. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { conflictName, withEnding } from '../../../src/domain/sync/conflict-name.ts'
import type { TreeFile } from '../../../src/domain/sync/entry.ts'
import { cycle, decide, type Ends, newEnds, settle, show } from '../../support/sync/ends.ts'

/** Both have a file `a` with `x` in it, and a folder `d` with a file. */
const agreed = (): Ends => {
  const ends = newEnds()
  ends.here.write('a', 'x')
  ends.here.makeFolder('d')
  ends.here.write('d/b', 'y')
  settle(ends)
  return ends
}

test('an edit wins over a deletion, at either end', () => {
  for (const [editor, deleter] of [
    ['here', 'there'],
    ['there', 'here'],
  ] as const) {
    const ends = agreed()
    ends[editor].write('a', 'new')
    ends[deleter].put('a', undefined)
    settle(ends)
    for (const tree of [ends.here, ends.there]) assert.equal(show(tree), ['a=new', 'd Folder', 'd/b=y'])
  }
})

test('a folder wins over a file, which is kept beside it', () => {
  const ends = newEnds()
  ends.here.write('a', 'x')
  ends.there.makeFolder('a')
  settle(ends)
  assert.equal(show(ends.here), ['a Folder', 'a.conflict-2d7116=x'])
  assert.equal(show(ends.there), show(ends.here))
})

test('a change of content at one end and of the executable bit at the other are combined', () => {
  for (const [one, other] of [
    ['here', 'there'],
    ['there', 'here'],
  ] as const) {
    const ends = agreed()
    ends[one].write('a', 'x', true)
    ends[other].write('a', 'new')
    settle(ends)
    assert.equal([show(ends.here)[0], show(ends.there)[0]], ['a=new +x', 'a=new +x'])
  }
})

test('if both ends changed a file, this machine wins, and the other content is kept beside it', () => {
  const ends = agreed()
  ends.here.write('a', 'mine')
  ends.there.write('a', 'theirs')
  settle(ends)
  assert.is(show(ends.there)[0], 'a=mine')
  assert.match(show(ends.there)[1] ?? '', /^a\.conflict-[0-9a-f]{6}=theirs$/)
  assert.equal(show(ends.here), show(ends.there))
})

test('an unreadable entry is neither deleted nor counted as deleted, and neither is its folder', () => {
  const ends = agreed()
  ends.there.put('d/b', { _tag: 'Unknown' })
  ends.here.put('d', undefined)
  assert.equal(decide(ends).acts, [])
  assert.equal(
    decide(ends).hindrances.map(({ path, reason }) => [path, reason]),
    [
      ['d/b', 'Unknown'],
      ['d', 'Below'],
    ],
  )
})

test('files that only a new container has stay there until they are changed', () => {
  const ends = newEnds()
  ends.here.write('a', 'x')
  ends.there.write('a', 'of the image')
  ends.there.write('b', 'of the image')
  settle(ends, { meeting: { preferred: 'here', leaves: true, keeps: { here: true, there: false } } })
  assert.equal(show(ends.here), ['a=x'])
  assert.equal(show(ends.there), ['a=x', 'b=of the image'])
  ends.there.write('b', 'changed')
  settle(ends)
  assert.equal(show(ends.here), ['a=x', 'b=changed'])
})

test('a folder with only ignored files stays, and is not synchronised', () => {
  const ends = newEnds((path) => path.endsWith('ignored'))
  ends.here.makeFolder('d')
  ends.here.write('d/b', 'x')
  settle(ends)
  ends.there.write('d/ignored', 'own')
  ends.here.put('d/b', undefined)
  ends.here.put('d', undefined)
  settle(ends)
  assert.equal(show(ends.here), [])
  assert.equal(show(ends.there), ['d Folder', 'd/ignored=own'])
  assert.equal(cycle(ends).acts, [])
})

test('in one-way mode changes of the other end are not taken over', () => {
  const ends = agreed()
  const modeOf = () => 'push' as const
  ends.there.write('a', 'theirs')
  ends.here.write('d/b', 'mine')
  settle(ends, { modeOf })
  assert.equal(show(ends.here), ['a=x', 'd Folder', 'd/b=mine'])
  assert.equal(show(ends.there), ['a=theirs', 'd Folder', 'd/b=mine'])
})

test('a link that leads out of the tree is not synchronised', () => {
  const ends = newEnds()
  ends.there.put('out', { _tag: 'Link', target: '../etc' })
  ends.there.put('in', { _tag: 'Link', target: 'a' })
  settle(ends)
  assert.equal(show(ends.here), ['in->a'])
})

test('if all names for a conflict copy are taken, it gets one with a number', () => {
  const file: TreeFile = { _tag: 'File', hash: 'ab'.repeat(32), isExecutable: false, size: 1 }
  assert.is(
    conflictName('d/a', file, (name) => name.endsWith('-3')),
    'a.conflict-ababab-3',
  )
})

test('an addition to a name of maximum length replaces its end', () => {
  const name = withEnding('é'.repeat(127), '.conflict-1')
  assert.ok(Buffer.byteLength(name) <= 255)
  assert.match(name, /^é{122}\.conflict-1$/)
})

test.run()
