/** Builds for tests: recordings of a real BuildKit (`buildctl --progress=rawjson`), and events made by hand. */
import { readFileSync } from 'node:fs'
import type { BuildEvent } from '../../../src/domain/build/event.ts'
import { lintFindings } from '../../../src/domain/build/findings.ts'
import { buildEnded, buildProgress, buildTold, failedVertex } from '../../../src/domain/build/progress.ts'
import type { ProgressEvent } from '../../../src/domain/progress/event.ts'

/** `atMs` from the beginning of the recording. */
type Recorded = { readonly atMs: number; readonly events: ReadonlyArray<BuildEvent> }

type Moments = { readonly started?: string; readonly completed?: string }
type Status = {
  readonly vertexes?: ReadonlyArray<
    Moments & { readonly digest: string; readonly name: string; readonly cached?: boolean; readonly error?: string }
  >
  readonly statuses?: ReadonlyArray<
    Moments & {
      readonly id: string
      readonly vertex: string
      readonly name?: string
      readonly current: number
      readonly total?: number
      readonly timestamp: string
    }
  >
  readonly logs?: ReadonlyArray<{
    readonly vertex: string
    readonly stream: number
    readonly data: string
    readonly timestamp: string
  }>
  readonly warnings?: ReadonlyArray<{
    readonly short: string
    readonly detail?: ReadonlyArray<string>
    readonly url?: string
    readonly sourceInfo?: { readonly filename: string; readonly data: string }
    readonly range?: ReadonlyArray<{
      readonly start: { readonly line: number }
      readonly end: { readonly line: number }
    }>
  }>
}

const textOf = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8')

/** Milliseconds with fractions, so that a very short run is not mistaken for none. */
const msOf = (moment: string): number => {
  const [, micros = '0'] = /\.\d{3}(\d{0,3})/.exec(moment) ?? []
  return Date.parse(moment) + Number(micros) / 1000
}

const moments = ({ completed, started }: Moments) => ({
  ...(started === undefined ? {} : { startedMs: msOf(started) }),
  ...(completed === undefined ? {} : { endedMs: msOf(completed) }),
})

const eventsOf = ({ logs = [], statuses = [], vertexes = [], warnings = [] }: Status): ReadonlyArray<BuildEvent> => [
  ...vertexes.map(
    (v): BuildEvent => ({
      _tag: 'Vertex',
      ...{ digest: v.digest, name: v.name, isCached: v.cached ?? false, ...moments(v) },
      ...(v.error === undefined ? {} : { error: v.error }),
    }),
  ),
  ...statuses.map(
    (s): BuildEvent => ({
      _tag: 'Transfer',
      ...{ vertex: s.vertex, id: s.id, name: s.name ?? '', current: s.current, total: s.total ?? 0, ...moments(s) },
    }),
  ),
  ...logs.map((l): BuildEvent => ({ _tag: 'Log', vertex: l.vertex, isError: l.stream === 2, text: textOf(l.data) })),
  ...warnings.map((w): BuildEvent => {
    const { sourceInfo: info } = w
    const ranges = (w.range ?? []).map(({ end, start }) => ({ start: start.line, end: end.line }))
    return {
      _tag: 'Lint',
      ...{ text: textOf(w.short), details: (w.detail ?? []).map(textOf), url: w.url ?? '' },
      ...(info === undefined ? {} : { source: { file: info.filename, text: textOf(info.data), ranges } }),
    }
  }),
]

const lastMoment = (status: Status): number | undefined => {
  const { logs = [], statuses = [], vertexes = [] } = status
  const all = [
    ...vertexes.flatMap(({ completed, started }) => completed ?? started ?? []),
    ...[...statuses, ...logs].map(({ timestamp }) => timestamp),
  ]
  return all.length === 0 ? undefined : Math.max(...all.map(msOf))
}

/** `api` (all steps run), `api-cached`, `web` (fails; lints). */
const recording = (name: 'api' | 'api-cached' | 'web'): ReadonlyArray<Recorded> => {
  const file = new URL(`recordings/${name}.jsonl`, import.meta.url)
  const messages = readFileSync(file, 'utf8').trimEnd().split('\n')
  const all = messages.map((line): Status => JSON.parse(line))
  const first = all.map(lastMoment).find((ms) => ms !== undefined) ?? 0
  let atMs = 0
  return all.map((status) => {
    atMs = Math.max(atMs, (lastMoment(status) ?? 0) - first)
    return { atMs, events: eventsOf(status) }
  })
}

type Name = Parameters<typeof recording>[0]

/** The progress events of concurrent builds, by time. */
export const buildsOf = (...names: ReadonlyArray<Name>): ReadonlyArray<ProgressEvent> => {
  const all = names.flatMap((name) => {
    const messages = recording(name)
    const endMs = messages.at(-1)?.atMs ?? 0
    let run = buildProgress(name)
    const told = messages.flatMap(({ atMs, events }) => {
      const next = buildTold(run, events, atMs)
      run = next.run
      const lints = events.filter((event) => event._tag === 'Lint')
      const advice = lintFindings(lints, { image: name, dockerfile: { file: `${name}/Dockerfile` } })
      const lintsTold = advice.map((diagnostic): ProgressEvent => ({ _tag: 'Lint', image: name, diagnostic, atMs }))
      return [...next.told, ...lintsTold].map((event) => ({ atMs, event }))
    })
    const hasFailed = failedVertex(run) !== undefined
    const end = hasFailed
      ? ({ state: 'Failed', detail: 'failed' } as const)
      : ({ state: 'Done', detail: 'pushed' } as const)
    return [...told, ...buildEnded(run, end, endMs).map((event) => ({ atMs: endMs, event }))]
  })
  return all.toSorted((a, b) => a.atMs - b.atMs).map(({ event }) => event)
}

/** Hand-made events, of the vertex `v1` by default. */
export const vertexEvent = (
  more: Partial<Extract<BuildEvent, { readonly _tag: 'Vertex' }>> = {},
): Extract<BuildEvent, { readonly _tag: 'Vertex' }> => ({
  _tag: 'Vertex',
  ...{ digest: 'v1', name: '[1/2] RUN make', isCached: false },
  ...more,
})

export const logEvent = (text: string, vertex = 'v1', isError = false): BuildEvent => ({
  _tag: 'Log',
  vertex,
  isError,
  text,
})

export const moveEvent = (current: number, total = 0, id = 'sha256:1', vertex = 'v1'): BuildEvent => ({
  _tag: 'Transfer',
  ...{ vertex, id, name: '', current, total },
})
