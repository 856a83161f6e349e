/** The events of the engine, in any order: what the ends become does not depend on it. */
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ActOutcome, SyncAct, SyncEnd } from '../../src/domain/sync/act.ts'
import { cycleStep } from '../../src/domain/sync/cycle.ts'
import { type CycleCommand, type CycleEvent, newCycle } from '../../src/domain/sync/cycle-state.ts'
import type { TreeLook } from '../../src/domain/sync/entry.ts'
import type { Changes } from '../support/sync/changed-ends.ts'
import { carryOut, type Ends, newEnds, settle, show } from '../support/sync/ends.ts'
import type { UserTree } from '../support/sync/user-tree.ts'
import { doOp, type UserOp, userOp } from '../support/sync/users.ts'

const endsOf: ReadonlyArray<SyncEnd> = ['here', 'there']

/** What an end is asked to do, one after the other. */
type Task =
  | { readonly _tag: 'Look'; readonly folders?: ReadonlyArray<string>; readonly isSecond: boolean }
  | { readonly _tag: 'Act'; readonly act: SyncAct; readonly run: number }

type Answer =
  | { readonly _tag: 'Looked'; readonly look: TreeLook; readonly isSecond: boolean }
  | { readonly _tag: 'ActOver'; readonly act: SyncAct; readonly run: number; readonly outcome: ActOutcome }

type Engine = {
  readonly ends: Ends
  readonly tasks: Readonly<Record<SyncEnd, Array<Task>>>
  /** They arrive in the order in which they were given. */
  readonly answers: Readonly<Record<SyncEnd, Array<Answer>>>
  /** Folders in which a watch has seen something that it has not told yet. */
  readonly told: Readonly<Record<SyncEnd, Set<string>>>
  readonly wakes: Array<number>
  readonly feed: (event: CycleEvent) => void
  readonly isComplete: () => boolean
  nowMs: number
}

const newEngine = (ends: Ends): Engine => {
  let state = newCycle(() => 'two-way')
  const take = (command: CycleCommand): void => {
    switch (command._tag) {
      case 'Look': {
        const { end, isSecond = false } = command
        const task: Task = command.folders === undefined ? { _tag: 'Look', isSecond } : { ...command, isSecond }
        return void engine.tasks[end].push(task)
      }
      case 'Carry':
        for (const act of command.acts) engine.tasks[act.end].push({ _tag: 'Act', act, run: command.run })
        return
      case 'Wake':
        return void engine.wakes.push(command.atMs)
      case 'TellSync': {
        const { notice } = command
        if (notice._tag !== 'Deletions') return
        const { deletions } = notice
        return engine.feed({ _tag: 'DeletionsAnswered', deletions, answer: 'Carry', nowMs: engine.nowMs })
      }
    }
  }
  const engine: Engine = {
    ends,
    tasks: { here: [], there: [] },
    answers: { here: [], there: [] },
    told: { here: new Set(), there: new Set() },
    wakes: [],
    nowMs: 0,
    isComplete: () => state.isComplete,
    feed: (event) => {
      const [next, commands] = cycleStep(state, event)
      state = next
      for (const command of commands) take(command)
    },
  }
  return engine
}

/** The next thing that an end is asked to do; its answer comes later. False when there is nothing. */
const work = ({ answers, ends, tasks }: Engine, end: SyncEnd): boolean => {
  const task = tasks[end].shift()
  if (task === undefined) return false
  const { isSecond } = { isSecond: false, ...task }
  if (task._tag === 'Look') answers[end].push({ _tag: 'Looked', look: ends[end].look(task.folders), isSecond })
  else answers[end].push({ _tag: 'ActOver', act: task.act, run: task.run, outcome: carryOut(ends, task.act) })
  return true
}

const deliver = ({ answers, feed, nowMs }: Engine, end: SyncEnd): boolean => {
  const answer = answers[end].shift()
  if (answer === undefined) return false
  feed(answer._tag === 'Looked' ? { ...answer, end, nowMs } : { ...answer, nowMs })
  return true
}

