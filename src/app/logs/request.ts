/** A request for logs, and the environment and services it selects. */
import { type Failure, failureDiagnostic } from '../../domain/cluster/failure.ts'
import type { ClusterObject } from '../../domain/cluster/live.ts'
import { type Diagnostic, warning } from '../../domain/diagnostic/diagnostic.ts'
import type { InventoryEntry } from '../../domain/environment/record.ts'
import type { Pattern } from '../../domain/logs/pattern.ts'
import { containersOf, isOfEnvironment, type LogContainer } from '../../domain/logs/sources.ts'
import type { Target } from '../context/target.ts'
import type { LogSink } from './batches.ts'

/**
 * `environment`: absent for all pods of the namespace. `container`: only containers of this name. `isPrevious`: the
 * instances before the current ones, which are not followed. `tail`: lines per container, absent for all.
 */
export type ReadLogs = {
  readonly target: Pick<Target, 'cluster' | 'namespace'>
  readonly environment?: string
  readonly includes: Pattern
  /** The source of `includes`; '' for every service. */
  readonly expression: string
  readonly excludes: Pattern
  readonly container?: string
  readonly isPrevious: boolean
  readonly sinceSeconds: number
  readonly tail?: number
  readonly isFollowing: boolean
  readonly sink: LogSink
  readonly signal: AbortSignal
}

/** The content of the environment's record; `notes`: why there is none. */
export type Recorded = {
  readonly isKnown: boolean
  readonly inventory: ReadonlyArray<InventoryEntry>
  readonly notes: ReadonlyArray<Diagnostic>
}

export const containersIn = (
  { environment }: ReadLogs,
  { inventory }: Recorded,
  pods: ReadonlyArray<ClusterObject>,
): ReadonlyArray<LogContainer> =>
  pods.filter((pod) => environment === undefined || isOfEnvironment(pod, environment, inventory)).flatMap(containersOf)

export const isSelected = ({ excludes, includes }: ReadLogs, { service }: Pick<LogContainer, 'service'>): boolean =>
  includes(service) && !excludes(service)

export const isWanted = (wanted: ReadLogs, found: LogContainer): boolean =>
  isSelected(wanted, found) && (wanted.container ?? found.container) === found.container

/** Finds DT3403. */
export const unreadable = ({ container, pod }: LogContainer, failure: Failure): Diagnostic => {
  const { message } = failureDiagnostic(failure)
  return warning('DT3403', `the log of ${pod}/${container} cannot be read: ${message}`)
}
