/** A running child process, whatever its output is connected to. */

/** `signal` is 0 when it exited by itself. */
export type Exit = { readonly code: number; readonly signal: number }

export type Start = {
  readonly file: string
  readonly args: ReadonlyArray<string>
  readonly folder: string
  readonly env: ReadonlyMap<string, string>
  readonly onOutput: (text: string) => void
}

/** `ended` resolves when all output has been read. `pid` is also that of the process group. */
export type Child = {
  readonly pid: number
  readonly ended: Promise<Exit>
  /** Does nothing when the child has ended. */
  readonly resize: (columns: number, rows: number) => void
}

/** The exit status as shells report it. */
export const statusOf = ({ code, signal }: Exit): number => (signal > 0 ? 128 + signal : code)
