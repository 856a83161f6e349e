/**
 * Updates the record of a run while it runs: its log, and its end. A killed run loses the lines since the last write, so
 * they are written soon, but the more a write costs, the longer the pause after it.
 */
import { annotationOf, type ClusterObject } from '../../../domain/cluster/live.ts'
import { resources } from '../../../domain/cluster/resources.ts'
import type { Diagnostic } from '../../../domain/diagnostic/diagnostic.ts'
import { CANCELLED_ANNOTATION } from '../../../domain/k8s/labels.ts'
import { defined } from '../../../domain/object/defined.ts'
import { packLog, showRunLine } from '../../../domain/platform/run/log.ts'
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
import { recentLines } from '../recent-lines.ts'

const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [1000, 10_000]
/** That the cluster has to store for one run, on average. */
const MOST_BYTES_PER_SECOND = 25 * 1024
/** So many times the time that packing took. */
const PACKING_PAUSES = 20
const TRIES = 6
/** For a log: whoever changed the record, such as to cancel the run, must not keep its lines out. */
const LOG_TRIES = 2
const RETRY_MS = 500

/** Between two writes of a log of so many bytes, packed in so much time. */
export const pauseBetweenWrites = (bytes: number, packingMs: number): number =>
  Math.min(
    LONGEST_PAUSE_MS,
    Math.max(SHORTEST_PAUSE_MS, (bytes / MOST_BYTES_PER_SECOND) * 1000, packingMs * PACKING_PAUSES),
  )

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
  const lines = recentLines()
  let [version, run, count] = [live.metadata.resourceVersion, queued, 0]
  let [isEnding, isOver] = [false, false]
  let isChanged = true
  let pauseMs = SHORTEST_PAUSE_MS

  const packed = (): Uint8Array => {
    const before = clock.now()
    const log = packLog(lines.all())
    pauseMs = pauseBetweenWrites(log.length, clock.now() - before)
    return log
  }
  /** Whether it was written; the record of an ended run is never overwritten. */
  const write = async (next: RunRecord, tries: number): Promise<boolean> => {
    isChanged = false
    const body = recordChange(next, version, packed())
    const written = await answered(cluster.merge(key, body, { manager: 'devtool-runner' }))
    if (written !== undefined) {
      version = written.value.metadata.resourceVersion
      return true
    }
    isChanged = true
    if (tries <= 1) return false
    await clock.sleep(RETRY_MS)
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
  let stop: (() => void) | undefined
  const writeSoon = (): void => {
    if (isEnding || stop !== undefined) return
    stop = clock.after(pauseMs, () => void writeLog())
  }
  const writeLog = async (): Promise<void> => {
    if (isChanged) await queue(() => run, LOG_TRIES)
    stop = undefined
    if (isChanged) writeSoon()
  }
  return {
    run: () => run,
    say: (text) => {
      count += 1
      const line = { n: count, at: clock.date(), text }
      print(showRunLine(line))
      lines.add(line)
      isChanged = true
      writeSoon()
    },
    change: (change) => {
      run = { ...run, ...change }
      void queue(() => run, TRIES)
      // In case none of these tries succeeds.
      writeSoon()
    },
    isCancelled: async () => {
      const found = (await answered(cluster.get(key)))?.value
      return found !== undefined && annotationOf(found, CANCELLED_ANNOTATION) !== undefined
    },
    end: async ({ exitStatus, failure, status }) => {
      isEnding = true
      stop?.()
      run = { ...run, status, ended: clock.date(), ...defined({ exitStatus, failure }) }
      const isWritten = await queue(() => run, TRIES)
      isOver = true
      return isWritten
    },
  }
}
