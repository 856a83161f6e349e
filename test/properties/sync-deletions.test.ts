/** Deletions at any speed: how many reach the other end before a person is asked, and what happens then. */
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type BaseChange, emptyBase, withChanges } from '../../src/domain/sync/base.ts'
import { cycleStep } from '../../src/domain/sync/cycle.ts'
import { type CycleCommand, type CycleEvent, newCycle } from '../../src/domain/sync/cycle-state.ts'
import type { TreeFile } from '../../src/domain/sync/entry.ts'

const fileOf = (name: string): TreeFile => ({
  _tag: 'File',
  hash: `${name}x`.padEnd(64, '0'),
  isExecutable: false,
  size: 1,
})

/** `gone`: deleted at the end that was not told. `told`: how often a person was. */
type Outcome = { readonly gone: number; readonly told: number; readonly isAsked: boolean }

/** `pauses`: before each deletion in the container, in milliseconds. Time goes on for two minutes after the last. */
const deleteThere = (files: number, pauses: ReadonlyArray<number>): Outcome => {
  const names = Array.from({ length: files }, (_, index) => `f${index}`)
  const ends = { here: new Set(names), there: new Set(names) }
  let state = newCycle(() => 'two-way')
  let nowMs = 0
  let told = 0
  let wakes: Array<number> = []
  const look = (end: 'here' | 'there', isSecond = false): CycleEvent => {
    const entries = new Map([...ends[end]].map((name) => [name, fileOf(name)] as const))
    return {
      _tag: 'Looked',
      nowMs,
      end,
      isSecond,
      look: { isWhole: true, listings: new Map([['', { entries, isHeld: false }]]) },
    }
  }
  const feed = (event: CycleEvent): void => {
    const [next, commands] = cycleStep(state, event)
    state = next
    for (const command of commands) obey(command)
  }
  const obey = (command: CycleCommand): void => {
    if (command._tag === 'Look') feed(look(command.end, command.isSecond))
    else if (command._tag === 'Wake') wakes.push(command.atMs)
    else if (command._tag === 'TellSync') told += command.notice._tag === 'Deletions' ? 1 : 0
    else {
      for (const act of command.acts) {
        if (act._tag === 'Remove') ends[act.end].delete(act.path)
        feed({ _tag: 'ActOver', nowMs, run: command.run, act, outcome: { _tag: 'Done', entry: undefined } })
      }
    }
  }
  const waitUntil = (untilMs: number): void => {
    for (;;) {
      const next = Math.min(Math.floor(nowMs / 1000) * 1000 + 1000, ...wakes.filter((atMs) => atMs > nowMs))
      if (next > untilMs) break
      nowMs = next
      wakes = wakes.filter((atMs) => atMs > nowMs)
      feed({ _tag: 'Tick', nowMs })
    }
    nowMs = untilMs
  }
  feed({
    _tag: 'Linked',
    nowMs,
    base: withChanges(
      emptyBase,
      names.map((name): BaseChange => [name, fileOf(name)]),
    ),
  })
  for (const [index, pause] of pauses.entries()) {
    waitUntil(nowMs + pause)
    ends.there.delete(`f${index}`)
    feed(look('there'))
  }
  waitUntil(nowMs + 120_000)
  return { gone: files - ends.here.size, told, isAsked: state.question !== undefined }
}

const some = { numRuns: 30 }
const few = 20
const aLot = fc.integer({ min: 30, max: 150 })
const pausesOf = (max: number) => (count: number) =>
  fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max })), { minLength: count, maxLength: count })

test('however fast most of a folder is deleted, without a pause only a few files are deleted at the other end before confirmation', () => {
  fc.assert(
    fc.property(aLot.chain(pausesOf(1900)), (pauses) => {
      const { gone, isAsked, told } = deleteThere(pauses.length * 2, pauses)
      assert.ok(gone <= few, `${gone} are gone`)
      assert.ok(isAsked)
      assert.ok(told > 0 && told <= 2 + pauses.reduce((sum, pause) => sum + pause, 0) / 60_000, `told ${told} times`)
    }),
    some,
  )
})

test('with any pauses, at most a quarter is deleted before confirmation', () => {
  fc.assert(
    fc.property(aLot.chain(pausesOf(50_000)), (pauses) => {
      const { gone, isAsked } = deleteThere(pauses.length * 2, pauses)
      assert.ok(gone <= Math.max(few, pauses.length / 2), `${gone} are gone`)
      assert.ok(isAsked)
    }),
    some,
  )
})

test('a small share of all files is deleted at the other end without a question', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }).chain(pausesOf(1900)), (pauses) => {
      const outcome = deleteThere(200, pauses)
      assert.equal(outcome, { gone: pauses.length, told: 0, isAsked: false })
    }),
    some,
  )
})

test.run()
