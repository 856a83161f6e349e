/** A build as permanent lines: each starts with its image and its step, because images are built in parallel. */

import { harmless } from '../text/harmless.ts'
import { visible } from '../text/visible.ts'
import type { BuildProgressEvent } from './event.ts'
import { cut, paint, showDuration } from './text.ts'
import type { VertexRow } from './vertices.ts'

/** The text of a step may be a whole script. */
const mostName = 160

/** Vertices outside the Dockerfile are printed only if they took long or failed. */
const longMs = 1000

type VertexEvent = Extract<BuildProgressEvent, { readonly _tag: 'Vertex' }>

const leadOf = ({ image, number }: { readonly image: string; readonly number?: number }): string =>
  number === undefined ? visible(image) : `${visible(image)} #${number}`

const endOf = ({ detail, isCached, ms, state }: VertexEvent): string => {
  if (isCached) return 'CACHED'
  switch (state) {
    case 'Waiting':
    case 'Running':
      return ''
    case 'Done':
      return `DONE ${showDuration(ms)}`
    case 'Failed':
      return `ERROR ${visible(detail)} (${showDuration(ms)})`
    case 'Skipped':
      return 'CANCELED'
  }
}

const internalLines = (event: VertexEvent, moved: string): ReadonlyArray<string> => {
  const isTold = event.state === 'Failed' || (event.state === 'Done' && event.ms >= longMs)
  const name = `${cut(event.name, mostName)}${moved === '' ? '' : ` ${moved}`}`
  return isTold ? [`${leadOf(event)} ${name} ${endOf(event)}`] : []
}

/** BuildKit runs a vertex again when it needs a part of its result that it had not computed. */
const isToldAlready = (before: VertexRow | undefined, { ms, state }: VertexEvent): boolean =>
  state === 'Done' && before?.doneMs !== undefined && showDuration(before.doneMs) === showDuration(ms)

/** `before`: the row of the vertex so far. */
const vertexLines = (before: VertexRow | undefined, event: VertexEvent): ReadonlyArray<string> => {
  if (event.number === undefined) return internalLines(event, before?.moved ?? '')
  const lead = leadOf(event)
  const name = before === undefined ? `${lead} ${cut(event.name, mostName)}` : undefined
  if (isToldAlready(before, event)) return []
  if (event.state !== 'Running') return [`${name ?? lead} ${endOf(event)}`]
  const isNews = event.detail !== '' && event.detail !== before?.detail
  return [...(name === undefined ? [] : [name]), ...(isNews ? [`${lead} ${visible(event.detail)}`] : [])]
}

/** Whole lines, each with its newline; '' when there is nothing worth printing. */
export const buildText = (before: VertexRow | undefined, event: BuildProgressEvent, color: boolean): string => {
  switch (event._tag) {
    case 'Vertex':
      return vertexLines(before, event)
        .map((line) => `${line}\n`)
        .join('')
    case 'Log': {
      const lead = paint(color, '36', leadOf(event))
      return event.lines.map((line) => `${lead} ${harmless(line, color)}\n`).join('')
    }
    case 'Transfer':
    case 'Lint':
      return ''
  }
}
