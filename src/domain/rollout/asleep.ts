/** Workloads that are stopped because their namespace sleeps. */
import { listAt, textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { SLEEP_MANAGER } from '../k8s/managers.ts'

export const isPutToSleep = (live: ClusterObject): boolean =>
  listAt(live, 'metadata', 'managedFields').some((entry) => textAt(entry, 'manager') === SLEEP_MANAGER)

/** Why a service of a sleeping namespace is stopped. */
export const SLEEPING = 'the namespace sleeps; `devtool namespace wake` starts it'
