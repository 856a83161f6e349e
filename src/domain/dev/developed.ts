/** Developed workloads, for commands about environments: these show the pods of the mirror instead. */
import * as E from 'fp-ts/lib/Either.js'
import { textAt } from '../cluster/json.ts'
import { allOf, type ClusterObject, labelOf, type Observed } from '../cluster/live.ts'
import type { DevelopedRows } from '../environment/listing.ts'
import { MIRROR_LABEL } from '../k8s/labels.ts'
import { showRef } from '../plan/action.ts'
import { containersOf } from '../rollout/pod.ts'
import { showAge } from '../text/moment.ts'
import type { Cause } from '../why/cause.ts'
import { memoryWords } from '../why/crash.ts'
import { waitsForRestart } from '../why/scene.ts'
import type { Development } from '../why/story.ts'
import { statusOf } from './listing.ts'
import { type DevRecord, isRecord, recordOf } from './record.ts'
import { mirrorCauses } from './starting.ts'

/** The records that can be read. */
export const recordsIn = (observed: Observed): ReadonlyArray<DevRecord> =>
  allOf(observed, 'ConfigMap').flatMap((live) => {
    if (!isRecord(live)) return []
    return E.match(
      (): ReadonlyArray<DevRecord> => [],
      (record: DevRecord) => [record],
    )(recordOf(live))
  })

const mirrorPods = (observed: Observed, { mirror }: Pick<DevRecord, 'mirror'>): ReadonlyArray<ClusterObject> =>
  allOf(observed, 'Pod').filter((pod) => labelOf(pod, MIRROR_LABEL) === mirror)

/** `ann on laptop` */
export const developerOf = ({ holder: { machine, user } }: Pick<DevRecord, 'holder'>): string => `${user} on ${machine}`

/** `observed` holds the records, and all pods. */
export const developedRows = (observed: Observed, now: string): DevelopedRows =>
  new Map(
    recordsIn(observed).map((record) => {
      const { reason, restarts, state } = statusOf(record, mirrorPods(observed, record))
      const isRunning = state === 'running'
      const trouble = reason === '' && !isRunning ? 'starting' : reason
      const who = `by ${developerOf(record)} for ${showAge(record.since, now)}`
      return [
        showRef(record.workload),
        { ready: isRunning ? '1/1' : '0/1', restarts, reason: trouble === '' ? who : `${who}, ${trouble}` },
      ]
    }),
  )

/** A program killed for using too much memory may have left its container running. */
const memoryRemarks = ({ container, dev }: DevRecord, pods: ReadonlyArray<ClusterObject>): ReadonlyArray<Cause> =>
  pods.flatMap((pod) =>
    containersOf(pod).flatMap(({ before, isRunning, name, spec }) => {
      if (name !== container || !isRunning || before?.reason !== 'OOMKilled') return []
      const words = memoryWords('the development container', textAt(spec, 'resources', 'limits', 'memory'))
      return [{ ...words, subject: dev, object: `Pod/${pod.metadata.name}`, isFinal: false }]
    }),
  )

const always = (): number => Number.POSITIVE_INFINITY

/** By `Kind/name`. `observed` holds the records and the mirrors, with their pods and events. */
export const developmentsIn = (observed: Observed): ReadonlyMap<string, Development> =>
  new Map(
    recordsIn(observed).map((record) => {
      const { dev, since, workload } = record
      const pods = mirrorPods(observed, record)
      const isRunning = statusOf(record, pods).state === 'running'
      const causes = isRunning ? [] : mirrorCauses(record, observed, always, waitsForRestart)
      return [
        showRef(workload),
        {
          isRunning,
          detail: `developed by ${developerOf(record)} since ${since}`,
          causes: causes.map((cause) => ({ ...cause, subject: dev })),
          remarks: memoryRemarks(record, pods),
        },
      ]
    }),
  )
