/** The order of actions: what a reader at the other end sees meanwhile. */
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { SyncAct, SyncEnd } from '../../src/domain/sync/act.ts'
import { ancestorsOf } from '../../src/domain/sync/path.ts'
import { changedEnds, otherEnd } from '../support/sync/changed-ends.ts'
import { carryOut, cycle, decide, type Ends, newEnds, settle } from '../support/sync/ends.ts'
import { doOp, userOp } from '../support/sync/users.ts'

const ops = fc.array(userOp, { maxLength: 25 })
const runs = { numRuns: 2000 }

const isBelow = (path: string, folder: string): boolean => ancestorsOf(path).includes(folder)

const keyOf = ({ end, path }: SyncAct): string => `${end}/${path}`

test('everything is created before anything is removed, except for what is in the way', () => {
  fc.assert(
    fc.property(ops, ops, ops, (first, here, there) => {
      const { acts } = decide(changedEnds({ first, here, there }))
      const made = new Set(acts.filter(({ _tag }) => _tag !== 'Remove').map(keyOf))
      const isInTheWay = (act: SyncAct): boolean =>
        made.has(keyOf(act)) || ancestorsOf(act.path).some((folder) => made.has(`${act.end}/${folder}`))
      for (const [index, act] of acts.entries()) {
        for (const later of acts.slice(index + 1)) {
          if (later.end !== act.end) continue
          if (act._tag === 'Remove' && later._tag !== 'Remove') assert.ok(isInTheWay(act), act.path)
          // Folders come before what is created in them, and go after it.
          if (act._tag !== 'Remove') assert.not(later._tag !== 'Remove' && isBelow(act.path, later.path))
          else assert.not(later._tag === 'Remove' && isBelow(later.path, act.path))
        }
      }
    }),
    runs,
  )
})

/** Whether the folder has all of these files. */
const isWhole = (ends: Ends, end: SyncEnd, folder: string, files: ReadonlyMap<string, string>): boolean =>
  [...files].every(([path, content]) => {
    const node = ends[end].node(`${folder}/${path}`)
    return node?._tag === 'File' && node.content === content
  })

test('while a renamed folder arrives, it is always whole under one of both names', () => {
  fc.assert(
    fc.property(ops, fc.constantFrom<SyncEnd>('here', 'there'), (all, end) => {
      const ends = newEnds()
      ends.here.makeFolder('a')
      for (const op of all) if (op._tag !== 'Special' && op._tag !== 'Link') doOp(ends.here, op)
      settle(ends)
      const prefix = 'a/'
      const files = new Map(
        [...ends.here.contents()].flatMap(([path, content]) =>
          path.startsWith(prefix) ? [[path.slice(prefix.length), content] as const] : [],
        ),
      )
      fc.pre(files.size > 0)
      ends[end].rename('a', 'renamed')
      let seen = 0
      cycle(ends, {}, (_, act) => {
        const outcome = carryOut(ends, act)
        assert.ok(['a', 'renamed'].some((folder) => isWhole(ends, otherEnd(end), folder, files)))
        seen += 1
        return outcome
      })
      assert.ok(seen > files.size)
      assert.is(ends[otherEnd(end)].node('a'), undefined)
    }),
    runs,
  )
})

test.run()
