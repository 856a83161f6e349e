/** Follows logs: picks up restarts and new pods, and continues after interruptions. */
import { type Failure, failureDiagnostic, isForbidden } from '../../domain/cluster/failure.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { containersOf, keyOf, type LogContainer } from '../../domain/logs/sources.ts'
import type { Listing } from '../../ports/cluster.ts'
import type { Ports } from '../../ports/ports.ts'
import { followPods, type WatchedPods } from '../watch/pods.ts'
import type { Batches } from './batches.ts'
import { type LogRead, type ReaderWorld, readLog } from './reader.ts'
import { containersIn, isWanted, type ReadLogs, type Recorded, unreadable } from './request.ts'

type Needs = Pick<Ports, 'clock' | 'progress'>

/** A problem is reported once until lines arrive again; a missing permission ends everything. */
type Troubles = {
  readonly tell: (text: string, failure: Failure) => void
  readonly over: () => void
  readonly signal: AbortSignal
  readonly findings: ReadonlyArray<Diagnostic>
}

const troublesOf = ({ progress }: Needs, signal: AbortSignal): Troubles => {
  const findings: Array<Diagnostic> = []
  const stop = new AbortController()
  const told = new Set<string>()
  return {
    findings,
    signal: AbortSignal.any([signal, stop.signal]),
    over: () => told.clear(),
    tell: (text, failure) => {
      if (isForbidden(failure)) {
        findings.push(failureDiagnostic(failure))
        stop.abort()
      } else if (!told.has(text) && told.add(text)) progress.tell({ _tag: 'Said', text })
    },
  }
}

const worldOf = (
  { clock }: Needs,
  { target, sinceSeconds }: ReadLogs,
  pods: WatchedPods,
  signal: AbortSignal,
): ReaderWorld => ({
  ...target,
  clock,
  signal,
  sinceSeconds,
  isFollowing: true,
  changed: pods.changed,
  latest: (key) =>
    pods
      .all()
      .flatMap(containersOf)
      .find((container) => keyOf(container) === key),
})

const take = async (lines: Batches, troubles: Troubles, container: LogContainer, item: LogRead): Promise<void> => {
  if (item._tag === 'Line') {
    troubles.over()
    return lines.put(container, item.line)
  }
  if (troubles.signal.aborted) return
  const { message } = unreadable(container, item.failure)
  troubles.tell(item.failure._tag === 'Unreachable' ? 'a log stream was interrupted: retrying' : message, item.failure)
}

/**
 * Follows until the signal is aborted; ends early only for lack of permission. Containers that start later are read
 * from their first line.
 */
export const followLogs = async (
  ports: Needs,
  wanted: ReadLogs,
  record: Recorded,
  list: Listing,
  lines: Batches,
  interrupted: AbortSignal,
): Promise<ReadonlyArray<Diagnostic>> => {
  const troubles = troublesOf(ports, interrupted)
  const { signal, tell } = troubles
  const lost = (failure: Failure): void => tell('the cluster does not respond: retrying', failure)
  const pods = followPods({ ...wanted.target, ...ports, signal, tell: lost }, list)
  const world = worldOf(ports, wanted, pods, signal)
  const read = async (container: LogContainer, isFirst: boolean): Promise<void> => {
    const tail = isFirst && wanted.tail !== undefined ? { tail: wanted.tail } : {}
    for await (const item of readLog(world, container, { instances: isFirst ? 'Present' : 'Both', ...tail })) {
      await take(lines, troubles, container, item)
    }
  }
  const reading = new Set<string>()
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    for (const container of containersIn(wanted, record, pods.all()).filter((found) => isWanted(wanted, found))) {
      const key = keyOf(container)
      if (!container.hasLog || reading.has(key)) continue
      reading.add(key)
      void read(container, isFirst)
    }
    await pods.changed()
  }
  await lines.flush()
  return troubles.findings
}
