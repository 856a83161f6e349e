/** Keyboard input for a program in a development container. */
import { type Escape, escapeAfter } from '../../domain/dev/escape.ts'
import type { Console } from '../../ports/console.ts'
import type { LinkedProgram } from '../../ports/link.ts'
import { typedKeys } from './typed-keys.ts'

export type Keyboard = {
  /** From now on input goes to this program, beginning with keys that had not reached it yet. */
  readonly connect: (program: Pick<LinkedProgram, 'stdin' | 'taken'>) => void
  readonly disconnect: () => void
  /** Resolves when the user types the escape keys while the connection is lost. */
  readonly left: Promise<'Left'>
  /** `isCutOff`: the program could not clean up the screen. */
  readonly release: (isCutOff: boolean) => void
}

export const keyboardOf = (console: Console): Keyboard => {
  let program: LinkedProgram['stdin'] | undefined
  const typed = typedKeys()
  let escape: Escape = 'Enter'
  let restore: ((isCutOff: boolean) => void) | undefined
  let leave = (_left: 'Left'): void => {}
  const left = new Promise<'Left'>((resolve) => {
    leave = resolve
  })
  const keep = (chunk: Buffer): void => {
    escape = escapeAfter(escape, chunk)
    if (escape === 'Whole') leave('Left')
    typed.keep(chunk)
  }
  const take = (chunk: Buffer): void => {
    if (program === undefined) return keep(chunk)
    typed.send(chunk)
    if (program.write(chunk)) return
    console.stdin().pause()
    program.once('drain', () => console.stdin().resume())
  }
  return {
    left,
    connect: ({ stdin, taken }) => {
      if (restore === undefined) {
        restore = console.raw()
        // A question that was asked before has paused the input.
        console.stdin().on('data', take).resume()
      }
      program = stdin
      escape = 'Enter'
      for (const chunk of typed.after(taken)) stdin.write(chunk)
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
