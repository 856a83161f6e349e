/** The log of the end here, which `doctor` takes along. */
import * as fs from 'node:fs'

const mostBytes = 256 * 1024

/** The one before it is kept as FILE.1. What cannot be written is left out. */
export const logFile = (file: string): ((line: string) => void) => {
  let size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
  return (line) => {
    try {
      if (size > mostBytes) {
        fs.renameSync(file, `${file}.1`)
        size = 0
      }
      fs.appendFileSync(file, `${line}\n`, { mode: 0o600 })
      size += Buffer.byteLength(line) + 1
    } catch {
      // Synchronisation goes on without it.
    }
  }
}
