/** The resources of this process. */
import type { Readable } from 'node:stream'

export type Screen = NodeJS.WriteStream

export type Process = {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: () => Readable
  readonly stdout: () => Screen
  readonly stderr: () => Screen
  readonly interruption: () => AbortSignal
  readonly lend: () => () => void
  readonly isTerminal: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean }
  readonly onLargeInput: () => void
  readonly version: string
}
