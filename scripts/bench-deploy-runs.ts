/** The measurements of `bench:deploy`, kept in a file if one is named, so that they can be made in several runs. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'

const all = ['devtool', 'single file', '16 at once', 'one at a time', 'kubectl'] as const
export type Side = (typeof all)[number]
export const sides = all.filter((side) => side !== 'single file' || process.env['SINGLE'] !== undefined)

export type Run = { readonly side: Side; readonly ms: number; readonly megabytes: number }

/** One part of the row `what`, which can be measured without the others. */
type StepRuns = { readonly what: string; readonly runs: ReadonlyArray<Run> }

export type RunRecord = {
  readonly stepsOf: (what: string) => number
  readonly runsOf: (what: string) => ReadonlyArray<Run>
  readonly add: (step: StepRuns) => void
}

/** One line per step. */
export const runRecord = (path: string | undefined): RunRecord => {
  const text = path === undefined || !existsSync(path) ? '' : readFileSync(path, 'utf8')
  const steps: Array<StepRuns> = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): StepRuns => JSON.parse(line))
  const of = (what: string): ReadonlyArray<StepRuns> => steps.filter((step) => step.what === what)
  return {
    stepsOf: (what) => of(what).length,
    runsOf: (what) => of(what).flatMap(({ runs }) => runs),
    add: (step) => {
      steps.push(step)
      if (path !== undefined) appendFileSync(path, `${JSON.stringify(step)}\n`)
    },
  }
}
