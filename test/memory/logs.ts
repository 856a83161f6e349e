/** Logs of containers in memory. */
import type { Failure } from '../../src/domain/cluster/failure.ts'
import type { ObjectKey } from '../../src/domain/cluster/resources.ts'
import type { Cluster, LogOptions } from '../../src/ports/cluster.ts'
import { streamOf } from './watches.ts'

type Line = { readonly pod: string; readonly container: string; readonly isPrevious: boolean; readonly text: string }

/** Lines of a container. `pod` is `NAMESPACE/NAME`. */
export type SaidLines = {
  readonly pod: string
  readonly container: string
  readonly lines: ReadonlyArray<string>
  readonly isPrevious?: boolean
}

type Listener = (line: Line | undefined) => void

export type MemoryLogs = {
  /** Appends lines to the log of a container. `pod` is `NAMESPACE/NAME`. */
  readonly say: (pod: string, container: string, lines: ReadonlyArray<string>, isPrevious?: boolean) => void
  /** Ends the containers of the pod, and with them their logs. */
  readonly endLogs: (pod: string) => void
  readonly lines: () => ReadonlyArray<Line>
  readonly onLine: (pod: string, listener: Listener) => () => void
}

export const memoryLogs = (): MemoryLogs => {
  const lines: Array<Line> = []
  const listeners = new Map<Listener, string>()
  const tell = (pod: string, line: Line | undefined): void => {
    for (const [listener, about] of listeners) if (about === pod) listener(line)
  }
  return {
    say: (pod, container, texts, isPrevious = false) => {
      for (const text of texts) {
        const line = { pod, container, isPrevious, text }
        lines.push(line)
        tell(pod, line)
      }
    },
    endLogs: (pod) => tell(pod, undefined),
    lines: () => lines,
    onLine: (pod, listener) => {
      listeners.set(listener, pod)
      return () => listeners.delete(listener)
    },
  }
}

type Item = { readonly _tag: 'Line'; readonly text: string } | { readonly _tag: 'Failed'; readonly failure: Failure }

/** A fixed time for lines without one, so that tests can compare them. */
const stamped = (text: string, { timestamps }: LogOptions): string =>
  timestamps === true ? `2026-11-21T10:00:00.000000000Z ${text}` : text

/** The existing lines and, when followed, new ones as they come. */
export const logOf = (
  logs: MemoryLogs,
  key: ObjectKey,
  options: LogOptions,
  signal: AbortSignal,
  failure: Failure | undefined,
): ReturnType<Cluster['logs']> => {
  const { end, items, push } = streamOf<Item>(signal)
  const pod = `${key.namespace ?? ''}/${key.name}`
  const isWanted = (line: Line): boolean =>
    line.pod === pod && line.container === options.container && line.isPrevious === (options.isPrevious === true)
  if (failure !== undefined) {
    push({ _tag: 'Failed', failure })
    end()
    return items
  }
  const tell: Listener = (line) => {
    if (line === undefined) end()
    else if (isWanted(line)) push({ _tag: 'Line', text: stamped(line.text, options) })
  }
  const past = logs.lines().filter(isWanted)
  for (const line of options.tail === undefined ? past : past.slice(Math.max(past.length - options.tail, 0))) tell(line)
  if (!options.follow) end()
  else signal.addEventListener('abort', logs.onLine(pod, tell), { once: true })
  return items
}
