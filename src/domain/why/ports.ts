/** Ports that others rely on: those of awaited services, and those that an Ingress routes to. */
import { at, type Json, listAt, numberAt, textAt, textsAt } from '../cluster/json.ts'
import { allOf, type ClusterObject, labelOf, type Observed } from '../cluster/live.ts'
import type { Edges } from '../environment/edges.ts'
import { SERVICE_LABEL } from '../k8s/labels.ts'
import { containersOf, isPodReady } from '../rollout/pod.ts'
import { readRollout } from '../rollout/rollout.ts'
import type { Cause } from './cause.ts'
import { closedPort } from './probe.ts'
import { causeOf, logContextOf, readLogs, type Scene, sceneOf, waitsForRestart } from './scene.ts'

/** `cause` applies if none of `ports` of the pod accepts connections. `name`: that of the workload. */
export type Relied = { readonly name: string; readonly ports: ReadonlyArray<number>; readonly cause: Cause }

const isTcp = (port: Json): boolean => (textAt(port, 'protocol') ?? 'TCP') === 'TCP'

const isProbed = (container: Json): boolean =>
  at(container, 'readinessProbe') !== undefined || at(container, 'livenessProbe') !== undefined

const silent = (scene: Scene, ports: ReadonlyArray<number>, message: string): ReadonlyArray<Relied> => {
  const pod = scene.rollout.pods.find(isPodReady)
  const container = pod === undefined ? undefined : containersOf(pod).find(({ role }) => role === 'App')
  const [first] = ports
  if (pod === undefined || container === undefined || first === undefined) return []
  const logs = { pod: pod.metadata.name, container: container.name, isPrevious: false }
  const cause = causeOf(scene, pod, {
    code: 'DT3193',
    message,
    help: 'correct the port in the file, and check that the program listens on 0.0.0.0 and not only on 127.0.0.1',
    next: readLogs(scene, logs),
    isFinal: false,
    logs,
    logContext: logContextOf(scene, pod, container),
    closed: closedPort(pod, container, first),
  })
  return [{ name: scene.workload.metadata.name, ports, cause }]
}

const andList = (ports: ReadonlyArray<number>): string => ports.join(' and ')

/** A service without a check counts as healthy once one of its ports accepts connections. */
const awaited = (scene: Scene, waiting: ReadonlyArray<string>): ReadonlyArray<Relied> => {
  const containers = listAt(scene.workload, 'spec', 'template', 'spec', 'containers')
  if (waiting.length === 0 || containers.some(isProbed)) return []
  const ports = containers.flatMap((container) =>
    listAt(container, 'ports').flatMap((port) => (isTcp(port) ? (numberAt(port, 'containerPort') ?? []) : [])),
  )
  const which = ports.length === 1 ? `its port ${ports[0]}` : `its ports ${andList(ports)}`
  return silent(
    scene,
    ports,
    `nothing listens on ${which}, on which ${waiting.join(', ')} ${waiting.length === 1 ? 'waits' : 'wait'} (service_healthy)`,
  )
}

type Route = { readonly host: string; readonly service: string; readonly port: number | string }

const routesOf = (ingress: ClusterObject): ReadonlyArray<Route> =>
  listAt(ingress, 'spec', 'rules').flatMap((rule) =>
    listAt(rule, 'http', 'paths').flatMap((path) => {
      const backend = at(path, 'backend', 'service')
      const [service, port] = [
        textAt(backend, 'name'),
        numberAt(backend, 'port', 'number') ?? textAt(backend, 'port', 'name'),
      ]
      return service === undefined || port === undefined ? [] : [{ host: textAt(rule, 'host') ?? '*', service, port }]
    }),
  )

/** The port of the pod that a port of a Service leads to. */
const targetOf = (service: ClusterObject, pod: ClusterObject, port: number | string): number | undefined => {
  const entry = listAt(service, 'spec', 'ports').find(
    (each) => numberAt(each, 'port') === port || textAt(each, 'name') === port,
  )
  if (entry === undefined) return undefined
  const named = textAt(entry, 'targetPort')
  if (named === undefined) return numberAt(entry, 'targetPort') ?? numberAt(entry, 'port')
  const declared = listAt(pod, 'spec', 'containers').flatMap((container) => listAt(container, 'ports'))
  return numberAt(
    declared.find((each) => textAt(each, 'name') === named),
    'containerPort',
  )
}

const isSelected = (service: ClusterObject, pod: ClusterObject): boolean => {
  const wanted = [...textsAt(service, 'spec', 'selector')]
  return wanted.length > 0 && wanted.every(([name, value]) => labelOf(pod, name) === value)
}

const routed = (scene: Scene): ReadonlyArray<Relied> => {
  const { observed, rollout } = scene
  const pod = rollout.pods.find(isPodReady)
  if (pod === undefined) return []
  const services = new Map(allOf(observed, 'Service').map((service) => [service.metadata.name, service]))
  return allOf(observed, 'Ingress').flatMap((ingress) =>
    routesOf(ingress).flatMap(({ host, port, service: name }) => {
      const service = services.get(name)
      const target = service === undefined || !isSelected(service, pod) ? undefined : targetOf(service, pod, port)
      return target === undefined
        ? []
        : silent(
            scene,
            [target],
            `nothing listens on port ${target}, to which Ingress/${ingress.metadata.name} leads ${host}`,
          )
    }),
  )
}

const waitingFor = (edges: Edges, name: string): ReadonlyArray<string> =>
  [...edges].flatMap(([waiting, conditions]) => (conditions.get(name) === 'service_healthy' ? [waiting] : []))

/** The ports to probe, for workloads whose pods are ready. Each port of a pod is probed for one reason only. */
export const reliedPorts = (
  observed: Observed,
  workloads: ReadonlyArray<ClusterObject>,
  edges: Edges,
): ReadonlyArray<Relied> => {
  const found = workloads.flatMap((workload) => {
    const rollout = readRollout(observed, { kind: workload.kind, name: workload.metadata.name })
    if (rollout === undefined || rollout.isComplete || rollout.ready === 0) return []
    const scene = sceneOf({
      observed,
      workload,
      rollout,
      seenForMs: () => Number.POSITIVE_INFINITY,
      isLooping: waitsForRestart,
    })
    const name = labelOf(workload, SERVICE_LABEL) ?? workload.metadata.name
    return [...awaited(scene, waitingFor(edges, name)), ...routed(scene)]
  })
  const byPlace = new Map<string, Relied>()
  for (const each of found) {
    const key = `${each.cause.object} ${each.ports[0]}`
    if (!byPlace.has(key)) byPlace.set(key, each)
  }
  return [...byPlace.values()]
}
