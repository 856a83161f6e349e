import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { circlesIn, foldersOf, layersOf, nearest, roomsOf } from '../../scripts/rooms.ts'

const files = ['src/a/one.ts', 'src/b/two.ts', 'src/b/c/three.ts', 'src/main.ts']
const arrow = (from: string, to: string) => ({ from: `src/${from}`, to: `src/${to}`, at: 0, isLazy: false })

const downward = [arrow('main.ts', 'a/one.ts'), arrow('main.ts', 'b/two.ts'), arrow('a/one.ts', 'b/c/three.ts')]

test('rooms are drawn in layers, and each imports only from lower layers', () => {
  assert.equal(layersOf(roomsOf('src', files, downward)), [['b'], ['a'], ['.']])
})

test('indirect imports are not listed again', () => {
  assert.equal(nearest(roomsOf('src', files, downward), '.'), ['a'])
})

test('rooms that import each other indirectly are reported as a cycle', () => {
  const rooms = roomsOf('src', files, [...downward, arrow('b/two.ts', 'main.ts')])
  assert.equal(
    circlesIn('src', rooms).map(({ message }) => message),
    [
      'folders import each other: src/a → src/b → the files of src → src/a',
      'folders import each other: src/b → the files of src → src/b',
      'folders import each other: the files of src → src/a → src/b → the files of src',
      'folders import each other: the files of src → src/b → the files of src',
    ],
  )
})

test('every parent folder of a file is checked', () => {
  assert.equal(foldersOf(files), ['src', 'src/a', 'src/b', 'src/b/c'])
})

test.run()
