/** What the controller works with. */
import type { ClusterObject } from '../../../domain/cluster/live.ts'
import type { RunPrograms } from '../../../domain/platform/run/request.ts'
import type { RunLimits } from '../../../domain/platform/run/schedule.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Cluster } from '../../../ports/cluster.ts'

/** `programs`: of runs. `note`: a line of the log. `mayWrite`: whether this program still leads. */
export type ControllerWorld = {
  readonly cluster: Cluster
  readonly clock: Clock
  readonly programs: RunPrograms
  readonly limits: RunLimits
  readonly mayWrite: () => Promise<boolean>
  readonly note: (kind: string, text: string) => void
  /** Counts what was done, like `closed`. */
  readonly count: (act: string) => void
}

/** What is known of the cluster, by namespace and name. Records have no data. */
export type KnownObjects = {
  readonly jobs: ReadonlyMap<string, ClusterObject>
  readonly records: ReadonlyMap<string, ClusterObject>
  readonly namespaces: ReadonlyMap<string, ClusterObject>
}

export const keyOf = ({ metadata: { name, namespace = '' } }: ClusterObject): string => `${namespace}/${name}`

/** The field manager of what the controller writes. */
export const CONTROLLER = { manager: 'devtool-controller' } as const
