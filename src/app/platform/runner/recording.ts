/** Updates the record of a run while it runs: its log every few seconds, and its end. */
import { annotationOf, type ClusterObject } from '../../../domain/cluster/live.ts'
import { resources } from '../../../domain/cluster/resources.ts'
import type { Diagnostic } from '../../../domain/diagnostic/diagnostic.ts'
import { CANCELLED_ANNOTATION } from '../../../domain/k8s/labels.ts'
import { defined } from '../../../domain/object/defined.ts'
import { packLog, type RunLine, showRunLine } from '../../../domain/platform/run/log.ts'
import {
  type EndedStatus,
  hasEnded,
  type RunRecord,
  recordChange,
  runIn,
  runName,
} from '../../../domain/platform/run/record.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Cluster } from '../../../ports/cluster.ts'
import { answered } from '../controller/acting.ts'

const EVERY_MS = 10_000
const TRIES = 6
const PAUSE_MS = 500
/** The part of a log that is kept in memory, and about what an empty line takes. */
const MOST_CHARACTERS = 8 * 1024 * 1024
const OF_EMPTY_LINE = 100

export type RunEnding = {
  readonly status: EndedStatus
  readonly exitStatus?: number
  readonly failure?: Diagnostic
}

export type Recording = {
  readonly run: () => RunRecord
  /** Adds a line to the log. */
  readonly say: (text: string) => void
  /** Takes effect with the next write. */
  readonly change: (change: Partial<RunRecord>) => void
  readonly isCancelled: () => Promise<boolean>
  /** Called once. Whether the record now says that the run has ended. */
  readonly end: (ending: RunEnding) => Promise<boolean>
}

type Options = {
  readonly cluster: Cluster
  readonly clock: Clock
  readonly print: (line: string) => void
}

/** `live` and `run`: the record as it was read. */
export const recording = ({ clock, cluster, print }: Options, live: ClusterObject, queued: RunRecord): Recording => {
  const key = { resource: resources.ConfigMap, namespace: queued.namespace, name: runName(queued.id) }
  const lines: Array<RunLine> = []
  let [version, run, count, characters] = [live.metadata.resourceVersion, queued, 0, 0]
  let isOver = false
  let isChanged = true

  /** Whether it was written; the record of an ended run is never overwritten. */
  const write = async (next: RunRecord, tries: number): Promise<boolean> => {
    isChanged = false
    const body = recordChange(next, version, packLog(lines))
    const written = await answered(cluster.merge(key, body, { manager: 'devtool-runner' }))
    if (written !== undefined) {
      version = written.value.metadata.resourceVersion
      return true
    }
    isChanged = true
    if (tries <= 1) return false
    await clock.sleep(PAUSE_MS)
    const found = (await answered(cluster.get(key)))?.value
    const now = found === undefined ? undefined : runIn(found)
    if (found === undefined || now === undefined) return write(next, tries - 1)
    isOver ||= hasEnded(now)
    if (isOver) return false
    version = found.metadata.resourceVersion
    return write(next, tries - 1)
  }
  // Writes are sequential.
  let writing = Promise.resolve(true)
  const queue = (current: () => RunRecord, tries: number): Promise<boolean> => {
    const before = writing
    const turn = async (): Promise<boolean> => {
      await before
      return isOver ? false : write(current(), tries)
    }
    writing = turn()
    return writing
  }
  const stop = clock.every(EVERY_MS, () => {
    if (isChanged) void queue(() => run, 1)
  })
  return {
    run: () => run,
    say: (text) => {
      count += 1
      const line = { n: count, at: clock.date(), text }
      print(showRunLine(line))
      lines.push(line)
      characters += text.length + OF_EMPTY_LINE
      if (characters > MOST_CHARACTERS) {
        // All at once, since removing the first of many lines takes long.
        const older = lines.splice(0, Math.ceil(lines.length / 2))
        for (const { text: old } of older) characters -= old.length + OF_EMPTY_LINE
      }
      isChanged = true
    },
    change: (change) => {
      run = { ...run, ...change }
      void queue(() => run, TRIES)
    },
    isCancelled: async () => {
      const found = (await answered(cluster.get(key)))?.value
      return found !== undefined && annotationOf(found, CANCELLED_ANNOTATION) !== undefined
    },
    end: async ({ exitStatus, failure, status }) => {
      stop()
      run = { ...run, status, ended: clock.date(), ...defined({ exitStatus, failure }) }
      const isWritten = await queue(() => run, TRIES)
      isOver = true
      return isWritten
    },
  }
}
