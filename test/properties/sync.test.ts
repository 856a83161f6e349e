/** What the comparison of two trees decides, for any trees and histories. */
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { SyncEnd } from '../../src/domain/sync/act.ts'
import type { BaseEntry, SyncBase } from '../../src/domain/sync/base.ts'
import { childOf, nameOf, parentOf } from '../../src/domain/sync/path.ts'
import { type Decision, reconcile, type SyncState } from '../../src/domain/sync/reconcile.ts'
import { byText, changedEnds, findsWhatIsExpected, swapped } from '../support/sync/changed-ends.ts'
import { decide, type Ends, mirrored, settle, show, stateOf } from '../support/sync/ends.ts'
import { type UserOp, userOp } from '../support/sync/users.ts'

const ops = fc.array(userOp, { maxLength: 25 })
const isPlain = (op: UserOp): boolean =>
  op._tag !== 'Special' && (op._tag !== 'Link' || op.target === 'a' || op.target === 'b')
const plainOps = ops.map((all) => all.filter(isPlain))
const changes = fc.record({ first: ops, here: ops, there: ops })
const plainChanges = fc.record({ first: plainOps, here: plainOps, there: plainOps })

const runs = { numRuns: 2000 }

test('both ends become equal in few cycles, after which nothing is left to do', () => {
  fc.assert(
    fc.property(plainChanges, (all) => {
      const ends = changedEnds(all)
      assert.ok(settle(ends) <= 3)
      assert.equal(show(ends.here), show(ends.there))
      const { acts, agreed, hindrances } = decide(ends)
      assert.equal({ acts, agreed, hindrances }, { acts: [], agreed: [], hindrances: [] })
    }),
    runs,
  )
})

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const baseAt = (base: SyncBase, path: string): BaseEntry | undefined => base.get(parentOf(path))?.get(nameOf(path))

/** What users made of files since the ends agreed. */
const written = ({ base, here, there }: Ends): ReadonlyArray<{ end: SyncEnd; path: string; content: string }> =>
  [...(['here', 'there'] as const)].flatMap((end) =>
    [...(end === 'here' ? here : there).contents()]
      .filter(([path]) => {
        const [known, entry] = [baseAt(base, path), (end === 'here' ? here : there).entry(path)]
        return !(known?._tag === 'File' && entry?._tag === 'File' && known.hash === entry.hash)
      })
      .map(([path, content]) => ({ end, path, content })),
  )

const isKept = ({ here, there }: Ends, path: string, content: string): boolean =>
  [here, there].some((tree) =>
    [...tree.contents()].some(
      ([found, text]) => text === content && (found === path || found.startsWith(`${path}.conflict-`)),
    ),
  )

test('content that a user wrote is at its path afterwards, or beside it', () => {
  fc.assert(
    fc.property(changes, (all) => {
      const ends = changedEnds(all)
      const before = written(ends)
      settle(ends)
      for (const { content, path } of before) assert.ok(isKept(ends, path, content), `${path}: ${content}`)
    }),
    runs,
  )
})

test('a change by one end is then at both, and a file deleted by one end is deleted at both', () => {
  fc.assert(
    fc.property(plainChanges, (all) => {
      const ends = changedEnds(all)
      const wanted = [...new Set([...ends.here.paths(), ...ends.there.paths(), ...[...ends.base.keys()]])].flatMap(
        (path) => {
          const [base, here, there] = [baseAt(ends.base, path), ends.here.entry(path), ends.there.entry(path)]
          if ([base, here, there].some((entry) => entry?._tag === 'Folder')) return []
          if (isEqual(base, here)) return [{ path, entry: there }]
          return isEqual(base, there) ? [{ path, entry: here }] : []
        },
      )
      const folders = new Set([...ends.here.paths(), ...ends.there.paths()].map(parentOf))
      settle(ends)
      for (const { entry, path } of wanted) {
        // A folder below which something was written takes the place of a file.
        if (ends.here.folder(path) !== undefined && folders.has(path)) continue
        assert.equal(ends.here.entry(path), entry, path)
      }
    }),
    runs,
  )
})

test('without interference every action finds the content that it expects', () => {
  fc.assert(
    fc.property(changes, (all) => {
      findsWhatIsExpected(changedEnds(all))
    }),
    runs,
  )
})

test('swapping the ends changes only which version wins where both were changed', () => {
  fc.assert(
    fc.property(changes, (all) => {
      const ends = changedEnds(all)
      const keeps = { here: true, there: true }
      const state = stateOf(ends, { meeting: { preferred: 'there', leaves: false, keeps } })
      const mirror: SyncState = { ...stateOf(ends), base: mirrored(ends.base), here: state.there, there: state.here }
      assert.equal(reconcile(mirror).acts.map(swapped).toSorted(byText), reconcile(state).acts.toSorted(byText))
    }),
    runs,
  )
})

const differing = ({ base, here, there }: SyncState): ReadonlyArray<string> =>
  [...new Set([...base.keys(), ...here.keys(), ...there.keys()])].filter((folder) => {
    const names = new Set(
      [base.get(folder), here.get(folder)?.entries, there.get(folder)?.entries].flatMap((map) => [
        ...(map ?? new Map<string, unknown>()).keys(),
      ]),
    )
    return [...names].some((name) => {
      const [known, ours, theirs] = [
        baseAt(base, childOf(folder, name)),
        here.get(folder)?.entries.get(name),
        there.get(folder)?.entries.get(name),
      ]
      if (ours?._tag === 'Folder' && theirs?._tag === 'Folder' && known?._tag === 'Folder')
        return ours.id !== known.here || theirs.id !== known.there
      return !isEqual(ours, theirs) || !isEqual(known, ours)
    })
  })

const sorted = ({ acts, agreed, hindrances }: Decision): unknown => ({
  acts: acts.toSorted(byText),
  agreed: agreed.toSorted(byText),
  hindrances: hindrances.toSorted(byText),
})

test('comparing only changed folders gives the same result as comparing everything', () => {
  fc.assert(
    fc.property(changes, fc.array(fc.constantFrom('', 'a', 'b', 'a/b', 'c/a')), (all, more) => {
      const state = stateOf(changedEnds(all))
      assert.equal(sorted(reconcile(state, [...differing(state), ...more])), sorted(reconcile(state)))
    }),
    runs,
  )
})

test('the order in which changed folders are told changes nothing, nor does telling them again', () => {
  const told = fc.array(fc.tuple(fc.nat(), fc.boolean()), { minLength: 12, maxLength: 12 })
  fc.assert(
    fc.property(changes, told, (all, orders) => {
      const state = stateOf(changedEnds(all))
      const folders = differing(state)
      const events = folders.flatMap((folder, at) => {
        const [rank = 0, isTwice = false] = orders[at % orders.length] ?? []
        return (isTwice ? [rank, orders.length - at] : [rank]).map((turn) => ({ folder, turn }))
      })
      const others = events.toSorted((a, b) => a.turn - b.turn).map(({ folder }) => folder)
      assert.equal(sorted(reconcile(state, others)), sorted(reconcile(state, folders)))
    }),
    runs,
  )
})

test.run()
