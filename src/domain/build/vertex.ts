/** One vertex of a build, accumulated from its events. It may run several times, and under several digests. */
import type { StepState } from '../progress/event.ts'
import type { BuildEvent } from './event.ts'
import { nothingPrinted, type Printed } from './printed.ts'
import { noTransfers, type Transfers } from './transfer.ts'

/**
 * `before`: milliseconds of all runs but the last. `last`: the last run, by the builder's clock. `status`: what it is
 * doing, as reported (`pushing layers`).
 */
export type Vertex = {
  readonly digest: string
  readonly name: string
  readonly number?: number
  readonly state: StepState
  readonly isCached: boolean
  readonly error: string
  readonly before: number
  readonly last?: { readonly startedMs: number; readonly ms: number }
  readonly status: string
  readonly printed: Printed
  readonly transfers: Transfers
}

type VertexEvent = Extract<BuildEvent, { readonly _tag: 'Vertex' }>

/** A heredoc script has line breaks; a name is one line. */
const nameOf = (text: string): string => text.trim().replace(/\s+/g, ' ')

export const newVertex = (digest: string, name: string): Vertex => ({
  ...{ digest, name: nameOf(name), state: 'Waiting', isCached: false, error: '', before: 0, status: '' },
  printed: nothingPrinted,
  transfers: noTransfers,
})

const IMPORT = /^importing cache manifest from (.*)/

/** The image that a vertex imports cache from. The build continues without it. */
export const cacheOf = ({ name }: Pick<Vertex, 'name'>): string | undefined => IMPORT.exec(name)?.[1]

/** Steps that BuildKit adds to the instructions of a Dockerfile. */
export const isInternal = ({ name }: Pick<Vertex, 'name'>): boolean =>
  /^\[(?:internal|auth)\]/.test(name) || IMPORT.test(name)

/** A step that was cancelled because another one failed has not itself failed. */
const isCanceled = (error: string): boolean => /context canceled|^canceled\b|code = Canceled/i.test(error)

export const vertexMs = ({ before, last }: Vertex): number => before + (last?.ms ?? 0)

const withRun = (vertex: Vertex, { endedMs, startedMs }: VertexEvent): Vertex => {
  if (startedMs === undefined) return vertex
  const before = vertex.last === undefined || vertex.last.startedMs === startedMs ? vertex.before : vertexMs(vertex)
  return { ...vertex, before, last: { startedMs, ms: Math.max(0, (endedMs ?? startedMs) - startedMs) } }
}

/** Computing a cache key takes no time: such a run means neither that the step ran nor that it is done. */
const preparationMs = 1
const isPreparation = (vertex: Vertex, { endedMs = 0, startedMs = 0 }: VertexEvent): boolean =>
  vertex.state === 'Waiting' && endedMs > 0 && endedMs - startedMs <= preparationMs

/** Total. An event without a run (BuildKit announces vertices before they begin) does not change the state. */
export const vertexAfter = (old: Vertex, event: VertexEvent): Vertex => {
  const named = { ...old, name: nameOf(event.name) || old.name }
  const { endedMs, error = '', isCached, startedMs } = event
  if (error !== '') {
    const state = isCanceled(error) || cacheOf(named) !== undefined ? 'Skipped' : 'Failed'
    return { ...withRun(named, event), state, isCached: false, error }
  }
  if (isCached) return old.state === 'Done' ? named : { ...named, state: 'Done', isCached: true, error: '' }
  if (isPreparation(named, event)) return named
  if (endedMs !== undefined) return { ...withRun(named, event), state: 'Done', isCached: false, error: '', status: '' }
  return startedMs === undefined ? named : { ...withRun(named, event), state: 'Running', isCached: false, error: '' }
}

const phrases: ReadonlyArray<readonly [RegExp, (rest: string) => string]> = [
  [/^\[internal\] load build definition from (.*)/, (file) => `reading ${file}`],
  [/^\[internal\] load build context/, () => 'sending'],
  [/^\[context (.*)\] load from client/, (name) => `sending ${name}`],
  [/^\[internal\] load metadata for (.*)/, (image) => `resolving ${image}`],
  [/^resolve image config for (?:docker-image:\/\/)?(.*)/, (image) => `resolving ${image}`],
  [/^\[internal\] load (.*)/, (what) => `reading ${what}`],
  [/^\[auth\] (.*)/, () => 'logging in to the registry'],
  [IMPORT, (image) => `importing the cache ${image}`],
  [/^exporting cache/, () => 'exporting cache'],
  [/^exporting to/, () => 'exporting'],
  [/^pushing \S+$/, () => 'pushing'],
]

/** `pushing manifest for IMAGE@DIGEST` and the like are shortened. */
const statusPhrase = (status: string): string => status.replace(/ (?:for|to|sha256:)\b.*/, '')

/** What it is doing, in the user's terms. */
export const phraseOf = ({ name, status }: Vertex): string => {
  if (status !== '') return statusPhrase(status)
  for (const [form, phrase] of phrases) {
    const match = form.exec(name)
    if (match !== null) return phrase(match[1] ?? '')
  }
  return name
}
