/** Which pod and port a connection to a service goes to. */
import { at, listAt, numberAt, textAt, textsAt } from '../cluster/json.ts'
import { type ClusterObject, labelOf } from '../cluster/live.ts'
import { ENVIRONMENT_LABEL, SERVICE_LABEL } from '../k8s/labels.ts'
import { isGoing, isPodReady } from '../rollout/pod.ts'

/** `ports`: number or name of the pod's port, by port of the Service. */
export type Route = {
  readonly selector: ReadonlyMap<string, string>
  readonly ports: ReadonlyMap<number, number | string>
}

/** `live`: the Service; without one, the pods of the service are found by their labels. */
export const routeOf = (environment: string, service: string, live: ClusterObject | undefined): Route => {
  const selector = textsAt(live, 'spec', 'selector')
  const ports = listAt(live, 'spec', 'ports').flatMap((port): ReadonlyArray<readonly [number, number | string]> => {
    const [from, to] = [numberAt(port, 'port'), at(port, 'targetPort')]
    const isTcp = (textAt(port, 'protocol') ?? 'TCP') === 'TCP'
    if (from === undefined || !isTcp) return []
    return [[from, typeof to === 'number' || typeof to === 'string' ? to : from]]
  })
  const own = new Map([
    [ENVIRONMENT_LABEL, environment],
    [SERVICE_LABEL, service],
  ])
  return { selector: selector.size === 0 ? own : selector, ports: new Map(ports) }
}

const isSelected = ({ selector }: Route, pod: ClusterObject): boolean =>
  [...selector].every(([key, value]) => labelOf(pod, key) === value)

const isRunning = (pod: ClusterObject): boolean => textAt(pod, 'status', 'phase') === 'Running' && !isGoing(pod)

const ageKey = ({ metadata: { creationTimestamp = '', name } }: ClusterObject): string => `${creationTimestamp} ${name}`

/** The oldest first, so that all connections go to the same one. */
const byAge = (a: ClusterObject, b: ClusterObject): number => (ageKey(a) < ageKey(b) ? -1 : 1)

/** `isStrict`: only a pod that is ready. `avoided`: uids of pods that could not be reached. */
export const podFor = (
  route: Route,
  pods: ReadonlyArray<ClusterObject>,
  { avoided, isStrict }: { readonly avoided: ReadonlySet<string>; readonly isStrict: boolean },
): ClusterObject | undefined => {
  const running = pods
    .filter((pod) => isSelected(route, pod) && isRunning(pod) && !avoided.has(pod.metadata.uid))
    .toSorted(byAge)
  return running.find(isPodReady) ?? (isStrict ? undefined : running[0])
}

const namedPort = (pod: ClusterObject, name: string): number | undefined => {
  const ports = listAt(pod, 'spec', 'containers').flatMap((container) => listAt(container, 'ports'))
  return numberAt(
    ports.find((port) => textAt(port, 'name') === name),
    'containerPort',
  )
}

/** The port of the pod behind a port of the Service; any other port is one of the pod itself. */
export const portOf = ({ ports }: Route, pod: ClusterObject, port: number): number => {
  const target = ports.get(port) ?? port
  return typeof target === 'number' ? target : (namedPort(pod, target) ?? port)
}

/** Services of the environment that can be named. */
export const forwardable = (
  environment: string,
  recorded: ReadonlyArray<string>,
  services: ReadonlyArray<ClusterObject>,
  pods: ReadonlyArray<ClusterObject>,
): ReadonlyArray<string> => {
  const labelled = [...services, ...pods].filter((live) => labelOf(live, ENVIRONMENT_LABEL) === environment)
  const names = labelled.flatMap((live) => {
    const service = labelOf(live, SERVICE_LABEL)
    return [...(service === undefined ? [] : [service]), ...(live.kind === 'Service' ? [live.metadata.name] : [])]
  })
  return [...new Set([...recorded, ...names])].toSorted()
}
