/** Collects lines of many logs in batches sorted by time, with no more than one batch in memory. */
import type { LogLine, LogSource } from '../../domain/logs/line.ts'
import { inOrder, type Timed } from '../../domain/logs/merge.ts'
import type { Clock } from '../../ports/clock.ts'

/**
 * `sources`: called first, with the logs that lines are expected from. `lines` resolves when there is room for more, so
 * a slow consumer slows down reading; to false when the reader is gone.
 */
export type LogSink = {
  readonly sources: (known: ReadonlyArray<LogSource>) => void
  readonly lines: (lines: ReadonlyArray<Timed<LogSource>>) => Promise<boolean>
}

/** `put` resolves when there is room for another line, `flush` when all lines have been delivered. */
export type Batches = {
  readonly put: (of: LogSource, line: LogLine) => Promise<void>
  readonly flush: () => Promise<void>
}

const mostLines = 2_000
/** Lines that arrive within this time are sorted together; the first lines of many logs take longer. */
const batchMs = 100
const firstBatchMs = 300

/** `closed` is called when the reader is gone. */
export const batches = (
  { clock }: { readonly clock: Clock },
  { lines }: Pick<LogSink, 'lines'>,
  closed: () => void,
): Batches => {
  let waiting: Array<Timed<LogSource>> = []
  let writing: Promise<void> = Promise.resolve()
  let isScheduled = false
  let isFirst = true

  const write = async (): Promise<void> => {
    const batch = waiting
    waiting = []
    isFirst = false
    if (batch.length > 0 && !(await lines(inOrder(batch)))) closed()
  }
  const flush = (): Promise<void> => {
    writing = writing.then(write)
    return writing
  }
  const schedule = async (): Promise<void> => {
    isScheduled = true
    await clock.sleep(isFirst ? firstBatchMs : batchMs)
    isScheduled = false
    await flush()
  }
  return {
    flush,
    put: (of, line) => {
      waiting.push({ of, line })
      if (waiting.length >= mostLines) return flush()
      if (!isScheduled) void schedule()
      return writing
    },
  }
}
