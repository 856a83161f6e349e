/** The environment of the commands. Everything heavy is behind a function, so that `--help` loads nothing. */
import type { TerminalSize } from '../ports/commands.ts'
import type { Ports } from '../ports/ports.ts'
import type { ProgressChoice } from './flags/output.ts'
import type { Outcome } from './outcome.ts'
import type { Print } from './terminal.ts'

/** `cwd` is absolute, with forward slashes; `separator` separates paths in a variable. */
export type CliContext = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: Print
  /** Text for people: without marks that the locale cannot show. */
  readonly stderr: Print
  /** Data on stderr, the same in every locale. */
  readonly rawStderr: Print
  readonly cwd: string
  readonly separator: string
  readonly version: string
  /** The argv that starts this program again. */
  readonly program: ReadonlyArray<string>
  readonly isTerminal: { readonly stdout: boolean; readonly stderr: boolean }
  /** Of stdout, when it is a terminal. */
  readonly terminalSize: () => TerminalSize
  /** Without a format, no progress is shown. */
  readonly ports: (progress?: ProgressChoice) => Promise<Ports>
  /** Aborted on Ctrl-C or `kill`. A command that uses it has to end then; others are killed. */
  readonly interruption: () => AbortSignal
  /** Called by a command that ends while some of its work is still in progress. */
  readonly abandoned?: () => void
  /** For long computations: during them, Ctrl-C and `kill` end the program at once. */
  readonly computing: <A>(run: () => Promise<A>) => Promise<A>
  readonly help: (topic: string | undefined) => Promise<Outcome>
}
