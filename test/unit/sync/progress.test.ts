import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { diskTree } from '../../../src/adapters/sync/disk-tree.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { keepBase } from '../../../src/app/sync/keep-base.ts'
import { synchronise } from '../../../src/app/sync/synchronise.ts'
import type { SyncEnd } from '../../../src/domain/sync/act.ts'
import { emptyBase, withChanges } from '../../../src/domain/sync/base.ts'
import { cycleStep } from '../../../src/domain/sync/cycle.ts'
import {
  type CycleCommand,
  type CycleEvent,
  type CycleState,
  isAtRest,
  newCycle,
  percentOf,
} from '../../../src/domain/sync/cycle-state.ts'
import type { TreeFile } from '../../../src/domain/sync/entry.ts'
import type { OpenTree, TreeEvent } from '../../../src/ports/tree.ts'
import { rightOf } from '../../contract/tree-world.ts'
import { until } from '../../support/process/until.ts'
import { memoryJournal } from '../../support/sync/memory-journal.ts'

const file: TreeFile = { _tag: 'File', hash: 'a', size: 1, isExecutable: false }
const started = newCycle(() => 'two-way')
const base = withChanges(started.base, [
  ['a', file],
  ['b/c', file],
  ['left', { _tag: 'Left', entry: file }],
])

test('progress is the share of finished files among finished and pending ones', () => {
  const open = [{ _tag: 'Remove', end: 'there', path: 'd', expect: file }] as const
  assert.is(percentOf({ ...started, base, open }), 66)
})

const looked = (
  end: SyncEnd,
  one: TreeFile,
  more: { readonly isWhole?: boolean; readonly isRepeated?: boolean } = {},
): CycleEvent => {
  const { isWhole = true, isRepeated = false } = more
  const listings = new Map([['', { entries: new Map([['a', one]]), isHeld: false }]])
  return { _tag: 'Looked', nowMs: 0, end, look: { isWhole, listings }, isRepeated }
}
const linked: CycleEvent = { _tag: 'Linked', nowMs: 0, base: withChanges(emptyBase, [['a', file]]) }
const overflow: CycleEvent = { _tag: 'Overflow', nowMs: 0, end: 'here' }

/** Returns the state after the events, and the commands of the last one. */
const after = (events: ReadonlyArray<CycleEvent>): readonly [CycleState, ReadonlyArray<CycleCommand>] => {
  let [state, commands]: readonly [CycleState, ReadonlyArray<CycleCommand>] = [started, []]
  for (const event of events) [state, commands] = cycleStep(state, event)
  return [state, commands]
}

const rest = [linked, looked('here', file), looked('there', file)]

for (const [what, events, percent] of [
  ['both ends were listed', rest, 100],
  ['only one end was listed', [linked, looked('here', file), looked('here', file)], 99],
  ['an end missed changes', [...rest, overflow], 99],
  [
    'an end missed changes, and only one of its folders was listed',
    [...rest, overflow, looked('here', file, { isWhole: false })],
    99,
  ],
  ['an end missed changes, and only the other was listed', [...rest, overflow, looked('there', file)], 99],
  ['an end missed changes while it was listed', [...rest, overflow, looked('here', file, { isRepeated: true })], 99],
  ['an end missed changes, and was listed', [...rest, overflow, looked('here', file)], 100],
  ['an end missed changes before both were listed', [overflow, ...rest], 100],
] as const) {
  test(`${percent} % is reported when nothing differs and ${what}`, () => {
    const [state] = after(events)
    assert.is(percentOf(state), percent)
    assert.is(isAtRest(state), percent === 100)
  })
}

test('a reported change is less than 100 % until it was carried out', () => {
  const [state, commands] = after([...rest, looked('here', { ...file, hash: 'b' }, { isWhole: false })])
  assert.ok(percentOf(state) < 100)
  const [act] = commands.flatMap((one) => (one._tag === 'Carry' ? one.acts : []))
  assert.ok(act?._tag === 'Write')
  const run = state.running?.run ?? 0
  const [done] = cycleStep(state, { _tag: 'ActOver', nowMs: 0, run, act, outcome: { _tag: 'Done', entry: act.file } })
  assert.is(percentOf(done), 100)
})

test('changes that are missed during a listing are less than 100 % until the next listing', async () => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'progress-'))
  const [here, there] = (['here', 'there'] as const).map((name) => {
    fs.mkdirSync(join(folder, name))
    fs.writeFileSync(join(folder, name, 'a'), 'same')
    return diskTree({ clock: systemClock, root: join(folder, name), isIgnored: () => false })
  })
  assert.ok(here !== undefined && there !== undefined)
  let tell: (event: TreeEvent) => void = () => {}
  const waiting: Array<() => void> = []
  let isSlow = false
  const slow: OpenTree = {
    ...here,
    watch: (onEvent) => {
      tell = onEvent
      return here.watch(onEvent)
    },
    look: (folders) => async () => {
      const found = await here.look(folders)()
      if (isSlow) await new Promise<void>((resolve) => waiting.push(resolve))
      return found
    },
  }
  const engine = synchronise(systemClock, {
    ...{ here: slow, keeper: keepBase(memoryJournal()), modeOf: () => 'two-way' as const },
    ...{ machine: 'laptop', user: 'ann', newId: () => 'id', whose: () => async () => E.right('Mine' as const) },
    say: () => {},
  })
  const percent = (): number => percentOf(engine.state())
  try {
    await rightOf(engine.link(there, () => TE.right(undefined)))
    await until('100 %', () => percent() === 100)
    isSlow = true
    tell({ _tag: 'Overflow' })
    tell({ _tag: 'Overflow' })
    await until('a listing', () => waiting.length === 1)
    waiting[0]?.()
    await until('the next listing', () => waiting.length === 2)
    assert.is(percent(), 99)
    waiting[1]?.()
    await until('100 %', () => percent() === 100)
  } finally {
    await engine.stop()
    here.close()
    there.close()
    fs.rmSync(folder, { recursive: true })
  }
})

test.run()
