/** Lines of logs to the output, in batches: sorted by time, and never more in memory than a batch. */
import { colorsOf, type LogLine, type Look, labelOf, type Source, showLine } from '../../domain/logs/line.ts'
import { inOrder, type Timed } from '../../domain/logs/merge.ts'
import type { Clock } from '../../ports/clock.ts'

/** Resolves when the text has left; false when nobody reads any more. */
export type Out = (text: string) => Promise<boolean>

/** `put` resolves when there is room for another line. `flush` when all that was put has left. */
export type Printer = {
  readonly put: (of: Source, line: LogLine) => Promise<void>
  readonly flush: () => Promise<void>
}

const mostLines = 2_000
/** What comes within this time is sorted together; the first lines of many logs take longer to come. */
const batchMs = 100
const firstBatchMs = 300

const painter = (look: Look, known: ReadonlyArray<Source>) => {
  let sources = known
  let colors = colorsOf(known.map(({ service }) => service))
  let width = Math.max(0, ...known.map((source) => labelOf(source).length))
  return ({ line, of }: Timed<Source>): string => {
    const label = labelOf(of)
    width = Math.max(width, label.length)
    if (!colors.has(of.service)) {
      sources = [...sources, of]
      const more = colorsOf(sources.map(({ service }) => service))
      colors = new Map([...more, ...colors])
    }
    return showLine(look, of, { label, width, color: colors.get(of.service) ?? '36' }, line)
  }
}

/** `known`: sources whose labels are to stand below each other from the first line on. `closed` is called when nobody reads. */
export const printer = (
  { clock }: { readonly clock: Clock },
  { closed, known, look, out }: { closed: () => void; known: ReadonlyArray<Source>; look: Look; out: Out },
): Printer => {
  const paint = painter(look, known)
  let waiting: Array<Timed<Source>> = []
  let writing: Promise<void> = Promise.resolve()
  let isScheduled = false
  let isFirst = true

  const write = async (): Promise<void> => {
    const batch = waiting
    waiting = []
    isFirst = false
    if (batch.length > 0 && !(await out(inOrder(batch).map(paint).join('')))) closed()
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
