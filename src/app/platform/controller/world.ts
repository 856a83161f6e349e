/** The ports and state of the controller. */
import type { ClusterObject } from '../../../domain/cluster/live.ts'
import type { RunPrograms } from '../../../domain/platform/run/request.ts'
import type { RunLimits } from '../../../domain/platform/run/schedule.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Cluster } from '../../../ports/cluster.ts'

/**
 * `programs`: those that runs use. `note`: writes a line to the log. `mayWrite`: whether this process still leads.
 * `sleepAfterSeconds`: after how long idle namespaces sleep, unless they have a limit of their own; absent: never.
 * `hasBuilder`: whether the platform has a build service.
 */
export type ControllerWorld = {
  /** Unique to this process. */
  readonly holder: string
  readonly cluster: Cluster
  readonly clock: Clock
  readonly programs: RunPrograms
  readonly limits: RunLimits
  readonly sleepAfterSeconds?: number
  readonly hasBuilder?: boolean
  readonly mayWrite: () => Promise<boolean>
  readonly note: (kind: string, text: string) => void
  /** Counts acts by name, like `closed`. */
  readonly count: (act: string) => void
}

/**
 * The known objects of the cluster, by namespace and name. Records have no data. `builderBindings`: those of runs, if
 * there is a build service.
 */
export type KnownObjects = {
  readonly jobs: ReadonlyMap<string, ClusterObject>
  readonly records: ReadonlyMap<string, ClusterObject>
  readonly namespaces: ReadonlyMap<string, ClusterObject>
  readonly builderBindings?: ReadonlyMap<string, ClusterObject>
}

export const keyOf = ({ metadata: { name, namespace = '' } }: Pick<ClusterObject, 'metadata'>): string =>
  `${namespace}/${name}`

/** The field manager of the controller. */
export const CONTROLLER = { manager: 'devtool-controller' } as const
