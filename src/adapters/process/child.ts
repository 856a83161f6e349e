/** A child that runs, whatever its output comes through. */

/** `signal` is 0 when it ended by itself. */
export type Exit = { readonly code: number; readonly signal: number }

export type Start = {
  readonly file: string
  readonly args: ReadonlyArray<string>
  readonly folder: string
  readonly env: ReadonlyMap<string, string>
  readonly onOutput: (text: string) => void
}

/** `ended` comes when all of the output has come. `pid` is that of the process group, too. */
export type Child = {
  readonly pid: number
  readonly ended: Promise<Exit>
  /** Harmless when the child has ended. */
  readonly resize: (columns: number, rows: number) => void
}

/** As shells tell it. */
export const statusOf = ({ code, signal }: Exit): number => (signal > 0 ? 128 + signal : code)
