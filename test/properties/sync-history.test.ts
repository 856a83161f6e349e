/** Users at both ends who write the same few contents again, and an engine that dies at any act. */
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { SyncEnd } from '../../src/domain/sync/act.ts'
import { carryOut, cycle, type Ends, newEnds, settle, show } from '../support/sync/ends.ts'

/** `Cycle`: an engine compares, users do `meanwhile`, and it carries out its first `acts` and dies. */
type UserStep = {
  readonly _tag: 'Write' | 'Erase'
  readonly end: SyncEnd
  readonly path: string
  readonly content: string
}
type HistoryStep =
  | UserStep
  | { readonly _tag: 'Cycle'; readonly acts: number; readonly meanwhile: ReadonlyArray<UserStep> }

const userStep: fc.Arbitrary<UserStep> = fc.record({
  _tag: fc.constantFrom('Write', 'Write', 'Write', 'Erase'),
  end: fc.constantFrom('here', 'there'),
  path: fc.constantFrom('a', 'd/a'),
  content: fc.constantFrom('x', 'y', 'z'),
})
const historyStep: fc.Arbitrary<HistoryStep> = fc.oneof(
  { weight: 3, arbitrary: userStep },
  {
    weight: 2,
    arbitrary: fc.record({
      _tag: fc.constant('Cycle'),
      acts: fc.oneof(fc.nat(3), fc.constant(100)),
      meanwhile: fc.array(userStep, { maxLength: 2 }),
    }),
  },
)

/** `alive`: the contents that no user has ended, by path. `known`: what engines saw or made last, by end and path. */
type Story = {
  readonly ends: Ends
  readonly alive: Map<string, Set<string>>
  readonly known: Map<string, string | undefined>
}

const contentAt = (ends: Ends, end: SyncEnd, path: string): string | undefined => {
  const node = ends[end].node(path)
  return node?._tag === 'File' ? node.content : undefined
}

const note = ({ ends, known }: Story): void => {
  for (const end of ['here', 'there'] as const) {
    for (const path of ['a', 'd/a']) known.set(`${end}/${path}`, contentAt(ends, end, path))
  }
}

const doStep = ({ alive, ends, known }: Story, { _tag, content, end, path }: UserStep): void => {
  const tree = ends[end]
  const own = alive.get(path) ?? new Set()
  alive.set(path, own)
  const before = contentAt(ends, end, path)
  if (before !== undefined && (_tag === 'Erase' || before !== content)) own.delete(before)
  if (_tag === 'Erase') tree.put(path, undefined)
  // Nobody can tell that somebody wrote again what was there when it was looked at.
  else if (tree.write(path, content) && known.get(`${end}/${path}`) !== content) own.add(content)
}

const doCycle = (story: Story, acts: number, meanwhile: ReadonlyArray<UserStep>): void => {
  const { ends } = story
  let done = 0
  note(story)
  cycle(ends, {}, (_, act) => {
    if (done === 0) for (const step of meanwhile) doStep(story, step)
    done += 1
    if (done > acts) return { _tag: 'Lost', reason: 'it died' }
    const outcome = carryOut(ends, act)
    if (outcome._tag === 'Done') story.known.set(`${act.end}/${act.path}`, contentAt(ends, act.end, act.path))
    return outcome
  })
}

test('the last version of a file is never replaced by an older one, whenever the engine is killed', () => {
  fc.assert(
    fc.property(fc.array(historyStep, { maxLength: 14 }), (history) => {
      const story: Story = { ends: newEnds(), alive: new Map(), known: new Map() }
      const { alive, ends } = story
      ends.here.makeFolder('d')
      settle(ends)
      for (const step of history) {
        if (step._tag === 'Cycle') doCycle(story, step.acts, step.meanwhile)
        else doStep(story, step)
      }
      settle(ends)
      assert.equal(show(ends.here), show(ends.there))
      const contents = [...ends.here.contents()]
      for (const [path, own] of alive) {
        for (const content of own) {
          const isThere = contents.some(
            ([found, text]) => text === content && (found === path || found.startsWith(`${path}.conflict-`)),
          )
          assert.ok(isThere, `${path}: ${content} is lost`)
        }
      }
    }),
    { numRuns: 5000 },
  )
})

test.run()
