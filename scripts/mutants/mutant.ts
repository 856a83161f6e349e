/** A change of one line that must not go unnoticed: it would be a defect of time, safety, security or back-pressure. */

/** `old` stands exactly once in `file`, relative to the root; `tests` are those nearest to it, the likeliest first. */
export type Mutant = {
  readonly file: string
  readonly old: string
  readonly new: string
  readonly tests: ReadonlyArray<string>
}

/** Those of one file, as rows of what stands there and what takes its place. */
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
