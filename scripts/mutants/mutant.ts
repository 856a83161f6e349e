/** A change of one line that tests must notice: it would be a defect in time, safety, security or back-pressure. */

/** `old` occurs exactly once in `file`, relative to the root; `tests` are the nearest ones, the likeliest first. */
export type Mutant = {
  readonly file: string
  readonly old: string
  readonly new: string
  readonly tests: ReadonlyArray<string>
}

/** The changes of one file, as rows of old and new text. */
export const mutantsOf = (
  file: string,
  tests: ReadonlyArray<string>,
  changes: ReadonlyArray<readonly [old: string, replacement: string]>,
): ReadonlyArray<Mutant> =>
  changes.map(([old, replacement]) => ({
    file: `src/${file}`,
    old,
    new: replacement,
    tests: tests.map((name) => `test/${name}.test.ts`),
  }))
