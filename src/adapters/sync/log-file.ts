/** The log of the end here, which `doctor` takes along. */
import * as fs from 'node:fs'
import type { Clock } from '../../ports/clock.ts'

const mostBytes = 256 * 1024

/** Lines that come within this time are written together. */
const togetherMs = 200

type LogFile = { readonly add: (line: string) => void; readonly close: () => void }

/** Synchronisation goes on without it. */
const quietly = (run: () => void): void => {
  try {
    run()
  } catch {
    // What cannot be written is left out.
  }
}

/** The one before it is kept as FILE.1. What cannot be written is left out. */
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
    // With twice as much, what comes is left out until it can be renamed.
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
