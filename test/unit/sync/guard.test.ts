/** The guard of deletions: how long they wait, and when a person is asked. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { SyncAct } from '../../../src/domain/sync/act.ts'
import { type BaseChange, emptyBase, type SyncBase, withChanges } from '../../../src/domain/sync/base.ts'
import type { SyncTree, TreeFile } from '../../../src/domain/sync/entry.ts'
import { allow, type EndGuard, type GuardVerdict, judge, letGo } from '../../../src/domain/sync/guard.ts'

const fileOf = (name: string): TreeFile => ({ _tag: 'File', hash: `hash of ${name}`, isExecutable: false, size: 1 })

const names = (count: number): ReadonlyArray<string> => Array.from({ length: count }, (_, index) => `f${index}`)

const baseOf = (all: ReadonlyArray<string>): SyncBase =>
  withChanges(
    emptyBase,
    all.map((name): BaseChange => [name, fileOf(name)]),
  )

const treeOf = (all: ReadonlyMap<string, TreeFile>): SyncTree => new Map([['', { entries: all, isHeld: false }]])
const emptied = treeOf(new Map())

const removals = (all: ReadonlyArray<string>): ReadonlyArray<SyncAct> =>
  all.map((path) => ({ _tag: 'Remove', end: 'there', path, expect: fileOf(path) }))

/** Deletions, one after the other, until they are all carried out or a person is asked; how many were carried out. */
const deleteAllOf = (
  all: ReadonlyArray<string>,
  everyMs: number,
  files = 1000,
): { readonly carried: number; readonly verdict: GuardVerdict } => {
  let guard: EndGuard = {}
  let base = baseOf(names(files))
  let acts: ReadonlyArray<SyncAct> = []
  let carried = 0
  let nowMs = 0
  let verdict: GuardVerdict = { _tag: 'None' }
  for (const name of [...all, undefined]) {
    if (name !== undefined) acts = [...acts, ...removals([name])]
    nowMs += name === undefined ? 60_000 : everyMs
    const facts = { acts, base, deleter: emptied, nowMs }
    ;[guard, verdict] = judge(guard, facts)
    if (verdict._tag === 'Ask') return { carried, verdict }
    if (verdict._tag !== 'Confirm') continue
    guard = letGo(guard, facts)
    base = withChanges(
      base,
      acts.map(({ path }): BaseChange => [path, undefined]),
    )
    carried += acts.length
    acts = []
  }
  return { carried, verdict }
}

const deleteAll = (files: number, everyMs: number) => deleteAllOf(names(files), everyMs, files)

const at = (guard: EndGuard, all: ReadonlyArray<string>, base: SyncBase, nowMs: number, deleter = emptied) =>
  judge(guard, { acts: removals(all), base, deleter, nowMs })

test('deletions wait until there are no new ones for a moment, but not for ever', () => {
  const base = baseOf(names(1000))
  const [first, early] = at({}, ['f0'], base, 0)
  assert.equal(early, { _tag: 'Wait', untilMs: 200 })
  const [, again] = at(first, ['f0', 'f1'], base, 150)
  assert.equal(again, { _tag: 'Wait', untilMs: 350 })
  assert.is(at(first, ['f0'], base, 200)[1]._tag, 'Confirm')
  assert.is(at(first, ['f0', 'f1'], base, 1000)[1]._tag, 'Confirm')
})

test('of 5,000 files that are deleted at once none is deleted at the other end', () => {
  const { carried, verdict } = deleteAll(5000, 0)
  assert.is(carried, 0)
  assert.equal(verdict, { _tag: 'Ask', deleted: 5000, files: 5000, isNews: true })
})

test('of 5,000 files that are deleted slowly a few are deleted at the other end', () => {
  for (const everyMs of [10, 100, 1000, 1900]) {
    const { carried, verdict } = deleteAll(5000, everyMs)
    assert.is(verdict._tag, 'Ask')
    assert.ok(carried <= 20, `${everyMs} ms: ${carried}`)
  }
})

