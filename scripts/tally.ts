/** Counts of tests, and the closing line that every test command of this project prints last. */
export type Tally = { readonly passed: number; readonly failed: number; readonly skipped: number }

export const none: Tally = { passed: 0, failed: 0, skipped: 0 }

export const add = (a: Tally, b: Tally): Tally => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
})

/** One step that either holds or does not. */
export const one = (holds: boolean): Tally => ({ ...none, passed: holds ? 1 : 0, failed: holds ? 0 : 1 })

export const showTally = ({ passed, failed, skipped }: Tally): string =>
  `${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`

/** The closing line at the end of an output; `undefined` when it ends otherwise. */
export const readTally = (output: string): Tally | undefined => {
  const [, passed, failed, skipped] = /(?:^|\n)(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$/.exec(output) ?? []
  if (passed === undefined) return undefined
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped ?? 0) }
}

const summary = /\n {2}Total: +(\d+)\n {2}Passed: +(\d+)\n {2}Skipped: +(\d+)\n {2}Duration: /g

/**
 * uvu's own totals at the end of its output. A run that broke off, has no tests or says by its status that it failed
 * counts as at least one failure.
 */
export const readUvu = (output: string, status: number): Tally => {
  const [, total = '0', passed = '0', skipped = '0'] = [...output.matchAll(summary)].at(-1) ?? []
  const failed = Number(total) - Number(passed)
  const isSound = Number(total) > 0 && (status === 0 || failed > 0)
  return { passed: Number(passed), failed: isSound ? failed : failed + 1, skipped: Number(skipped) }
}
