/** Services that wait for others: follows the chain to the root cause. */

import { allOf, annotationOf, type ClusterObject, labelOf, type Observed } from '../cluster/live.ts'
import { workloadKinds } from '../cluster/resources.ts'
import { readConditions } from '../environment/edges.ts'
import { DEPENDS_ON_ANNOTATION, SERVICE_LABEL } from '../k8s/labels.ts'
import { readRollout } from '../rollout/rollout.ts'
import type { Cause } from './cause.ts'

/** The services that a workload waits for, by object name, with their conditions. */
export const dependenciesOf = (workload: ClusterObject): ReadonlyMap<string, string> => {
  const text = annotationOf(workload, DEPENDS_ON_ANNOTATION)
  return text === undefined ? new Map() : readConditions(text)
}

/** The workload of a service. */
export const workloadOf = (observed: Observed, service: string): ClusterObject | undefined =>
  workloadKinds.flatMap((kind) => allOf(observed, kind)).find((live) => labelOf(live, SERVICE_LABEL) === service)

/** Whether something that a workload waits for is not ready. `of`: what is known about a service. */
export const isBlocked = (workload: ClusterObject, of: (service: string) => Observed): boolean =>
  [...dependenciesOf(workload).keys()].some((service) => {
    const observed = of(service)
    const live = workloadOf(observed, service)
    const rollout =
      live === undefined ? undefined : readRollout(observed, { kind: live.kind, name: live.metadata.name })
    return rollout !== undefined && !rollout.isAvailable && !rollout.isComplete && rollout.desired > 0
  })

/** `chain` begins with the service that waits and ends with the one whose cause is `root`. */
export const blockedBy = (chain: ReadonlyArray<string>, root: Cause | undefined): Cause => {
  const [subject = '', ...others] = chain
  const last = others.at(-1)
  const waits = others.map((name) => `depends on ${name}`).join(', which ')
  return {
    code: 'DT3221',
    subject,
    message: root === undefined ? `${waits}, which does not come up` : `${waits}: ${root.message}`,
    help: last === undefined ? 'see why it is not ready' : `fix ${last} first`,
    next: ['devtool', 'why', ...(last === undefined ? [] : [last])],
    object: root?.object ?? '',
    isFinal: root?.isFinal ?? false,
  }
}
