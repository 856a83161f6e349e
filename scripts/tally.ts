/** Counts tests, and formats the last line of output of every test command. */
import { stripVTControlCharacters } from 'node:util'

export type Tally = { readonly passed: number; readonly failed: number; readonly skipped: number }

export const none: Tally = { passed: 0, failed: 0, skipped: 0 }

export const add = (a: Tally, b: Tally): Tally => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
})

/** A step that passes or fails as a whole. */
export const one = (holds: boolean): Tally => ({ ...none, passed: holds ? 1 : 0, failed: holds ? 0 : 1 })

export const showTally = ({ passed, failed, skipped }: Tally): string =>
  `${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`

/** The summary line at the end of an output; `undefined` when there is none. */
export const readTally = (output: string): Tally | undefined => {
  const [, passed, failed, skipped] = /(?:^|\n)(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$/.exec(output) ?? []
  if (passed === undefined) return undefined
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped ?? 0) }
}

/** How the process of a test file ended. `limitSeconds` is set when it was killed at its time limit. */
export type Ended = {
  readonly output: string
  readonly status: number | null
  readonly signal: string | null
  readonly limitSeconds?: number
}
/** `problem`: what went wrong besides failed tests. */
export type Result = { readonly tally: Tally; readonly problem?: string }

const summary = /\n {2}Total: +(\d+)\n {2}Passed: +(\d+)\n {2}Skipped: +(\d+)\n {2}Duration: /g

/** Whether uvu has printed its totals. Only the end is checked, since this runs for every chunk of output. */
export const hasTotals = (output: string): boolean => /^ {2}Duration: /m.test(output.slice(-1_000))

/** uvu's own totals, which it prints after all tests of a file. A problem counts as one more failure. */
export const readUvu = ({ output, status, signal, limitSeconds }: Ended): Result => {
  const totals = [...stripVTControlCharacters(output).matchAll(summary)].at(-1)?.slice(1).map(Number)
  const [total = 0, passed = 0, skipped = 0] = totals ?? []
  const failed = total - passed
  const problemOf = (): string | undefined => {
    const isDone = totals !== undefined
    if (limitSeconds !== undefined)
      return isDone
        ? `still running ${limitSeconds} s after its tests were done`
        : `still running after ${limitSeconds} s`
    if (signal !== null) return `ended by ${signal}`
    if (!isDone) return `ended with status ${status} before its tests were done`
    if (total + skipped === 0) return 'has no tests'
    return status !== 0 && failed === 0 ? `ended with status ${status} though no test failed` : undefined
  }
  const problem = problemOf()
  if (problem === undefined) return { tally: { passed, failed, skipped } }
  return { tally: { passed, failed: failed + 1, skipped }, problem }
}
