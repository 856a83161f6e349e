/** The port `Console` on the streams of this process. */

import type { Readable } from 'node:stream'
import type { ReadStream } from 'node:tty'
import { marksFor } from '../../domain/text/marks.ts'
import { visible } from '../../domain/text/visible.ts'
import type { Console } from '../../ports/console.ts'

type ConsoleStreams = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: () => Readable
  readonly stdout: () => NodeJS.WriteStream
  readonly stderr: () => NodeJS.WriteStream
  readonly isTerminal: { readonly stdin: boolean; readonly stdout: boolean }
}

/**
 * Resets everything that an interrupted program may have left on: the alternate screen, a hidden cursor, colours,
 * application keys, the mouse, bracketed paste.
 */
const plain =
  '\u001B[?1049l\u001B[?25h\u001B[0m\u001B[?1l\u001B>\u001B[?1000l\u001B[?1002l\u001B[?1003l\u001B[?1006l\u001B[?2004l'

const ignore = (): void => {}

/** Older lines are dropped: they wait for a program that may run for days. */
const mostLines = 50

const isKeyboard = (stream: Readable): stream is ReadStream => 'setRawMode' in stream

export const ttyConsole = ({ env, isTerminal, stderr, stdin, stdout }: ConsoleStreams): Console => {
  let isRaw = false
  let isFull = false
  let waiting: ReadonlyArray<string> = []
  const marked = marksFor(env)
  const print = (said: string): void => {
    const text = marked(visible(said))
    stderr().write(isRaw ? `\r\n${text}\r\n` : `${text}\n`)
  }
  const printWaiting = (): void => {
    for (const text of waiting) print(text)
    waiting = []
  }
  return {
    stdin,
    stdout,
    stderr,
    terminal: () => {
      if (!isTerminal.stdin || !isTerminal.stdout) return undefined
      const { columns, rows } = stdout()
      return { columns: columns || 80, rows: rows || 24, type: env['TERM'] ?? 'xterm-256color' }
    },
    onResize: (f) => {
      const stream = stdout()
      stream.on('resize', f)
      return () => void stream.off('resize', f)
    },
    raw: () => {
      const keyboard = stdin()
      if (!isKeyboard(keyboard)) return () => {}
      // Closing the terminal causes an error here, and SIGHUP besides, which ends the command.
      keyboard.on('error', ignore)
      const restore = (isCutOff: boolean): void => {
        if (!isRaw) return
        isRaw = false
        process.off('exit', onExit)
        if (isCutOff) stdout().write(plain)
        keyboard.setRawMode(false)
        isFull = false
        printWaiting()
      }
      const onExit = (): void => restore(true)
      isRaw = true
      keyboard.setRawMode(true)
      process.on('exit', onExit)
      return restore
    },
    setFullScreen: (is) => {
      isFull = is
      if (!isFull) printWaiting()
    },
    say: (text) => {
      if (isFull) waiting = [...waiting, text].slice(-mostLines)
      else print(text)
    },
  }
}
