import type { Diagnostic } from '../../../dist/index.js'

/** Paths and contents of a project. */
export type Files = Readonly<Record<string, string>>

/** `yaml` is absent if there are errors. */
export type Answer = {
  readonly yaml?: string
  readonly objects: number
  readonly findings: ReadonlyArray<Diagnostic>
}
