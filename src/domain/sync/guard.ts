/**
 * Holds deletions back until their meaning is clear: a few files are deleted at the other end too, but the deletion of
 * most of a folder needs a person's consent.
 */
import type { SyncAct, SyncEnd } from './act.ts'
import type { SyncBase } from './base.ts'
import type { SyncTree } from './entry.ts'
import { nameOf, parentOf } from './path.ts'

/** Consecutive deletions at one end. `start`: the base before the first. */
type Burst = {
  readonly start: SyncBase
  readonly files: number
  readonly gone: ReadonlySet<string>
  readonly lastMs: number
  readonly isAllowed: boolean
}

/**
 * Deletions that wait. `firstMs`, `lastMs`: when the first and the last of them arrived. `judgeMs`: they are not
 * counted again before that. `asked`: the open question about them, as it was last shown.
 */
type Waiting = {
  readonly paths: ReadonlySet<string>
  readonly firstMs: number
  readonly lastMs: number
  readonly judgeMs?: number
  readonly asked?: { readonly deleted: number; readonly atMs: number }
}

export type EndGuard = { readonly burst?: Burst; readonly waiting?: Waiting }

/**
 * Wait: until then, at the latest. Confirm: they may be carried out if one more look shows the same. Ask: `isNews` when
 * the user has to be notified.
 */
export type GuardVerdict =
  | { readonly _tag: 'None' }
  | { readonly _tag: 'Wait'; readonly untilMs: number }
  | { readonly _tag: 'Confirm' }
  | { readonly _tag: 'Ask'; readonly deleted: number; readonly files: number; readonly isNews: boolean }

const quietMs = 200
const longestMs = 1000
/** Larger numbers are held back until no deletion has arrived for this time: more may follow. */
const stoppedMs = 2000
/** When they have not stopped by then, the user is asked. */
const mostHeldMs = 60_000
const burstMs = 60_000
const mostFiles = 20
const mostShare = 0.25

/** A removal that carries over a deletion, rather than making room for another entry. */
export const isDeletion = (act: SyncAct): boolean => act._tag === 'Remove' && act.keep === undefined

export const deleterOf = ({ end }: SyncAct): SyncEnd => (end === 'here' ? 'there' : 'here')

const filesIn = (base: SyncBase): number => {
  let files = 0
  for (const names of base.values()) {
    for (const { _tag } of names.values()) if (_tag === 'File' || _tag === 'Link') files += 1
  }
  return files
}

const isFileIn = (base: SyncBase, path: string): boolean => {
  const tag = base.get(parentOf(path))?.get(nameOf(path))?._tag
  return tag === 'File' || tag === 'Link'
}

const contentsOf = (tree: SyncTree): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const { entries } of tree.values())
    for (const entry of entries.values()) if (entry._tag === 'File') found.add(entry.hash)
  return found
}

/** Files whose content exists elsewhere do not count: they were only renamed. */
const goneOf = (acts: ReadonlyArray<SyncAct>, burst: Burst, deleter: SyncTree): ReadonlyArray<string> => {
  const contents = contentsOf(deleter)
  return acts
    .filter(
      ({ expect, path }) => isFileIn(burst.start, path) && !(expect?._tag === 'File' && contents.has(expect.hash)),
    )
    .map(({ path }) => path)
}

const begin = (base: SyncBase, nowMs: number): Burst => ({
  start: base,
  files: filesIn(base),
  gone: new Set(),
  lastMs: nowMs,
  isAllowed: false,
})

const waitingOf = (before: Waiting | undefined, acts: ReadonlyArray<SyncAct>, nowMs: number): Waiting => {
  const paths = new Set(acts.map(({ path }) => path))
  if (before === undefined) return { paths, firstMs: nowMs, lastMs: nowMs }
  const isNew = [...paths].some((path) => !before.paths.has(path))
  return { ...before, paths, lastMs: isNew ? nowMs : before.lastMs }
}

export type GuardFacts = {
  /** All deletions to be carried over from one end. */
  readonly acts: ReadonlyArray<SyncAct>
  readonly base: SyncBase
  /** The current tree of the end that deleted. */
  readonly deleter: SyncTree
  readonly nowMs: number
}

/** What to do about the deletions of one end. */
export const judge = (guard: EndGuard, facts: GuardFacts): readonly [EndGuard, GuardVerdict] => {
  const { acts, base, deleter, nowMs } = facts
  // A burst lasts while deletions wait, or an unanswered question would vanish.
  const isOver = guard.burst !== undefined && guard.waiting === undefined && nowMs - guard.burst.lastMs > burstMs
  if (acts.length === 0) return [guard.burst === undefined || isOver ? {} : { burst: guard.burst }, { _tag: 'None' }]
  const burst = guard.burst === undefined || isOver ? begin(base, nowMs) : guard.burst
  const waiting = waitingOf(guard.waiting, acts, nowMs)
  const untilMs = Math.max(Math.min(waiting.lastMs + quietMs, waiting.firstMs + longestMs), waiting.judgeMs ?? 0)
  if (nowMs < untilMs)
    return [
      { burst, waiting },
      { _tag: 'Wait', untilMs },
    ]
  if (burst.isAllowed) return [{ burst, waiting }, { _tag: 'Confirm' }]
  const before = [...burst.gone].filter((path) => !isFileIn(base, path)).length
  const deleted = before + goneOf(acts, burst, deleter).length
  const isMany = deleted > mostFiles
  const hasStopped = nowMs >= waiting.lastMs + stoppedMs
  const { asked } = waiting
  if (isMany && asked === undefined && !hasStopped && nowMs < waiting.firstMs + mostHeldMs) {
    const judgeMs = nowMs + quietMs
    return [
      { burst, waiting: { ...waiting, judgeMs } },
      { _tag: 'Wait', untilMs: judgeMs },
    ]
  }
  const isMuch = (isMany && deleted > burst.files * mostShare) || (deleted > 0 && deleted >= burst.files)
  // A question stays until it is answered.
  if (!isMuch && !(isMany && (asked !== undefined || !hasStopped))) return [{ burst, waiting }, { _tag: 'Confirm' }]
  const isNews = asked === undefined || (asked.deleted !== deleted && (hasStopped || nowMs >= asked.atMs + mostHeldMs))
  const told = isNews ? { deleted, atMs: nowMs } : asked
  return [
    { burst, waiting: { ...waiting, asked: told } },
    { _tag: 'Ask', deleted, files: burst.files, isNews },
  ]
}

/** The guard after the deletions were sent to the other end. */
export const letGo = ({ burst }: EndGuard, { acts, deleter, nowMs }: Omit<GuardFacts, 'base'>): EndGuard => {
  // The user allowed only the deletions that were shown; later ones need another question.
  if (burst === undefined || burst.isAllowed) return {}
  return { burst: { ...burst, gone: new Set([...burst.gone, ...goneOf(acts, burst, deleter)]), lastMs: nowMs } }
}

/** The user has allowed them. */
export const allow = (guard: EndGuard): EndGuard =>
  guard.burst === undefined ? guard : { ...guard, burst: { ...guard.burst, isAllowed: true } }
