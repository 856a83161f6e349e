/** The vertices of a build as a terminal shows them: one row each, with the last lines of output. */
import { defined } from '../object/defined.ts'
import type { BuildProgressEvent, StepState } from './event.ts'
import { showMoved } from './size.ts'

/**
 * `sinceMs`: since when it has been running, by the clock of the run; `ms`: how long it ran before that, or in all.
 * `doneMs`: how long it had taken when it was last done, since it may run again.
 */
export type VertexRow = {
  readonly vertex: string
  readonly name: string
  readonly isNumbered: boolean
  readonly state: StepState
  readonly isCached: boolean
  readonly detail: string
  readonly moved: string
  readonly ms: number
  readonly sinceMs: number
  readonly doneMs?: number
  readonly tail: ReadonlyArray<string>
  readonly rest: string
}

/** How many lines of a running vertex's output a terminal shows. */
const mostLines = 6

type VertexEvent = Extract<BuildProgressEvent, { readonly _tag: 'Vertex' }>

const turned = (before: VertexRow | undefined, event: VertexEvent): VertexRow => {
  const { atMs, detail, isCached, ms, name, number, state, vertex } = event
  const isSame = before !== undefined && before.state === state
  const doneMs = state === 'Done' ? ms : before?.doneMs
  return {
    ...{ vertex, name, state, isCached, detail, ms },
    ...defined({ doneMs }),
    isNumbered: number !== undefined,
    moved: before?.moved ?? '',
    sinceMs: isSame ? before.sinceMs : atMs,
    tail: state === 'Done' ? [] : (before?.tail ?? []),
    rest: state === 'Running' ? (before?.rest ?? '') : '',
  }
}

const changed = (
  rows: ReadonlyArray<VertexRow>,
  vertex: string,
  change: (row: VertexRow) => VertexRow,
): ReadonlyArray<VertexRow> => rows.map((row) => (row.vertex === vertex ? change(row) : row))

/** In the order in which they began. Output of a vertex that is unknown or done changes nothing. */
export const rowsAfter = (rows: ReadonlyArray<VertexRow>, event: BuildProgressEvent): ReadonlyArray<VertexRow> => {
  switch (event._tag) {
    case 'Vertex': {
      const before = rows.find(({ vertex }) => vertex === event.vertex)
      const row = turned(before, event)
      return before === undefined ? [...rows, row] : changed(rows, event.vertex, () => row)
    }
    case 'Log':
      return changed(rows, event.vertex, (row) =>
        row.state === 'Done'
          ? row
          : { ...row, tail: [...row.tail, ...event.lines].slice(-mostLines), rest: event.rest },
      )
    case 'Transfer':
      return changed(rows, event.vertex, (row) => ({ ...row, moved: showMoved(event) }))
    case 'Lint':
      return rows
  }
}

/** At most six; an incomplete line comes last. */
export const lastLines = ({ rest, tail }: VertexRow): ReadonlyArray<string> =>
  rest === '' ? tail : [...tail, rest].slice(-mostLines)

/** How long it has been running, or ran. */
export const vertexMs = ({ ms, sinceMs, state }: VertexRow, nowMs: number): number =>
  state === 'Running' ? ms + Math.max(0, nowMs - sinceMs) : ms
