/** Paths of which only one end's changes are carried over, beside others. */
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { SyncEnd, SyncMode } from '../../src/domain/sync/act.ts'
import { reconcile, type SyncState } from '../../src/domain/sync/reconcile.ts'
import { byText, changedEnds, findsWhatIsExpected, swapped } from '../support/sync/changed-ends.ts'
import { decide, type Ends, mirrored, settle, show, stateOf } from '../support/sync/ends.ts'
import { doOp, userOp } from '../support/sync/users.ts'

/** Without links and special files, which may stay at one end in any mode. */
const ops = fc.array(
  userOp.filter(({ _tag }) => _tag !== 'Special' && _tag !== 'Link'),
  { maxLength: 25 },
)
const changes = fc.record({ first: ops, here: ops, there: ops })

const runs = { numRuns: 2000 }

/** Each top folder or file has its own mode. */
const modeOf = (path: string): SyncMode => {
  const [top] = path.split('/')
  if (top === 'a') return 'push'
  return top === 'b' ? 'pull' : 'two-way'
}

const shownIn = (ends: Ends, end: SyncEnd, mode: SyncMode): ReadonlyArray<string> =>
  show(ends[end]).filter((one) => modeOf(one.split(/[ =]/)[0] ?? '') === mode)

test('with one way, the source never changes, and in the end nothing is left to do', () => {
  fc.assert(
    fc.property(changes, (all) => {
      const ends = changedEnds(all)
      const before = [shownIn(ends, 'here', 'push'), shownIn(ends, 'there', 'pull')]
      settle(ends, { modeOf })
      assert.equal([shownIn(ends, 'here', 'push'), shownIn(ends, 'there', 'pull')], before)
      assert.equal(shownIn(ends, 'here', 'two-way'), shownIn(ends, 'there', 'two-way'))
      assert.equal(decide(ends, { modeOf }).acts, [])
    }),
    runs,
  )
})

test('with one way, an unchanged target follows the source in everything', () => {
  fc.assert(
    fc.property(ops, ops, fc.constantFrom<SyncEnd>('here', 'there'), (first, later, source) => {
      const ends = changedEnds({ first, here: [], there: [] })
      for (const op of later) doOp(ends[source], op)
      const mode = source === 'here' ? 'push' : 'pull'
      settle(ends, { modeOf: () => mode })
      assert.equal(show(ends.here), show(ends.there))
    }),
    runs,
  )
})

test('with one way, a target that was changed keeps its files until the source changes them, and then has copies', () => {
  fc.assert(
    fc.property(changes, fc.constantFrom<SyncMode>('push', 'pull'), (all, mode) => {
      const ends = changedEnds(all)
      const [source, target] = mode === 'push' ? ([ends.here, ends.there] as const) : ([ends.there, ends.here] as const)
      const before = changedEnds({ ...all, here: [], there: [] }).here.contents()
      const own = [...target.contents()].filter(([path, content]) => before.get(path) !== content)
      settle(ends, { modeOf: () => mode })
      const after = [...target.contents()]
      for (const [path, content] of own) {
        const isKept = after.some(
          ([found, text]) => text === content && (found === path || found.startsWith(`${path}.conflict-`)),
        )
        assert.ok(isKept, `${path}: ${content}`)
        if (source.node(path) === undefined) assert.is(target.contents().get(path), content, path)
      }
      // A folder with files that only the target has is not removed for a file of the source, and that is told.
      const inTheWay = new Set(decide(ends, { modeOf: () => mode }).hindrances.map(({ path }) => path))
      for (const [path, content] of source.contents()) {
        if (before.get(path) === content) continue
        if (inTheWay.has(path)) assert.ok(target.folder(path))
        else assert.is(target.contents().get(path), content, path)
      }
    }),
    runs,
  )
})

test('in every mode, every action finds the content that it expects', () => {
  fc.assert(
    fc.property(changes, (all) => {
      findsWhatIsExpected(changedEnds(all), { modeOf })
    }),
    runs,
  )
})

const opposite = (mode: SyncMode): SyncMode => (mode === 'push' ? 'pull' : mode === 'pull' ? 'push' : mode)

test('pull is push with the ends swapped', () => {
  fc.assert(
    fc.property(changes, (all) => {
      const ends = changedEnds(all)
      const keeps = { here: true, there: true }
      const state = stateOf(ends, { modeOf, meeting: { preferred: 'there', leaves: false, keeps } })
      const mirror: SyncState = {
        ...stateOf(ends, { modeOf: (path) => opposite(modeOf(path)) }),
        base: mirrored(ends.base),
        here: state.there,
        there: state.here,
      }
      assert.equal(reconcile(mirror).acts.map(swapped).toSorted(byText), reconcile(state).acts.toSorted(byText))
    }),
    runs,
  )
})

test.run()
