/** Development containers that were killed because of their memory. */
import { textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { containersOf } from '../rollout/pod.ts'
import { memoryWords } from '../why/crash.ts'

/** What is said of the last end of each pod's container, if that was such a kill, by a key that this end alone has. */
export const memoryKills = (pods: ReadonlyArray<ClusterObject>, container: string): ReadonlyMap<string, string> =>
  new Map(
    pods.flatMap((pod) =>
      containersOf(pod).flatMap(({ before, ended, name, restarts, spec }): ReadonlyArray<readonly [string, string]> => {
        if (name !== container || (ended ?? before)?.reason !== 'OOMKilled') return []
        const limit = textAt(spec, 'resources', 'limits', 'memory')
        const end = ended === undefined ? restarts : restarts + 1
        return [[`${pod.metadata.uid} ${end}`, memoryWords('the development container', limit).message]]
      }),
    ),
  )
