/**
 * Every reason why a workload does not become ready, root causes first: what keeps its pods from being created, then
 * from being scheduled, then from running.
 */
import { type ClusterObject, liveOf, type Observed } from '../cluster/live.ts'
import { containersOf } from '../rollout/pod.ts'
import { readRollout, type WorkloadRef } from '../rollout/rollout.ts'
import { admissionCauses } from './admission.ts'
import type { Cause } from './cause.ts'
import { claimCauses } from './claim.ts'
import { configCauses } from './config.ts'
import { crashCauses } from './crash.ts'
import { deadlineCauses, pausedCauses } from './deadline.ts'
import { gateCauses } from './gate.ts'
import { hookCauses } from './hook.ts'
import { imageCauses } from './image.ts'
import { jobCauses } from './job.ts'
import { lostCauses, otherCauses } from './lost.ts'
import { mountCauses } from './mount.ts'
import { probeCauses } from './probe.ts'
import { type IsLooping, type Scene, type SeenForMs, sceneOf, waitsForRestart } from './scene.ts'
import { schedulingCauses } from './scheduling.ts'
import { startCauses } from './start.ts'

/** Only the first class that explains the pod's state: the others follow from it. */
const causesOfPod = (scene: Scene, pod: ClusterObject): ReadonlyArray<Cause> => {
  const lost = lostCauses(scene, pod)
  if (lost.length > 0) return lost
  const waiting = [...claimCauses(scene, pod), ...schedulingCauses(scene, pod)]
  if (waiting.length > 0) return waiting
  const containers = containersOf(pod)
  const made = containers.flatMap((container) => {
    for (const find of [imageCauses, configCauses, startCauses]) {
      const found = find(scene, pod, container)
      if (found.length > 0) return found
    }
    return []
  })
  if (made.length > 0) return made
  const ran = containers.flatMap((container) => {
    const hooked = hookCauses(scene, pod, container)
    if (hooked.length > 0) return hooked
    const crashed = crashCauses(scene, pod, container)
    const isMemory = crashed.some(({ code }) => code === 'DT3208')
    const unanswered = isMemory ? [] : probeCauses(scene, pod, container)
    return unanswered.length > 0 ? unanswered : crashed
  })
  if (ran.length > 0) return ran
  const gated = gateCauses(scene, pod)
  if (gated.length > 0) return gated
  const mounts = mountCauses(scene, pod, containers)
  return mounts.length > 0 ? mounts : otherCauses(scene, pod, containers)
}

/** Root causes before their consequences. */
const rank: ReadonlyArray<string> = [
  'DT3211',
  'DT3222',
  'DT3214',
  'DT3215',
  'DT3212',
  'DT3213',
  'DT3210',
  'DT3205',
  'DT3201',
  'DT3202',
  'DT3203',
  'DT3206',
  'DT3204',
  'DT3216',
  'DT3217',
  'DT3218',
  'DT3208',
  'DT3191',
  'DT3193',
  'DT3209',
  'DT3190',
  'DT3192',
  'DT3207',
  'DT3223',
  'DT3220',
  'DT3219',
  'DT3221',
  'DT3224',
  'DT3225',
]

const place = ({ code, isFinal }: Cause): number => (isFinal ? 0 : rank.length) + rank.indexOf(code)

/** Final causes first, then root causes before consequences; stable. Law: sorting twice changes nothing. */
export const ranked = (causes: ReadonlyArray<Cause>): ReadonlyArray<Cause> =>
  causes.toSorted((a, b) => place(a) - place(b))

/** Pods with the same problem are reported once. */
const merged = (causes: ReadonlyArray<Cause>): ReadonlyArray<Cause> => {
  const byKey = new Map<string, Cause>()
  for (const cause of causes) {
    const key = `${cause.code} ${cause.message}`
    const first = byKey.get(key)
    byKey.set(key, first === undefined ? cause : { ...first, alike: (first.alike ?? 0) + 1 })
  }
  return [...byKey.values()]
}

/**
 * When a Job gave up after crashes, its own cause already covers them. Containers that could not be started say more
 * than that it gave up, and have no log.
 */
const withoutRepetition = (causes: ReadonlyArray<Cause>): ReadonlyArray<Cause> => {
  const codes = causes.map(({ code }) => code)
  if (!codes.includes('DT3219')) return causes
  const said = codes.includes('DT3217') || codes.includes('DT3203') ? ['DT3219'] : ['DT3207', 'DT3218']
  return causes.filter(({ code }) => !said.includes(code))
}

/** Empty when the workload is ready, when nothing is known to be wrong, or when it does not exist. */
export const findCauses = (
  observed: Observed,
  ref: WorkloadRef,
  seenForMs: SeenForMs,
  isLooping: IsLooping = waitsForRestart,
): ReadonlyArray<Cause> => {
  const [workload, rollout] = [liveOf(observed, ref.kind, ref.name), readRollout(observed, ref)]
  if (workload === undefined || rollout === undefined || rollout.isAvailable) return []
  const scene = sceneOf({ observed, workload, rollout, seenForMs, isLooping })
  const found = [
    ...pausedCauses(scene),
    ...admissionCauses(scene),
    ...jobCauses(scene),
    ...rollout.pods.flatMap((pod) => causesOfPod(scene, pod)),
  ]
  const overdue = deadlineCauses(scene)
  const isOver = rollout.isFailed || overdue.some(({ isFinal }) => isFinal)
  const causes = (found.length > 0 ? found : overdue).map((cause) => (isOver ? { ...cause, isFinal: true } : cause))
  return ranked(withoutRepetition(merged(causes)))
}
