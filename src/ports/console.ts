/** The terminal or the pipes that this process was started with. */
import type { Readable, Writable } from 'node:stream'
import type { TerminalSize } from './commands.ts'

/** `type`: of its entry in terminfo. */
export type ConsoleTerminal = TerminalSize & { readonly type: string }

export type Console = {
  readonly stdin: () => Readable
  readonly stdout: () => Writable
  readonly stderr: () => Writable
  /** The current terminal; `undefined` unless both input and output are one. */
  readonly terminal: () => ConsoleTerminal | undefined
  /** Calls `f` when the size has changed, until the returned function is called. */
  readonly onResize: (f: () => void) => () => void
  /**
   * Passes every key on, Ctrl-C too, until the returned function is called; `isCutOff`: the program could not clean up
   * the screen itself. The terminal is restored however this process ends, unless it is killed.
   */
  readonly raw: () => (isCutOff: boolean) => void
  /** While a program uses the whole screen, lines for people are held back. */
  readonly setFullScreen: (isFull: boolean) => void
  /** Prints a line for people, which begins at the left in raw mode, too. Control characters in it are escaped. */
  readonly say: (text: string) => void
}
