/**
 * The deployments of an environment, numbered from 1. Plans of successful deployments are kept, so that they can be
 * rolled back to.
 */
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { type DataOf, document, keys, oneOf } from '../print/document.ts'
import { EnvironmentSource } from './source.ts'

const ObjectCounts = keys({
  created: [t.number, 'objects that were created'],
  changed: [t.number, 'objects that were changed or recreated'],
  deleted: [t.number, 'objects that were deleted since the file no longer has them'],
})
export type ObjectCounts = t.TypeOf<typeof ObjectCounts>

export const HistoryEntry = keys(
  {
    number: [t.number, 'counts up from 1'],
    when: [t.string, 'when it ended, in UTC'],
    who: [t.string, 'who deployed'],
    status: [oneOf('deployed', 'error'), 'how it ended'],
    changes: [ObjectCounts, 'what it did'],
    source: [EnvironmentSource, 'files, repository, branch and commit'],
    images: [t.readonlyArray(t.string), 'images of its workloads, at most 50'],
  },
  {
    services: [t.readonlyArray(t.string), 'the services, if only some were deployed'],
    rollbackTo: [t.number, 'the deployment that it went back to'],
    hash: [t.string, 'SHA-256 of its plan'],
    plan: [t.number, 'the deployment under whose number the plan is kept; absent if it is not kept'],
  },
)
export type HistoryEntry = t.TypeOf<typeof HistoryEntry>

export const HistoryList = document('history', 'The last deployments of an environment.', {
  environment: [t.string, 'name of the environment'],
  namespace: [t.string, 'the namespace'],
  deployments: [t.readonlyArray(HistoryEntry), 'the newest first'],
})
export type HistoryList = DataOf<typeof HistoryList>

const mostEntries = 10
const mostImages = 50

export const listedImages = (images: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(images)].toSorted().slice(0, mostImages)

export const nextNumber = (history: ReadonlyArray<HistoryEntry>): number => (history.at(-1)?.number ?? 0) + 1

/** The last ten deployments, and the last ten successful ones. */
export const remembered = (history: ReadonlyArray<HistoryEntry>): ReadonlyArray<HistoryEntry> => {
  const good = history.filter(({ plan }) => plan !== undefined).slice(-mostEntries)
  const kept = new Set([...good, ...history.slice(-mostEntries)])
  return history.filter((entry) => kept.has(entry))
}

const plansOf = (history: ReadonlyArray<HistoryEntry>): ReadonlySet<number> =>
  new Set(history.flatMap(({ plan }) => (plan === undefined ? [] : [plan])))

/** Numbers of plans that nothing refers to any more. */
export const droppedPlans = (
  before: ReadonlyArray<HistoryEntry>,
  now: ReadonlyArray<HistoryEntry>,
): ReadonlyArray<number> => {
  const kept = plansOf(now)
  return [...plansOf(before)].filter((number) => !kept.has(number))
}

const numbersText = (entries: ReadonlyArray<HistoryEntry>): string => entries.map(({ number }) => number).join(', ')

export type PlannedEntry = HistoryEntry & { readonly plan: number }

const isPlanned = (entry: HistoryEntry): entry is PlannedEntry => entry.plan !== undefined

/** The last successful deployment whose plan is kept. */
export const lastPlanned = (history: ReadonlyArray<HistoryEntry>): PlannedEntry | undefined =>
  history.filter(isPlanned).at(-1)

/** The deployment with that number, or the last before the current one with another plan. DT3141, DT3142. */
export const findEntry = (
  environment: string,
  history: ReadonlyArray<HistoryEntry>,
  number: number | undefined,
): E.Either<Diagnostic, PlannedEntry> => {
  const [planned, present] = [history.filter(isPlanned), history.at(-1)]
  const help =
    planned.length === 0
      ? 'plans are kept of deployments of the whole environment that ended well'
      : `there are plans of ${numbersText(planned)}; \`devtool history\` lists all deployments`
  const found =
    number === undefined
      ? planned.findLast((entry) => entry.number < (present?.number ?? 0) && entry.plan !== present?.plan)
      : history.find((entry) => entry.number === number)
  if (found === undefined) {
    const none =
      number !== undefined
        ? `no deployment ${number}`
        : planned.length === 0
          ? 'no deployment whose plan is kept'
          : 'no earlier deployment with another plan than the present one'
    return E.left(error('DT3141', `the environment "${environment}" has ${none}`, { help }))
  }
  return isPlanned(found)
    ? E.right(found)
    : E.left(error('DT3142', `the plan of deployment ${found.number} of "${environment}" is not kept`, { help }))
}
