import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { from, settler } from '../../../src/domain/translate/draft.ts'
import { line } from '../../support/compose/model.ts'

const settle = settler()

type Box = {
  readonly a?: string
  readonly list: ReadonlyArray<{ readonly b: number }>
  readonly map: ReadonlyMap<string, string>
}

test('`settle` unwraps values and returns their places', () => {
  const { object, origins } = settle<Box>(
    from(line(1), {
      list: [{ b: 1 }, from(line(2), { b: from(line(3), 2) })],
      map: new Map([['x/y', from(line(4), 'v')]]),
    }),
  )
  assert.equal(object, { list: [{ b: 1 }, { b: 2 }], map: new Map([['x/y', 'v']]) })
  assert.equal(
    origins.map(({ path, at }) => [path, at.line]),
    [
      ['', 1],
      ['list[1]', 2],
      ['list[1].b', 3],
      ['map["x/y"]', 4],
    ],
  )
})

test('`settle` leaves out undefined members, and keeps the order of the others', () => {
  const { object } = settle<Box>({ a: undefined, list: [], map: new Map() })
  assert.is(JSON.stringify(Object.keys(object)), '["list","map"]')
})

test('`from` without a place returns the value itself', () => {
  assert.is(from(undefined, 'x'), 'x')
})

test.run()
