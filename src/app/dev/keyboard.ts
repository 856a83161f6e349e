/** What is typed here, for a program in a development container. */
import { type Escape, escapeAfter } from '../../domain/dev/escape.ts'
import type { Console } from '../../ports/console.ts'
import type { LinkedProgram } from '../../ports/link.ts'

/** What is kept of what is typed while there is no connection. */
const keptBytes = 64 * 1024

export type Keyboard = {
  /** From here on every key is taken, and goes to this program or to the next one. */
  readonly connect: (stdin: LinkedProgram['stdin']) => void
  readonly disconnect: () => void
  /** Resolves at the keys that leave a terminal without a connection. */
  readonly left: Promise<'Left'>
  /** `isCutOff`: the program could not clean up the screen. */
  readonly release: (isCutOff: boolean) => void
}

export const keyboardOf = (console: Console): Keyboard => {
  let program: LinkedProgram['stdin'] | undefined
  let kept: ReadonlyArray<Buffer> = []
  let escape: Escape = 'Enter'
  let restore: ((isCutOff: boolean) => void) | undefined
  let leave = (_left: 'Left'): void => {}
  const left = new Promise<'Left'>((resolve) => {
    leave = resolve
  })
  const keep = (chunk: Buffer): void => {
    escape = escapeAfter(escape, chunk)
    if (escape === 'Whole') leave('Left')
    if (kept.reduce((sum, { length }) => sum + length, chunk.length) <= keptBytes) kept = [...kept, chunk]
  }
  const take = (chunk: Buffer): void => {
    if (program === undefined) return keep(chunk)
    if (program.write(chunk)) return
    console.stdin().pause()
    program.once('drain', () => console.stdin().resume())
  }
  return {
    left,
    connect: (stdin) => {
      if (restore === undefined) {
        restore = console.raw()
        console.stdin().on('data', take)
      }
      program = stdin
      escape = 'Enter'
      for (const chunk of kept) stdin.write(chunk)
      kept = []
    },
    disconnect: () => {
      program = undefined
      console.stdin().resume()
    },
    release: (isCutOff) => {
      if (restore === undefined) return
      console.stdin().off('data', take).pause()
      restore(isCutOff)
    },
  }
}
