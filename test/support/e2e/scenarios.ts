/**
 * Runs the scenarios of one file concurrently, each as its own test: most of their time is spent waiting for pods. A
 * scenario that cannot run on the current cluster is counted as skipped, with the reason.
 */
import { type Lab, openLab, type Space, type SpaceOptions } from './e2e.ts'

export type Scenario = {
  /** A sentence about behaviour. */
  readonly title: string
  /** Part of the namespace's name, so it is short. */
  readonly space: string
  readonly options?: SpaceOptions
  /** Why it cannot run on this cluster. */
  readonly unless?: (lab: Lab) => string | undefined
  readonly run: (space: Space, lab: Lab) => Promise<void>
}

/** Starts tasks in order, at most `atOnce` at a time. */
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

/** The part of a suite that is used. */
type Suite = {
  (title: string, run: () => Promise<void> | undefined): void
  readonly before: (run: () => void) => void
  readonly skip: (title: string) => void
}

/** E2E_ONLY=TEXT runs only those whose title contains the text. */
export const scenarios = async (test: Suite, list: ReadonlyArray<Scenario>, atOnce = 3): Promise<void> => {
  const lab = await openLab()
  // Only scenarios that the cluster cannot run are left out, and those are counted.
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
