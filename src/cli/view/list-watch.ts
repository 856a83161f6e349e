/**
 * `list --watch`: on a terminal, a table that is updated in place; elsewhere, the table and then the rows that change.
 * Data is printed whole after each change: one object per line, or one YAML document.
 */

import { printTable } from '../../domain/print/table.ts'
import { repainting } from '../../domain/progress/painted.ts'
import { cut } from '../../domain/progress/text.ts'
import { visible } from '../../domain/text/visible.ts'
import type { TerminalSize } from '../../ports/commands.ts'
import type { ListForm } from '../flags/forms.ts'
import type { ListTable } from './list.ts'

/** Returns the text to print; '' when nothing changed. */
export type ListWatchView = (table: ListTable, trouble: string | undefined) => string

const AGE = 'Age'

/** The rows that differ from the previous ones, apart from their age; missing rows appear with the state `deleted`. */
const rowChanges = (before: ListTable | undefined, { head, rows }: ListTable): ListTable['rows'] => {
  const [age, ready] = [head.indexOf(AGE), head.findIndex((name) => name === 'State' || name === 'Status')]
  const keyOf = (row: ReadonlyArray<string>): string => row.slice(0, head[1] === 'Kind' ? 2 : 1).join('\0')
  const textOf = (row: ReadonlyArray<string>): string => row.toSpliced(age, 1).join('\0')
  const known = new Map((before?.rows ?? []).map((row) => [keyOf(row), row]))
  const changed = rows.filter((row) => {
    const old = known.get(keyOf(row))
    known.delete(keyOf(row))
    return old === undefined || textOf(old) !== textOf(row)
  })
  return [...changed, ...[...known.values()].map((row) => row.with(ready, 'deleted'))]
}

const rowsView = (): ListWatchView => {
  let before: ListTable | undefined
  return (table) => {
    const changed = rowChanges(before, table)
    const isFirst = before === undefined
    if (!isFirst || table.rows.length > 0) before = table
    if (isFirst) return table.rows.length === 0 ? '' : printTable(table.head, table.rows)
    // Aligned like the whole table.
    return changed.length === 0
      ? ''
      : printTable(table.head, [...changed, ...table.rows])
          .split('\n')
          .slice(1, changed.length + 1)
          .map((line) => `${line}\n`)
          .join('')
  }
}

/** The whole list, whenever a row has changed. */
const changesView = (print: (table: ListTable) => string): ListWatchView => {
  let before: ListTable | undefined
  return (table) => {
    const isSame = before !== undefined && rowChanges(before, table).length === 0
    before = table
    return isSame ? '' : print(table)
  }
}

const namesView = (): ListWatchView => {
  const printed = new Set<string>()
  return ({ rows }) => {
    const fresh = rows.map(([name = '']) => visible(name)).filter((name) => !printed.has(name))
    for (const name of fresh) printed.add(name)
    return fresh.map((name) => `${name}\n`).join('')
  }
}

const paintedView = (size: () => TerminalSize): ListWatchView => {
  let painted: ReadonlyArray<string> = []
  return ({ head, nothing, rows }, trouble) => {
    const { columns, rows: height } = size()
    const all = rows.length === 0 ? [nothing] : printTable(head, rows).trimEnd().split('\n')
    const room = Math.max(2, height - 1 - (trouble === undefined ? 0 : 1))
    const more = all.length > room ? [`${all.length - room + 1} more`] : []
    const shown = [...all.slice(0, room - more.length), ...more, ...(trouble === undefined ? [] : [trouble])]
    const lines = shown.map((line) => cut(line, columns))
    const text = repainting(painted, lines, columns)
    painted = lines
    return text
  }
}

/**
 * While the cluster cannot be reached, every look fails in the same way: the failure is reported once within this time.
 */
const sameTroubleMs = 60_000

/** The line about a problem, where the table does not show it; `undefined` when it has just been printed. */
export const troubleView = (): ((trouble: string | undefined, nowMs: number) => string | undefined) => {
  const saidMs = new Map<string, number>()
  return (trouble, nowMs) => {
    if (trouble === undefined || nowMs - (saidMs.get(trouble) ?? Number.NEGATIVE_INFINITY) < sameTroubleMs) return
    saidMs.set(trouble, nowMs)
    return trouble
  }
}

export const listWatchView = (
  form: ListForm,
  { isTerminal, size }: { readonly isTerminal: boolean; readonly size: () => TerminalSize },
): ListWatchView => {
  switch (form) {
    case 'json':
      return changesView(({ line }) => line())
    case 'yaml':
      return changesView(({ data }) => `---\n${data('yaml')}`)
    case 'name':
      return namesView()
    case 'text':
      return isTerminal ? paintedView(size) : rowsView()
  }
}
