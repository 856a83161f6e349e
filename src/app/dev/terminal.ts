/** The terminal of this process, for a program in a development container. */
import { afterOutput, noFullScreen } from '../../domain/dev/full-screen.ts'
import type { Console, ConsoleTerminal } from '../../ports/console.ts'
import type { Front } from './kept.ts'
import { keyboardOf, type Leaving } from './keyboard.ts'
import { copyOutput } from './output.ts'

/** Tells the console whether the program uses the whole screen, which its output shows. */
const screenWatch = (console: Console): ((output: Buffer) => void) => {
  let screen = noFullScreen
  return (output) => {
    const was = screen
    screen = afterOutput(screen, output.toString('latin1'))
    if (screen.isFull !== was.isFull) console.setFullScreen(screen.isFull)
  }
}

export const terminalFront = (console: Console, size: ConsoleTerminal, leaving?: Leaving): Front => {
  const keyboard = keyboardOf(console, leaving)
  const see = screenWatch(console)
  return {
    terminal: () => ({ ...size, ...console.terminal() }),
    connect: (program, note) => {
      let shown = program.from
      const tellSize = (): void => {
        const now = console.terminal()
        if (now !== undefined) program.resize(now)
      }
      // It may have changed while nothing was connected.
      tellSize()
      const stopResizing = console.onResize(tellSize)
      program.stderr.resume()
      const output = copyOutput(program.stdout, console.stdout(), {
        note: (chunk) => {
          shown = { ...shown, output: shown.output + chunk.length }
          note(shown)
          see(chunk)
        },
      })
      keyboard.connect(program)
      return {
        disconnect: async (hasEnded) => {
          keyboard.disconnect()
          stopResizing()
          if (hasEnded) await output.ended
          output.stop()
        },
      }
    },
    left: keyboard.left,
    release: keyboard.release,
  }
}
