/** The container of a service. */
import type { Port, Resources, Written } from '../compose/model.ts'
import type { Container, ContainerPort } from '../k8s/types.ts'
import { type Draft, filled, from, fromKey, fromWritten, listed, mapped } from './draft.ts'
import { envOf, wordsOf } from './env.ts'
import type { Mounted } from './mounts.ts'
import { probesOf } from './probe.ts'
import { securityContextOf } from './security.ts'

/** On the host network the container port is already the node's port, and the API accepts no other host port. */
const portOf = ({ also = [], target, hostPort, protocol, at }: Port, isOnHost: boolean): Draft<ContainerPort> =>
  from([at, ...also], { containerPort: target, hostPort: isOnHost ? undefined : hostPort, protocol })

const amounts = ({ cpu, memory }: Resources['limits']): Map<string, Draft<string>> => {
  const named = new Map<string, Draft<string>>()
  if (cpu !== undefined) named.set('cpu', fromKey(cpu))
  if (memory !== undefined) named.set('memory', fromKey(memory))
  return named
}

export const resourcesOf = ({
  requests,
  limits,
  gpu,
}: Resources): Draft<Container['resources'] & object> | undefined => {
  const most = amounts(limits)
  if (gpu !== undefined) most.set(gpu.value.name, from([gpu.at, ...(gpu.also ?? [])], String(gpu.value.count)))
  return filled({ requests: mapped(amounts(requests)), limits: mapped(most) })
}

/** Kubernetes does not expand variables in commands of hooks. */
const handlerOf = (words: Written<ReadonlyArray<string>> | undefined) =>
  words === undefined ? undefined : fromWritten({ ...words, value: { exec: { command: words.value } } })

export const containerOf = ({ service, mounts }: Mounted): Draft<Container> => {
  const { readiness, liveness } = probesOf(service.healthcheck)
  const isOnHost = service.network.hostNetwork !== undefined
  return from(service.podOf?.at, {
    name: service.object,
    image: from(service.image.at, service.image.value),
    imagePullPolicy: fromWritten(service.pullPolicy),
    command: wordsOf(service.entrypoint),
    args: wordsOf(service.command),
    workingDir: fromWritten(service.workingDir),
    env: listed(envOf(service.environment)),
    ports: listed(service.ports.map((port) => portOf(port, isOnHost))),
    resources: resourcesOf(service.resources),
    readinessProbe: readiness,
    livenessProbe: liveness,
    lifecycle: filled({
      postStart: handlerOf(service.hooks.postStart),
      preStop: handlerOf(service.hooks.preStop),
    }),
    securityContext: securityContextOf(service.security),
    volumeMounts: listed(mounts),
    stdin: fromWritten(service.stdin),
    tty: fromWritten(service.tty),
  })
}
