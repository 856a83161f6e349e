/** Turns the events of one image's build into progress for users. */
import { mask } from '../commands/mask.ts'
import { defined } from '../object/defined.ts'
import { type BuildProgressEvent, buildStep, type ProgressEvent, type StepState } from '../progress/event.ts'
import { showMoved } from '../progress/size.ts'
import { cut } from '../progress/text.ts'
import type { BuildEvent } from './event.ts'
import { printedAfter, printedAtEnd, restOf } from './printed.ts'
import { movedAt, sentFrom, tellMs, transferred } from './transfer.ts'
import { cacheOf, isInternal, newVertex, phraseOf, type Vertex, vertexAfter, vertexMs } from './vertex.ts'

/**
 * Its size is bounded by the Dockerfile's. `digests`: maps digests to vertices, because a step shared by two builds
 * gets a second digest. `begun`: how many vertices have a number.
 */
export type BuildRun = {
  readonly image: string
  readonly secrets: ReadonlyArray<string>
  readonly vertices: ReadonlyMap<string, Vertex>
  readonly digests: ReadonlyMap<string, string>
  readonly begun: number
  readonly step: { readonly detail: string; readonly phase: string; readonly toldMs: number }
}

export type BuildTold = { readonly run: BuildRun; readonly told: ReadonlyArray<ProgressEvent> }

/** A step may be a whole script; several phases share one line. */
const mostDetail = 100
const mostPhase = 40

/** `secrets` (from `secretLines`) are masked in the output and the names of steps. */
export const buildProgress = (image: string, secrets: ReadonlyArray<string> = []): BuildRun => ({
  ...{ image, secrets, vertices: new Map(), digests: new Map(), begun: 0 },
  step: { detail: '', phase: '', toldMs: Number.NEGATIVE_INFINITY },
})

const vertexOf = ({ digests, vertices }: BuildRun, digest: string): Vertex | undefined =>
  vertices.get(digests.get(digest) ?? digest)

/** Gives the vertex a number when it begins. */
const stored = (run: BuildRun, vertex: Vertex): { readonly run: BuildRun; readonly vertex: Vertex } => {
  const isNew = vertex.number === undefined && vertex.state !== 'Waiting' && !isInternal(vertex)
  const numbered = isNew ? { ...vertex, number: run.begun + 1 } : vertex
  const vertices = new Map(run.vertices).set(vertex.digest, numbered)
  return { run: { ...run, vertices, begun: isNew ? run.begun + 1 : run.begun }, vertex: numbered }
}

const about = ({ image }: BuildRun, { digest, number }: Vertex, atMs: number) => ({
  ...{ image, vertex: digest, atMs },
  ...defined({ number }),
})

const vertexTold = (run: BuildRun, vertex: Vertex, atMs: number): BuildProgressEvent => {
  const { error, isCached, name, state, status } = vertex
  const detail = state === 'Failed' ? errorWords(error) : state === 'Running' ? status : ''
  return { _tag: 'Vertex', ...about(run, vertex, atMs), name, state, isCached, detail, ms: vertexMs(vertex) }
}

/** The command of a failed RUN is already in the vertex's name. */
const errorWords = (error: string): string => {
  const [, code] = /did not complete successfully: (.*)/s.exec(error) ?? []
  return cut((code ?? error).trim().replace(/\s+/g, ' '), 200)
}

const logTold = (run: BuildRun, vertex: Vertex, lines: ReadonlyArray<string>, atMs: number): BuildProgressEvent => ({
  _tag: 'Log',
  ...about(run, vertex, atMs),
  lines,
  rest: restOf(run.secrets, vertex.printed),
})

type Of<Tag extends BuildEvent['_tag']> = Extract<BuildEvent, { readonly _tag: Tag }>

/** A step that is also built for another image is announced under its own digest, with the same name. */
const withDigest = (run: BuildRun, { digest, name }: Of<'Vertex'>): BuildRun => {
  if (run.digests.has(digest)) return run
  const made = newVertex(digest, name)
  const same = name.startsWith('[') ? [...run.vertices.values()].find((other) => other.name === made.name) : undefined
  const known = { ...run, digests: new Map(run.digests).set(digest, same?.digest ?? digest) }
  return same === undefined ? stored(known, made).run : known
}

const isOver = (state: StepState): boolean => state === 'Done' || state === 'Failed' || state === 'Skipped'

