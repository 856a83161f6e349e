/**
 * Links to a folder that follow each other. An act whose answer was lost is remembered until the next link asks for its
 * outcome, so that nobody has to guess whether it was carried out.
 */
import type { ActOutcome } from '../../domain/sync/act.ts'

/** By ticket. */
type Acts = Map<string, Promise<ActOutcome>>

/** `close`: resolves when the link changes nothing any more. */
type TreeSession = { readonly close: () => Promise<void>; readonly acts: Acts }

export type TreeSessions = Map<string, TreeSession>

/** `acts`: also those of earlier links. `isKnown`: there was one. */
export type Resumed = { readonly acts: Acts; readonly isKnown: boolean }

const mostSessions = 32
/** Many more than are under way at once. */
const mostActs = 256

const removeOldest = <A>(map: Map<string, A>, most: number): void => {
  for (const key of map.keys()) {
    if (map.size <= most) return
    map.delete(key)
  }
}

/** Closes the earlier link of the session first. */
export const resume = async (sessions: TreeSessions, name: string, close: TreeSession['close']): Promise<Resumed> => {
  const earlier = sessions.get(name)
  const acts: Acts = earlier?.acts ?? new Map()
  const closed = earlier?.close()
  const closeAll = async (): Promise<void> => {
    await Promise.all([closed, close()])
  }
  sessions.delete(name)
  sessions.set(name, { acts, close: closeAll })
  removeOldest(sessions, mostSessions)
  await closed
  return { acts, isKnown: earlier !== undefined }
}

export const remember = (acts: Acts, ticket: string, outcome: Promise<ActOutcome>): void => {
  acts.set(ticket, outcome)
  removeOldest(acts, mostActs)
}

const neverCame = Promise.resolve<ActOutcome>({ _tag: 'Failed', trouble: 'Other', reason: 'it did not arrive' })

/** An act that is not remembered did not arrive before its link was closed. */
export const outcomesOf = (acts: Acts, tickets: ReadonlyArray<string>): Promise<ReadonlyArray<ActOutcome>> =>
  Promise.all(tickets.map((ticket) => acts.get(ticket) ?? neverCame))