/** A look at some of the changed folders that were not told yet. */
const tell = ({ answers, ends, told }: Engine, end: SyncEnd, choice: number): boolean => {
  const folders = [...told[end]].filter((_, index) => ((choice >> (index % 8)) & 1) === 1)
  if (folders.length === 0) return false
  for (const folder of folders) told[end].delete(folder)
  answers[end].push({ _tag: 'Looked', look: ends[end].look(folders), isSecond: false })
  return true
}

const wake = (engine: Engine): boolean => {
  const [first] = engine.wakes.toSorted((a, b) => a - b)
  if (first === undefined) return false
  engine.wakes.splice(engine.wakes.indexOf(first), 1)
  engine.nowMs = Math.max(engine.nowMs, first)
  engine.feed({ _tag: 'Tick', nowMs: engine.nowMs })
  return true
}

/** One step that may come at any moment. */
const step = (engine: Engine, choice: number): void => {
  const [kind, end] = [choice % 8, choice % 16 < 8 ? 'here' : 'there'] as const
  const { feed, nowMs } = engine
  if (kind < 2) deliver(engine, end)
  else if (kind < 4) work(engine, end)
  else if (kind < 6) tell(engine, end, Math.floor(choice / 16))
  else if (kind === 6) feed({ _tag: 'Overflow', end, nowMs })
  else {
    engine.nowMs += 1
    feed({ _tag: 'Tick', nowMs: engine.nowMs })
  }
}

const all = 0xff

/** Until nothing happens any more. */
const drain = (engine: Engine): void => {
  for (let steps = 0; steps < 2000; steps += 1) {
    const isBusy = endsOf.some((end) => deliver(engine, end) || work(engine, end) || tell(engine, end, all))
    if (!isBusy && !wake(engine)) return
  }
  throw new Error('it never rests')
}

const watch = (tree: UserTree, told: Set<string>): void => void tree.watch((folder) => told.add(folder))

/** Both ends agree on what `first` made, are changed, and the events come in the order of the choices. */
const runWith = ({ first, here, there }: Changes, choices: ReadonlyArray<number>) => {
  const ends = newEnds()
  for (const op of first) doOp(ends.here, op)
  settle(ends)
  const engine = newEngine(ends)
  for (const end of endsOf) watch(ends[end], engine.told[end])
  engine.feed({ _tag: 'Linked', base: ends.base, nowMs: 0 })
  // The looks with which a link begins are over before anything is changed.
  while (endsOf.some((end) => work(engine, end) || deliver(engine, end)));
  assert.ok(engine.isComplete())
  for (const op of here) doOp(ends.here, op)
  for (const op of there) doOp(ends.there, op)
  for (const choice of choices) step(engine, choice)
  drain(engine)
  return { isComplete: engine.isComplete(), here: show(ends.here), there: show(ends.there) }
}

const ops = fc.array(userOp, { maxLength: 15 })
const changes = fc.record({ first: ops, here: ops, there: ops })
const choices = fc.array(fc.nat(16 * 256 - 1), { maxLength: 60 })

test('the order of looks, outcomes, overflows and ticks changes nothing in what the ends become', () => {
  fc.assert(
    fc.property(changes, choices, (changed, order) => {
      const found = runWith(changed, order)
      assert.equal(found, runWith(changed, []))
      assert.ok(found.isComplete)
    }),
    { numRuns: 2000 },
  )
})

test('a change of content at one end and of the executable bit at the other are combined in any order of events', () => {
  const write = (content: string, isExecutable: boolean): ReadonlyArray<UserOp> => [
    { _tag: 'Write', path: 'a', content, isExecutable },
  ]
  const first = write('x', true)
  for (const [here, there] of [
    [write('y', true), write('x', false)],
    [write('x', false), write('y', true)],
  ] as const) {
    fc.assert(
      fc.property(choices, (order) => {
        const found = runWith({ first, here, there }, order)
        assert.equal(found, { isComplete: true, here: ['a=y'], there: ['a=y'] })
      }),
    )
  }
})

test.run()