const afterVertex = (old: BuildRun, announced: Of<'Vertex'>, atMs: number): BuildTold => {
  // Builders put values into the commands that they name steps after.
  const event = { ...announced, name: mask(old.secrets, announced.name) }
  const known = withDigest(old, event)
  const before = vertexOf(known, event.digest)
  if (before === undefined) return { run: known, told: [] }
  const changed = vertexAfter(before, event)
  const { lines, printed } = isOver(changed.state)
    ? printedAtEnd(known.secrets, changed.printed)
    : { lines: [], printed: changed.printed }
  const { run, vertex } = stored(known, { ...changed, printed })
  const isSame = before.state === vertex.state && before.name === vertex.name && before.isCached === vertex.isCached
  if (vertex.state === 'Waiting' || (isSame && vertexMs(before) === vertexMs(vertex))) return { run, told: [] }
  const moved = vertex.state === 'Done' ? movedTold(run, vertex, atMs) : []
  const rest = lines.length === 0 ? [] : [logTold(run, vertex, lines, atMs)]
  return { run, told: [...moved, ...rest, vertexTold(run, vertex, atMs)] }
}

const afterLog = (old: BuildRun, event: Of<'Log'>, atMs: number): BuildTold => {
  const known = vertexOf(old, event.vertex)
  if (known === undefined) return { run: old, told: [] }
  const before = known.state === 'Waiting' ? { ...known, state: 'Running' as const } : known
  const { lines, printed } = printedAfter(old.secrets, before.printed, event)
  const { run, vertex } = stored(old, { ...before, printed })
  const first = before === known ? [] : [vertexTold(run, vertex, atMs)]
  return { run, told: [...first, logTold(run, vertex, lines, atMs)] }
}

const movedTold = (run: BuildRun, vertex: Vertex, atMs: number): ReadonlyArray<BuildProgressEvent> => {
  const moved = movedAt(vertex.transfers, atMs)
  return moved === undefined ? [] : [{ _tag: 'Transfer', ...about(run, vertex, atMs), ...moved }]
}

const afterMove = (old: BuildRun, vertex: Vertex, atMs: number): BuildTold => {
  if (atMs - vertex.transfers.toldMs < tellMs) return { run: stored(old, vertex).run, told: [] }
  const { run, vertex: now } = stored(old, { ...vertex, transfers: { ...vertex.transfers, toldMs: atMs } })
  return { run, told: movedTold(run, now, atMs) }
}

/** `exporting manifest sha256:…` ends before anybody could read it. */
const isBrief = (id: string): boolean =>
  /^(?:exporting (?:manifest|config|attestation)|writing image|naming to)/.test(id)

const afterTransfer = (old: BuildRun, event: Of<'Transfer'>, atMs: number): BuildTold => {
  const before = vertexOf(old, event.vertex)
  if (before === undefined) return { run: old, told: [] }
  const { current, endedMs, id, total } = event
  if (current > 0 || total > 0 || id.startsWith('transferring ')) {
    return afterMove(old, { ...before, transfers: transferred(before.transfers, id, { current, total }, atMs) }, atMs)
  }
  if (endedMs !== undefined || isBrief(id) || id === before.status || id.startsWith('sha256:'))
    return { run: old, told: [] }
  const { run, vertex } = stored(old, { ...before, status: id })
  return { run, told: vertex.state === 'Running' ? [vertexTold(run, vertex, atMs)] : [] }
}

const servedAs = (served: string): ((vertex: Vertex) => boolean) => {
  const lead = new Map([
    ['context', '[internal] load build context'],
    ['dockerfile', '[internal] load build definition'],
  ]).get(served)
  return ({ name }) => name.startsWith(lead ?? `[context ${served}] load from client`)
}

const afterSent = (run: BuildRun, event: Of<'Sent'>, atMs: number): BuildTold => {
  const vertex = [...run.vertices.values()].find(servedAs(event.served))
  if (vertex === undefined) return { run, told: [] }
  return afterMove(run, { ...vertex, transfers: sentFrom(vertex.transfers, event, atMs) }, atMs)
}

const afterEvent = (run: BuildRun, event: BuildEvent, atMs: number): BuildTold => {
  switch (event._tag) {
    case 'Vertex':
      return afterVertex(run, event, atMs)
    case 'Log':
      return afterLog(run, event, atMs)
    case 'Transfer':
      return afterTransfer(run, event, atMs)
    case 'Sent':
      return afterSent(run, event, atMs)
    case 'Lint':
      return { run, told: [] }
  }
}

