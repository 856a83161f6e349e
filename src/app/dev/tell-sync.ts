/**
 * Reports events of a folder's synchronisation in the terminal of `up`: each once, and many of one kind in one line.
 */
import type { SyncNotice } from '../../domain/sync/cycle-state.ts'
import { showNotice } from '../../domain/sync/notice.ts'
import type { Clock } from '../../ports/clock.ts'

export type SyncTeller = {
  readonly notice: (notice: SyncNotice) => void
  readonly troubles: (lines: ReadonlyArray<string>) => void
  /** Prints the lines that still wait. */
  readonly end: () => void
}

/** Lines that come within this time are printed together. */
const togetherMs = 300
const mostLines = 3

/** `summary`: of too many lines to read; `first` is one of them. */
const together = (clock: Clock, say: (text: string) => void, summary: (count: number, first: string) => string) => {
  let waiting: Array<string> = []
  const flush = (): void => {
    const lines = waiting
    waiting = []
    const [first = ''] = lines
    for (const line of lines.length > mostLines ? [summary(lines.length, first)] : lines) say(line)
  }
  return {
    flush,
    add: (line: string): void => {
      waiting.push(line)
      if (waiting.length === 1) clock.after(togetherMs, flush)
    },
  }
}

export const tellSync = (clock: Clock, name: string, say: (text: string) => void): SyncTeller => {
  const said = new Set<string>()
  const isNew = (line: string): boolean => {
    const isFirst = !said.has(line)
    said.add(line)
    return isFirst
  }
  const conflicts = together(
    clock,
    say,
    (count) => `${name}: ${count} files were changed at both ends: \`devtool sync conflicts\` lists them`,
  )
  const others = together(
    clock,
    say,
    (count, first) =>
      `${first}; ${count - 1} more files are not synchronised: \`devtool status ${name} -o json\` says why`,
  )
  return {
    notice: (notice) => {
      const line = showNotice(name, notice)
      if (line === undefined) return
      // A question may be asked again.
      if (notice._tag === 'Deletions') say(line)
      else if (!isNew(line)) return
      else if (notice._tag === 'Conflict') conflicts.add(line)
      else if (notice._tag !== 'ActTrouble') say(line)
    },
    troubles: (lines) => {
      for (const line of lines) if (isNew(line)) others.add(`${name}: ${line}`)
    },
    end: () => {
      conflicts.flush()
      others.flush()
    },
  }
}
