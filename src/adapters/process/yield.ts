/** Output that is passed on: what is read more slowly than a program writes it does not fill memory. */
import type { Readable } from 'node:stream'

/** Lets the program of this stream wait as long as an output of this process is full. To be called after each write. */
export const yieldToReader = (stream: Readable): void => {
  const full = [process.stdout, process.stderr].find(({ writableNeedDrain }) => writableNeedDrain)
  if (full === undefined || stream.isPaused()) return
  const resume = (): void => {
    full.off('drain', resume).off('close', resume)
    stream.resume()
  }
  stream.pause()
  full.on('drain', resume).on('close', resume)
}