/**
 * The vertex that best describes what is going on: instructions of the Dockerfile before others, and of those the
 * newest.
 */
const busiest = ({ vertices }: BuildRun): { readonly vertex: Vertex; readonly others: number } | undefined => {
  const running = [...vertices.values()].filter(({ state }) => state === 'Running')
  const own = running.filter((vertex) => !isInternal(vertex))
  const vertex = own.toSorted((a, b) => (b.number ?? 0) - (a.number ?? 0))[0] ?? running.at(-1)
  return vertex === undefined ? undefined : { vertex, others: Math.max(0, own.length - 1) }
}

/** `sending 12.3 MB`, `[1/3] FROM node:20, 12.3 of 45.0 MB`. */
const joined = (phrase: string, sum: string): string => `${phrase}${phrase.startsWith('[') ? ',' : ''} ${sum}`

const withStep = ({ run, told }: BuildTold, atMs: number): BuildTold => {
  const busy = busiest(run)
  if (busy === undefined) return { run, told }
  const phrase = cut(phraseOf(busy.vertex), mostDetail)
  const phase = cut(phrase, mostPhase)
  const moved = movedAt(busy.vertex.transfers, atMs)
  const sum = moved === undefined ? '' : showMoved(moved)
  const words = sum === '' ? `${phrase}${phrase === 'sending' ? ' the context' : ''}` : joined(phrase, sum)
  const detail = [words, ...(busy.others === 0 ? [] : [`and ${busy.others} more`])].join(', ')
  const { step } = run
  if (detail === step.detail || (phase === step.phase && atMs - step.toldMs < tellMs)) return { run, told }
  const title = run.image
  const event: ProgressEvent = { _tag: 'Step', id: buildStep(title), title, state: 'Running', detail, phase, atMs }
  return { run: { ...run, step: { detail, phase, toldMs: atMs } }, told: [event, ...told] }
}

/**
 * `atMs` is by the run's clock. Total: events may arrive in any order, repeatedly, and after the end of what they are
 * about. Warnings are left out here, since they need the places of findings.
 */
export const buildTold = (before: BuildRun, events: ReadonlyArray<BuildEvent>, atMs: number): BuildTold => {
  let run = before
  const told: Array<ProgressEvent> = []
  for (const event of events) {
    const next = afterEvent(run, event, atMs)
    run = next.run
    for (const one of next.told) told.push(one)
  }
  return withStep({ run, told }, atMs)
}

/** Finished vertices of the Dockerfile, and how many of them came from the cache. */
const cachedWords = ({ vertices }: BuildRun): string => {
  const done = [...vertices.values()].filter(
    ({ name, state }) => state === 'Done' && /^\[(?:[^\]]*\s)?\d+\/\d+\]/.test(name),
  )
  const cached = done.filter(({ isCached }) => isCached).length
  if (cached === 0) return ''
  return cached === done.length ? 'all cached' : `${cached} of ${done.length} steps cached`
}

/**
 * The end of a build, with `detail` from the caller (`pushed`). Vertices that were still running are not reported any
 * more.
 */
export const buildEnded = (
  run: BuildRun,
  { detail, state }: { readonly state: 'Done' | 'Failed' | 'Skipped'; readonly detail: string },
  atMs: number,
): ReadonlyArray<ProgressEvent> => {
  const words = [detail, state === 'Done' ? cachedWords(run) : ''].filter((word) => word !== '').join(', ')
  return [{ _tag: 'Step', id: buildStep(run.image), title: run.image, state, detail: words, atMs }]
}

/**
 * The vertex at which a build failed, with its last lines of output (at most 20). `digest`: as named by the builder, if
 * it names one.
 */
export const failedVertex = (
  run: BuildRun,
  digest?: string,
): { readonly name: string; readonly lines: ReadonlyArray<string> } | undefined => {
  const named = digest === undefined ? undefined : vertexOf(run, digest)
  const vertex = named ?? [...run.vertices.values()].findLast(({ state }) => state === 'Failed')
  if (vertex === undefined) return undefined
  return { name: vertex.name, lines: printedAtEnd(run.secrets, vertex.printed).printed.tail }
}

/** Images that cache should have come from but could not. */
export const missingCaches = ({
  vertices,
}: BuildRun): ReadonlyArray<{ readonly reference: string; readonly cause: string }> =>
  [...vertices.values()].flatMap((vertex) => {
    const reference = cacheOf(vertex)
    return reference === undefined || vertex.error === '' ? [] : [{ reference, cause: vertex.error }]
  })
