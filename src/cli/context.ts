/** What commands know of the world. Everything heavy is behind a thunk: `--help` loads nothing. */
import type { BaseContext } from 'clipanion'
import type { Ports } from '../ports/ports.ts'
import type { ProgressChoice } from './flags/output.ts'
import type { Outcome } from './outcome.ts'

/** `cwd` is absolute, with forward slashes; `separator` stands between paths in a variable. */
export type CliContext = BaseContext & {
  readonly cwd: string
  readonly separator: string
  readonly version: string
  /** The argv that starts this program once more. */
  readonly program: ReadonlyArray<string>
  readonly isTerminal: { readonly stdout: boolean; readonly stderr: boolean }
  /** Without a choice, no progress is shown. */
  readonly ports: (progress?: ProgressChoice) => Promise<Ports>
  /** Comes with Ctrl-C or `kill`. Whoever asks for it has to end then; all others are ended. */
  readonly interruption: () => AbortSignal
  /** For long computations: Ctrl-C and `kill` end the program at once in the meantime. */
  readonly computing: <A>(run: () => Promise<A>) => Promise<A>
  readonly help: (topic: string | undefined) => Promise<Outcome>
}
