/** What commands know of the world. Everything heavy is behind a thunk: `--help` loads nothing. */
import type { BaseContext, Definition } from 'clipanion'
import type { Ports } from '../ports/ports.ts'

/**
 * `cwd` is absolute, with forward slashes; `separator` stands between paths in a variable. `help` is undefined for an
 * unknown topic.
 */
export type Context = BaseContext & {
  readonly cwd: string
  readonly separator: string
  readonly version: string
  readonly isTerminal: { readonly stdout: boolean; readonly stderr: boolean }
  readonly ports: () => Promise<Ports>
  readonly definitions: () => Promise<ReadonlyArray<Definition>>
  readonly help: (topic: string | undefined) => Promise<string | undefined>
}
