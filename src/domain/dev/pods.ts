/** The pods of a workload that is to be stopped: whether they must be gone first, and which need the user's consent. */
import { at, listAt, numberAt } from '../cluster/json.ts'
import { allOf, type ClusterObject, controllerOf, type Observed } from '../cluster/live.ts'
import { argoPaused, showApplication } from './argo.ts'
import type { Consent, ConsentAsked } from './request.ts'
import { isRunningJob, nodesOf, stoppedBy } from './stop.ts'
import { podSpecOf, showLive } from './workload.ts'

/** The pods that still exist. */
export const podsOf = ({ metadata: { uid } }: ClusterObject, observed: Observed): ReadonlyArray<ClusterObject> => {
  const sets = allOf(observed, 'ReplicaSet').filter((set) => controllerOf(set) === uid)
  const owners = new Set([uid, ...sets.map(({ metadata }) => metadata.uid)])
  return allOf(observed, 'Pod').filter((pod) => owners.has(controllerOf(pod) ?? ''))
}

/** Whether its pods use something that no second pod can use at the same time: a claim, or a port of the node. */
export const isExclusive = (workload: ClusterObject): boolean => {
  const pod = podSpecOf(workload)
  const ports = listAt(pod, 'containers').flatMap((one) => listAt(one, 'ports'))
  return (
    listAt(workload, 'spec', 'volumeClaimTemplates').length > 0 ||
    listAt(pod, 'volumes').some((volume) => at(volume, 'persistentVolumeClaim') !== undefined) ||
    at(pod, 'hostNetwork') === true ||
    ports.some((port) => numberAt(port, 'hostPort') !== undefined)
  )
}

const ofPods = (original: ClusterObject): ReadonlyArray<ConsentAsked> => {
  const name = showLive(original)
  if (stoppedBy(original).length === 0) return []
  if (isRunningJob(original)) {
    return [{ consent: 'RunningJob', text: `${name} is running: suspend it, which ends its pods?` }]
  }
  const nodes = nodesOf(original)
  return original.kind === 'DaemonSet' && nodes > 0
    ? [{ consent: 'Nodes', text: `${name} runs on ${nodes} node${nodes === 1 ? '' : 's'}: stop it on all of them?` }]
    : []
}

/** An application has further workloads, which other people use. */
const ofApplication = (original: ClusterObject, observed: Observed): ReadonlyArray<ConsentAsked> =>
  argoPaused(original, observed).map(({ name, namespace = '' }) => {
    const application = showApplication({ namespace, name })
    const text = `${showLive(original)} belongs to the Argo CD application ${application}: pause the whole application until \`devtool down\`?`
    return { consent: 'Application', text }
  })

export const questionsFor = (
  original: ClusterObject,
  observed: Observed,
  consents: ReadonlySet<Consent>,
): ReadonlyArray<ConsentAsked> =>
  [...ofApplication(original, observed), ...ofPods(original)].filter(({ consent }) => !consents.has(consent))
