/** The engine of a synchronisation, event by event. */
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ActOutcome, SyncAct, SyncEnd } from '../../../src/domain/sync/act.ts'
import { type BaseEntry, emptyBase, withChanges } from '../../../src/domain/sync/base.ts'
import { cycleStep } from '../../../src/domain/sync/cycle.ts'
import { type CycleCommand, type CycleEvent, type CycleState, newCycle } from '../../../src/domain/sync/cycle-state.ts'
import type { SeenEntry, TreeFile } from '../../../src/domain/sync/entry.ts'

const file = (text: string): TreeFile => ({ _tag: 'File', hash: text.padEnd(64, '0'), isExecutable: false, size: 1 })

type Engine = {
  readonly feed: (event: CycleEvent) => ReadonlyArray<CycleCommand>
  readonly state: () => CycleState
}

const newEngine = (): Engine => {
  let state = newCycle(() => 'two-way')
  return {
    feed: (event) => {
      const [next, commands] = cycleStep(state, event)
      state = next
      return commands
    },
    state: () => state,
  }
}

const looked = (end: SyncEnd, nowMs: number, entries: Readonly<Record<string, SeenEntry>>): CycleEvent => ({
  _tag: 'Looked',
  nowMs,
  end,
  look: { isWhole: true, listings: new Map([['', { entries: new Map(Object.entries(entries)), isHeld: false }]]) },
})

const linked = (base: Readonly<Record<string, BaseEntry>>) => ({
  _tag: 'Linked' as const,
  nowMs: 0,
  base: withChanges(emptyBase, Object.entries(base)),
})

const actsIn = (commands: ReadonlyArray<CycleCommand>): ReadonlyArray<SyncAct> =>
  commands.flatMap((one) => (one._tag === 'Carry' ? one.acts : []))

const baseAt = (engine: Engine, name: string): BaseEntry | undefined => engine.state().base.get('')?.get(name)

const runOf = (engine: Engine): number => engine.state().running?.run ?? 0

test('an end whose listing failed is listed again', () => {
  const engine = newEngine()
  engine.feed(linked({}))
  engine.feed(looked('here', 0, {}))
  engine.feed({ _tag: 'NotLooked', nowMs: 0, end: 'there', reason: 'it is not there' })
  assert.equal(engine.feed({ _tag: 'Tick', nowMs: 1000 }), [])
  assert.equal(engine.feed({ _tag: 'Tick', nowMs: 2000 }), [{ _tag: 'Look', end: 'there' }])
})

