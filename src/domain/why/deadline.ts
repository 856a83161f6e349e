/**
 * Rollouts that do not go on: those that somebody paused, and those where no pod became available for as long as
 * `progressDeadlineSeconds` allows.
 */
import { at, numberAt, textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { ifDefined } from '../object/defined.ts'
import { conditionOf } from '../rollout/pod.ts'
import type { Cause } from './cause.ts'
import { causeOf, describe, PATIENCE_MS, type Scene } from './scene.ts'

export const isPaused = (live: ClusterObject): boolean =>
  live.kind === 'Deployment' && at(live, 'spec', 'paused') === true

/** The command by which a paused rollout goes on. */
export const resumeOf = ({ metadata: { name, namespace } }: ClusterObject): ReadonlyArray<string> => [
  ...['kubectl', 'rollout', 'resume', `deployment/${name}`],
  ...(namespace === undefined ? [] : ['--namespace', namespace]),
]

export const pausedCauses = (scene: Scene): ReadonlyArray<Cause> => {
  const { workload } = scene
  if (!isPaused(workload)) return []
  const message = 'its rollout is paused, so the new version does not start'
  const help = 'find out who paused it, then let it go on'
  return [causeOf(scene, workload, { code: 'DT3225', message, help, next: resumeOf(workload), isFinal: false })]
}

const reason = 'ProgressDeadlineExceeded'

/** The condition may describe the state before this deploy, so it counts only once it has lasted. */
export const deadlineCauses = (scene: Scene): ReadonlyArray<Cause> => {
  const { rollout, seenForMs, service, workload } = scene
  const progress = conditionOf(workload, 'Progressing')
  if (textAt(progress, 'reason') !== reason) return []
  const seconds = numberAt(workload, 'spec', 'progressDeadlineSeconds')
  const within = seconds === undefined ? '' : ` within ${seconds} s`
  const slow = service === undefined ? '; if it only starts slowly, raise progressDeadlineSeconds' : ''
  const [pod = workload] = rollout.pods
  return [
    causeOf(scene, workload, {
      code: 'DT3225',
      message: `its rollout made no progress${within}: ${rollout.detail}`,
      help: `Kubernetes keeps trying: see what ${pod === workload ? 'it' : 'the pod'} waits for${slow}`,
      next: describe(scene, pod),
      isFinal: seenForMs(workload.metadata.uid, reason) >= PATIENCE_MS,
      ...ifDefined(textAt(progress, 'message'), (message) => ({ event: `${reason}: ${message}` })),
    }),
  ]
}