test('of files that are deleted with long pauses at most a quarter is deleted at the other end', () => {
  const { carried, verdict } = deleteAll(500, 30_000)
  assert.is(verdict._tag, 'Ask')
  assert.ok(carried <= 125, String(carried))
})

test('more than a few deletions are carried out when they have stopped, and are few of all', () => {
  const { carried, verdict } = deleteAllOf(names(30), 1000)
  assert.is(verdict._tag, 'Confirm')
  assert.is(carried, 30)
})

test('a question about continuing deletions is repeated when they have stopped', () => {
  const base = baseOf(names(1000))
  const isNews = (verdict: GuardVerdict): boolean | undefined => (verdict._tag === 'Ask' ? verdict.isNews : undefined)
  let guard: EndGuard = {}
  let verdict: GuardVerdict = { _tag: 'None' }
  const told: Array<number> = []
  for (let second = 1; second <= 200; second += 1) {
    ;[guard, verdict] = at(guard, names(Math.min(second, 130)), base, second * 1000)
    if (isNews(verdict) === true) told.push(second)
  }
  assert.equal(told, [61, 121, 132])
  assert.equal(verdict, { _tag: 'Ask', deleted: 130, files: 1000, isNews: false })
})

test('the last file of a small folder is not deleted without a question', () => {
  const { carried, verdict } = deleteAll(10, 1000)
  assert.ok(carried < 10)
  assert.is(verdict._tag, 'Ask')
})

test('renamed files do not count as deleted', () => {
  const base = baseOf(names(100))
  const moved = treeOf(new Map(names(100).map((name) => [`new-${name}`, fileOf(name)])))
  const [guard] = at({}, names(100), base, 0, moved)
  assert.is(at(guard, names(100), base, 300, moved)[1]._tag, 'Confirm')
  assert.is(at(guard, names(100), base, 3000)[1]._tag, 'Ask')
})

test('after a minute without deletions, counting starts over', () => {
  const [all, base] = [names(100), baseOf(names(100))]
  const some = all.slice(0, 20)
  const gone = letGo(at({}, some, base, 0)[0], { acts: removals(some), deleter: emptied, nowMs: 300 })
  const rest = withChanges(
    base,
    some.map((path): BaseChange => [path, undefined]),
  )
  const more = all.slice(20, 38)
  const judged = (nowMs: number): GuardVerdict => at(at(gone, more, rest, nowMs)[0], more, rest, nowMs + 3000)[1]
  assert.is(judged(30_000)._tag, 'Ask')
  assert.is(judged(61_000)._tag, 'Confirm')
})

test('confirmed deletions are carried out', () => {
  const [all, base] = [names(100), baseOf(names(100))]
  const [guard] = at({}, all, base, 0)
  assert.is(at(guard, all, base, 3000)[1]._tag, 'Ask')
  assert.is(at(allow(guard), all, base, 300)[1]._tag, 'Confirm')
})

test('an unanswered question remains after a minute', () => {
  const before = baseOf(names(100))
  const first = names(20)
  const facts = { acts: removals(first), base: before, deleter: emptied }
  const guard = letGo(judge({}, { ...facts, nowMs: 0 })[0], { ...facts, nowMs: 1000 })
  const base = baseOf(names(100).slice(20))
  const rest = names(100).slice(20, 26)
  const [waiting] = at(guard, rest, base, 2000)
  const [asked, verdict] = at(waiting, rest, base, 4000)
  assert.is(verdict._tag, 'Ask')
  assert.is(at(asked, rest, base, 100_000)[1]._tag, 'Ask')
})

test('a confirmation does not cover later deletions', () => {
  const base = baseOf(names(100))
  const first = names(40)
  const guard = allow(at(at({}, first, base, 0)[0], first, base, 2000)[0])
  const after = letGo(guard, { acts: removals(first), deleter: emptied, nowMs: 2200 })
  const rest = names(100).slice(40)
  const left = baseOf(rest)
  assert.is(at(at(after, rest, left, 30_000)[0], rest, left, 32_000)[1]._tag, 'Ask')
})

test.run()