for (const [count, everyMs] of [
  [1, 60_000],
  [10_000, 150_000],
  [50_000, 300_000],
] as const) {
  test(`everything is listed again after ${everyMs / 1000} s if there are ${count} files`, () => {
    const engine = newEngine()
    const entries = Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}`, file('1')]))
    engine.feed(linked(entries))
    engine.feed(looked('here', 0, entries))
    engine.feed(looked('there', 0, entries))
    assert.equal(engine.feed({ _tag: 'Tick', nowMs: everyMs - 1 }), [])
    const both: ReadonlyArray<CycleCommand> = [
      { _tag: 'Look', end: 'here' },
      { _tag: 'Look', end: 'there' },
    ]
    assert.equal(engine.feed({ _tag: 'Tick', nowMs: everyMs }), both)
  })
}

test('an end that has missed changes is listed as a whole at once', () => {
  const engine = newEngine()
  const overflow: CycleEvent = { _tag: 'Overflow', nowMs: 0, end: 'there' }
  assert.equal(engine.feed(overflow), [])
  engine.feed(linked({}))
  engine.feed(looked('here', 0, {}))
  engine.feed(looked('there', 0, {}))
  assert.equal(engine.feed(overflow), [{ _tag: 'Look', end: 'there' }])
})

const outcomes: ReadonlyArray<readonly [string, ActOutcome]> = [
  ['failed', { _tag: 'Failed', trouble: 'NoSpace', reason: 'no space left' }],
  ['has no source', { _tag: 'Failed', trouble: 'NoSource', reason: 'it has changed' }],
  ['was refused', { _tag: 'Refused', found: undefined }],
]

for (const [what, outcome] of outcomes) {
  test(`a write that ${what} does not cause a conflict for unchanged files`, () => {
    const engine = newEngine()
    engine.feed(linked({ a: file('1') }))
    engine.feed(looked('here', 0, { a: file('2') }))
    const [act] = actsIn(engine.feed(looked('there', 0, { a: file('1') })))
    assert.ok(act)
    engine.feed({ _tag: 'ActOver', nowMs: 0, run: runOf(engine), act, outcome })
    engine.feed(looked('here', 50_000, { a: file('3') }))
    engine.feed(looked('there', 50_000, { a: file('1') }))
    assert.is(engine.state().open[0]?.path, 'a')
    assert.is(engine.state().open[0]?.keep, undefined)
  })
}

test('a listing during actions is newer than the results before it', () => {
  const engine = newEngine()
  engine.feed(linked({}))
  engine.feed(looked('here', 0, { a: file('1'), b: file('2') }))
  const acts = actsIn(engine.feed(looked('there', 0, {})))
  const over = (index: number): void => {
    const act = acts[index]
    assert.ok(act?._tag === 'Write')
    engine.feed({ _tag: 'ActOver', nowMs: 0, run: runOf(engine), act, outcome: { _tag: 'Done', entry: act.file } })
  }
  over(0)
  engine.feed(looked('there', 0, { a: file('3') }))
  over(1)
  assert.equal(
    engine.state().trees.there.get('')?.entries,
    new Map([
      ['a', file('3')],
      ['b', file('2')],
    ]),
  )
  assert.equal(
    engine.state().open.map(({ _tag, end, path }) => `${_tag} ${end} ${path}`),
    ['Write here a'],
  )
})

test('a deletion that failed is not undone', () => {
  const engine = newEngine()
  const [a, b] = [file('1'), file('2')]
  engine.feed(linked({ a, b }))
  engine.feed(looked('here', 0, { b }))
  engine.feed(looked('there', 0, { a, b }))
  engine.feed({ _tag: 'Tick', nowMs: 1000 })
  const second = looked('here', 1000, { b })
  const [act] = actsIn(engine.feed(second._tag === 'Looked' ? { ...second, isSecond: true } : second))
  assert.is(act?._tag, 'Remove')
  assert.ok(act)
  const outcome: ActOutcome = { _tag: 'Failed', trouble: 'NoSpace', reason: 'no space left' }
  engine.feed({ _tag: 'ActOver', nowMs: 1000, run: runOf(engine), act, outcome })
  engine.feed(looked('there', 50_000, { a, b }))
  assert.equal(
    engine.state().open.map(({ _tag, end, path }) => `${_tag} ${end} ${path}`),
    ['Remove there a'],
  )
})

test('late results of an earlier run change nothing', () => {
  const [first, second] = [newEngine(), newEngine()]
  second.feed(linked({}))
  for (const engine of [first, second]) {
    engine.feed(linked({ a: file('1'), b: file('1') }))
    engine.feed(looked('here', 0, { a: file('2'), b: file('2') }))
  }
  const [act] = actsIn(first.feed(looked('there', 0, { a: file('1'), b: file('1') })))
  second.feed(looked('there', 0, { a: file('1'), b: file('1') }))
  assert.ok(act)
  const outcome: ActOutcome = { _tag: 'Done', entry: file('2') }
  const events = fc.constantFrom<CycleEvent>(
    { _tag: 'ActOver', nowMs: 1, run: 0, act, outcome },
    { _tag: 'NotStored', nowMs: 1, run: 0, reason: 'no space left' },
  )
  fc.assert(
    fc.property(fc.constantFrom(first, second), fc.integer({ min: 0, max: 9 }), events, (engine, run, event) => {
      fc.pre(run !== runOf(engine) && 'run' in event)
      const before = engine.state()
      const [after, commands] = cycleStep(before, { ...event, run })
      assert.is(after, before)
      assert.equal(commands, [])
    }),
  )
})

test('with a new link nothing is decided before both ends have been listed again', () => {
  const engine = newEngine()
  const base = { a: file('1') }
  engine.feed(linked(base))
  engine.feed(looked('here', 0, base))
  engine.feed(looked('there', 0, base))
  assert.ok(engine.state().isComplete)
  engine.feed({ _tag: 'LinkLost', nowMs: 1, unsent: [] })
  engine.feed(linked(base))
  assert.equal(engine.feed(looked('here', 2, { a: file('2') })), [])
  const acts = actsIn(engine.feed(looked('there', 2, { a: file('3') })))
  assert.ok(acts.some(({ keep }) => keep !== undefined))
})

test('an action that was not sent before the link was lost changed nothing, one that was sent may have', () => {
  const engine = newEngine()
  const base = { a: file('1'), b: file('1') }
  const ours = { a: file('2'), b: file('2') }
  engine.feed(linked(base))
  engine.feed(looked('here', 0, ours))
  const acts = actsIn(engine.feed(looked('there', 0, base)))
  assert.is(acts.length, 2)
  engine.feed({ _tag: 'LinkLost', nowMs: 1, unsent: acts.filter(({ path }) => path === 'b') })
  assert.equal(baseAt(engine, 'a'), { _tag: 'Unsure' })
  assert.equal(baseAt(engine, 'b'), file('1'))
  engine.feed({ _tag: 'Linked', nowMs: 2, base: engine.state().base })
  engine.feed(looked('here', 2, ours))
  const [carried] = engine.feed(looked('there', 2, base)).filter((one) => one._tag === 'Carry')
  assert.equal(carried?.changes, [
    ['b', file('1')],
    ['a', { _tag: 'Unsure' }],
    ['b', { _tag: 'Unsure' }],
  ])
  assert.equal(
    carried?.acts.map(({ keep, path }) => `${path} ${keep === undefined ? 'replaced' : 'kept'}`),
    ['a kept', 'b replaced'],
  )
})

test('no action is sent if the base cannot be stored', () => {
  const engine = newEngine()
  engine.feed(linked({ a: file('1') }))
  engine.feed(looked('here', 0, { a: file('2') }))
  engine.feed(looked('there', 0, { a: file('1') }))
  engine.feed({ _tag: 'NotStored', nowMs: 1, run: runOf(engine), reason: 'no space left' })
  assert.equal(baseAt(engine, 'a'), file('1'))
})

test('decisions of the first comparison are carried out after a cut, except for files changed since', () => {
  const engine = newEngine()
  const [mine, theirs] = [
    { a: file('1'), b: file('1'), c: file('1') },
    { a: file('2'), b: file('2'), c: file('2') },
  ]
  const meeting = { preferred: 'here', leaves: true, keeps: { here: true, there: false } } as const
  engine.feed({ ...linked({}), meeting })
  engine.feed(looked('here', 0, mine))
  const acts = actsIn(engine.feed(looked('there', 0, theirs)))
  engine.feed({ _tag: 'LinkLost', nowMs: 1, unsent: acts.filter(({ path }) => path !== 'c') })
  const { base, meeting: rest } = engine.state()
  engine.feed({ _tag: 'Linked', nowMs: 2, base, ...(rest === undefined ? {} : { meeting: rest }) })
  engine.feed(looked('here', 2, mine))
  const again = actsIn(engine.feed(looked('there', 2, { ...theirs, b: file('3'), d: file('4') })))
  assert.equal(
    again.map(({ end, keep, path }) => `${end} ${path} ${keep === undefined ? 'replaced' : 'kept'}`),
    ['there a replaced', 'there b kept', 'there c kept', 'here d replaced'],
  )
})

test('a confirmation counts only for the deletions in the question', () => {
  const question = { deleter: 'there', deleted: 30, files: 40 } as const
  const before = { ...newCycle(() => 'two-way'), question }
  for (const other of [{ deleted: 29 }, { files: 41 }, { deleter: 'here' as const }]) {
    const deletions = { ...question, ...other }
    const [state, commands] = cycleStep(before, { _tag: 'DeletionsAnswered', deletions, answer: 'Carry', nowMs: 0 })
    assert.is(state, before)
    assert.equal(commands, [])
  }
  const event = { _tag: 'DeletionsAnswered', deletions: question, answer: 'Restore', nowMs: 0 } as const
  assert.is(cycleStep(before, event)[0].question, undefined)
})

test.run()
