/** The log of what a synchronisation does at both ends, which `doctor` includes. */
import * as fs from 'node:fs'
import type { Clock } from '../../ports/clock.ts'

const mostBytes = 256 * 1024

/** Lines within this time are written together. */
const togetherMs = 200

type LogFile = { readonly add: (line: string) => void; readonly close: () => void }

/** Synchronisation goes on without the log. */
const quietly = (run: () => void): void => {
  try {
    run()
  } catch {
    // Lines that cannot be written are dropped.
  }
}

/** The previous log is kept as FILE.1. Lines that cannot be written are dropped. */
export const logFile = ({ after }: Pick<Clock, 'after'>, file: string): LogFile => {
  let size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
  let waiting: Array<string> = []
  let stopWaiting = (): void => {}
  const flush = (): void => {
    stopWaiting()
    const text = waiting.join('')
    waiting = []
    if (size > mostBytes) {
      quietly(() => {
        fs.renameSync(file, `${file}.1`)
        size = 0
      })
    }
    // At twice the size, further lines are dropped until the file can be renamed.
    if (text === '' || size > 2 * mostBytes) return
    quietly(() => {
      fs.appendFileSync(file, text, { mode: 0o600 })
      size += Buffer.byteLength(text)
    })
  }
  return {
    add: (line) => {
      waiting.push(`${line}\n`)
      if (waiting.length === 1) stopWaiting = after(togetherMs, flush)
    },
    close: flush,
  }
}
