/** The last lines of a log, as many as memory may be spent on. */
import type { RunLine } from '../../domain/platform/run/log.ts'

const MOST_CHARACTERS = 8 * 1024 * 1024
/** About what an empty line takes. */
const OF_EMPTY_LINE = 100

export type RecentLines = {
  readonly all: () => ReadonlyArray<RunLine>
  readonly add: (line: RunLine) => void
}

export const recentLines = (): RecentLines => {
  const lines: Array<RunLine> = []
  let characters = 0
  return {
    all: () => lines,
    add: (line) => {
      lines.push(line)
      characters += line.text.length + OF_EMPTY_LINE
      if (characters <= MOST_CHARACTERS) return
      // All at once, since removing the first of many lines takes long.
      for (const { text } of lines.splice(0, Math.ceil(lines.length / 2))) characters -= text.length + OF_EMPTY_LINE
    },
  }
}
