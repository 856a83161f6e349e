import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { circlesIn, foldersOf, layersOf, nearest, roomsOf } from '../../scripts/rooms.ts'

const files = ['src/a/one.ts', 'src/b/two.ts', 'src/b/c/three.ts', 'src/main.ts']
const arrow = (from: string, to: string) => ({ from: `src/${from}`, to: `src/${to}`, at: 0, isLazy: false })

const downward = [arrow('main.ts', 'a/one.ts'), arrow('main.ts', 'b/two.ts'), arrow('a/one.ts', 'b/c/three.ts')]

test('rooms are drawn in layers, and each imports only from layers before its own', () => {
  assert.equal(layersOf(roomsOf('src', files, downward)), [['b'], ['a'], ['.']])
})

test('what a room gets through another is not told again', () => {
  assert.equal(nearest(roomsOf('src', files, downward), '.'), ['a'])
})

test('rooms that import each other only over a third are told as a circle', () => {
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

test('every folder above a file is looked into', () => {
  assert.equal(foldersOf(files), ['src', 'src/a', 'src/b', 'src/b/c'])
})

test.run()
