/** How two folders begin. */
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startOf, takeTheirs } from '../../../src/domain/sync/start.ts'

const names = fc.constantFrom('a', 'b')
const stored = fc.option(fc.record({ marker: names, isEmpty: fc.boolean() }), { nil: undefined })
const marker = fc.option(fc.record({ id: names, machine: names }), { nil: undefined })

test('only a non-empty base of the same folder is continued', () => {
  fc.assert(
    fc.property(stored, marker, names, (base, found, machine) => {
      const isOurs = base !== undefined && !base.isEmpty && base.marker === found?.id
      assert.is(startOf(base, found, machine)._tag === 'Continue', isOurs)
    }),
  )
})

test('only the folder of another machine needs a choice', () => {
  fc.assert(
    fc.property(stored, marker, names, (base, found, machine) => {
      const isTheirs = found !== undefined && found.id !== base?.marker && found.machine !== machine
      assert.is(startOf(base, found, machine)._tag === 'Ask', isTheirs)
    }),
  )
})

test('files of a folder without a marker are never kept beside those of this machine', () => {
  const start = startOf(undefined, undefined, 'a')
  assert.ok(start._tag === 'Meet')
  assert.equal(start.meeting.keeps, { here: true, there: false })
})

test('if the base is lost, both ends keep their differing files', () => {
  const markerOfOurs = { id: 'a', machine: 'mine' }
  for (const base of [undefined, { marker: 'a', isEmpty: true }, { marker: 'b', isEmpty: false }]) {
    const start = startOf(base, markerOfOurs, 'mine')
    assert.ok(start._tag === 'Meet')
    assert.equal(start.meeting.keeps, { here: true, there: true })
  }
})

test('the choice of whose files to keep is stored until all of them have arrived', () => {
  const chosen = { id: 'a', machine: 'laptop', prefers: 'there' } as const
  const theirs = { _tag: 'Meet', meeting: takeTheirs }
  assert.equal(startOf({ marker: 'a', isEmpty: true }, chosen, 'laptop'), theirs)
  assert.equal(startOf(undefined, chosen, 'laptop'), theirs)
  const begun = startOf({ marker: 'a', isEmpty: false }, chosen, 'laptop')
  assert.equal(begun, { _tag: 'Continue', meeting: { ...takeTheirs, keeps: { here: true, there: true } } })
})

test.run()
