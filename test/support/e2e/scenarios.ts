/**
 * Scenarios of one file run side by side, each a test of its own: most of their time is waiting for pods. A scenario that
 * cannot run on the cluster at hand is counted as skipped, and says why.
 */
import { type Lab, openLab, type Space, type SpaceOptions } from './e2e.ts'

export type Scenario = {
  /** A sentence about behaviour. */
  readonly title: string
  /** Of the namespace: short. */
  readonly space: string
  readonly options?: SpaceOptions
  /** Why it cannot run here. */
  readonly unless?: (lab: Lab) => string | undefined
  readonly run: (space: Space, lab: Lab) => Promise<void>
}

/** Starts what it is given, at most `atOnce` at a time, in the order it came. */
const inTurn = (atOnce: number): (<A>(run: () => Promise<A>) => Promise<A>) => {
  let running = 0
  const waiting: Array<() => void> = []
  return async (run) => {
    if (running >= atOnce) await new Promise<void>((go) => waiting.push(go))
    else running += 1
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}

const perform = async (lab: Lab, { options = {}, run, space, title }: Scenario): Promise<void> => {
  const begin = performance.now()
  await lab.within(space, options, (own) => run(own, lab))
  process.stdout.write(`  ${((performance.now() - begin) / 1000).toFixed(1)} s  ${title}\n`)
}

/** What is used of a suite. */
type Suite = {
  (title: string, run: () => Promise<void> | undefined): void
  readonly before: (run: () => void) => void
  readonly skip: (title: string) => void
}

/** E2E_ONLY=TEXT runs only those whose title has the text. */
export const scenarios = async (test: Suite, list: ReadonlyArray<Scenario>, atOnce = 3): Promise<void> => {
  const lab = await openLab()
  // Only the cluster decides that something is left out, and it is counted.
  const { skip: leaveOut } = test
  const only = process.env['E2E_ONLY'] ?? ''
  const results = new Map<string, Promise<void>>()
  const chosen = list.filter(({ title }) => title.includes(only))
  const possible = chosen.filter(({ unless }) => unless?.(lab) === undefined)
  const turn = inTurn(atOnce)
  test.before(() => {
    for (const scenario of possible) {
      const result = turn(() => perform(lab, scenario))
      result.catch(() => {})
      results.set(scenario.title, result)
    }
  })
  for (const { title, unless } of chosen) {
    const reason = unless?.(lab)
    if (reason === undefined) test(title, () => results.get(title))
    else leaveOut(`${title} (${reason})`)
  }
}
