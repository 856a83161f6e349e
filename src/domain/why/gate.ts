/** Pods whose containers are ready, and which wait for conditions that other controllers set. */
import { listAt, textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { ifDefined } from '../object/defined.ts'
import { conditionOf, hasCondition } from '../rollout/pod.ts'
import type { Cause } from './cause.ts'
import { causeOf, describe, type Scene } from './scene.ts'

export const gateCauses = (scene: Scene, pod: ClusterObject): ReadonlyArray<Cause> => {
  if (!hasCondition(pod, 'ContainersReady') || hasCondition(pod, 'Ready')) return []
  const closed = listAt(pod, 'spec', 'readinessGates')
    .flatMap((gate) => textAt(gate, 'conditionType') ?? [])
    .filter((type) => !hasCondition(pod, type))
  if (closed.length === 0) return []
  const message = closed.flatMap((type) => textAt(conditionOf(pod, type), 'message') ?? []).join('; ')
  return [
    causeOf(scene, pod, {
      code: 'DT3192',
      message: `its containers are ready, but the readiness gate ${closed.join(' and ')} is not met${message === '' ? '' : `: ${message}`}`,
      help: 'another controller (often that of a load balancer) sets this condition: check that it runs, and what it reports about the pod',
      next: describe(scene, pod),
      isFinal: false,
      ...ifDefined(textAt(conditionOf(pod, 'Ready'), 'message'), (text) => ({
        event: `ReadinessGatesNotReady: ${text}`,
      })),
    }),
  ]
}
