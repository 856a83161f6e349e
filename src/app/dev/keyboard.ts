/** Keyboard input for a program in a development container. */
import { detachAfter } from '../../domain/dev/detach-keys.ts'
import { type Escape, escapeAfter } from '../../domain/dev/escape.ts'
import type { Console } from '../../ports/console.ts'
import type { LinkedProgram } from '../../ports/link.ts'
import { typedKeys } from './typed-keys.ts'

export type Keyboard = {
  /** From now on input goes to this program, beginning with keys that had not reached it yet. */
  readonly connect: (program: Pick<LinkedProgram, 'stdin' | 'taken'>) => void
  readonly disconnect: () => void
  /** Resolves when the user types the escape keys while the connection is lost, or those that detach. */
  readonly left: Promise<'Left'>
  /** `isCutOff`: the program could not clean up the screen. */
  readonly release: (isCutOff: boolean) => void
}

/** By which keys the program is left: those of SSH while its connection is lost, or those of Docker, which goes on. */
export type Leaving = 'WhenLost' | 'Detached' | 'Never'

export const keyboardOf = (console: Console, leaving: Leaving = 'WhenLost'): Keyboard => {
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
    if (escape === 'Whole' && leaving === 'WhenLost') leave('Left')
    typed.keep(chunk)
  }
  let isHalf = false
  const withoutDetaching = (given: Buffer): Buffer => {
    const after = detachAfter(isHalf, given)
    isHalf = after.isHalf
    if (after.isLeft) leave('Left')
    return Buffer.from(after.passed)
  }
  const take = (given: Buffer): void => {
    const chunk = leaving === 'Detached' ? withoutDetaching(given) : given
    if (chunk.length === 0) return
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
