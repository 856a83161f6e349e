/**
 * Services that share a pod. Each keeps its own container and its name in the cluster. For what exists once per pod,
 * the owner of the pod decides and the others add to it.
 */

import type { Annotation } from '../compose/annotation.ts'
import type { ComposeService, Placement, Port, Security, WorkloadKind, Written } from '../compose/model.ts'
import { type SharedPod as Members, podsOf as membersOf } from '../compose/read/pods.ts'
import type { Mount } from '../compose/volume-model.ts'
import { UPDATE_ANNOTATION } from '../k8s/labels.ts'
import { defined } from '../object/defined.ts'

/** `whole`: the pod as if it were one service; `containers`: one service for each container, the owner first. */
export type PodGroup = { readonly whole: ComposeService; readonly containers: ReadonlyArray<ComposeService> }

/** Compose's time between SIGTERM and SIGKILL. */
export const DEFAULT_GRACE_SECONDS = 10

/** `undefined` when the longest is the default. */
const longest = (all: ReadonlyArray<ComposeService>): Written<number> | undefined => {
  const seconds = ({ graceSeconds }: ComposeService): number => graceSeconds?.value ?? DEFAULT_GRACE_SECONDS
  return all.toSorted((a, b) => seconds(b) - seconds(a))[0]?.graceSeconds
}

/** The first item of each key. */
const firsts = <A>(keyOf: (item: A) => string, items: ReadonlyArray<A>): ReadonlyArray<A> => {
  const seen = new Set<string>()
  return items.filter((item) => !seen.has(keyOf(item)) && seen.add(keyOf(item)))
}

const nameOf = ({ name }: Annotation): string => name

const placementOf = (all: ReadonlyArray<ComposeService>): Placement => {
  const parts = all.map(({ placement }) => placement)
  const onePerNode = parts.find((part) => part.onePerNode !== undefined)?.onePerNode
  const runtimeClass = parts[0]?.runtimeClass
  return {
    nodeSelector: firsts(
      nameOf,
      parts.flatMap(({ nodeSelector }) => nodeSelector),
    ),
    expressions: parts.flatMap(({ expressions }) => expressions),
    spread: firsts(
      ({ value }) => value,
      parts.flatMap(({ spread }) => spread),
    ),
    ...defined({ onePerNode, runtimeClass }),
  }
}

const keepsData = ({ _tag }: Mount): boolean => _tag === 'Named' || _tag === 'Anonymous'

const kindOf = ({ kind }: ComposeService, mounts: ReadonlyArray<Mount>): WorkloadKind => {
  const volume = mounts.find(keepsData)
  return kind._tag === 'Deployment' && volume !== undefined ? { _tag: 'StatefulSet', at: volume.at } : kind
}

/** Pod-level security. The user is that of the first service that needs its group to write to a volume. */
const securityOf = (all: ReadonlyArray<ComposeService>): Security => {
  const groups = all.flatMap(({ security }) => security.supplementalGroups ?? [])
  const [first] = groups
  const value = [...new Set(groups.flatMap((written) => written.value))]
  const writer = all.find(
    ({ mounts, security: { runAsUser } }) => runAsUser !== undefined && runAsUser.value !== 0 && mounts.some(keepsData),
  )?.security
  return {
    ...defined({
      runAsUser: writer?.runAsUser,
      runAsGroup: writer?.runAsGroup,
      supplementalGroups: first && { ...first, value },
    }),
    sysctls: firsts(
      nameOf,
      all.flatMap(({ security }) => security.sysctls),
    ),
  }
}

/** When two annotations have the same name the later one wins, so the owner's come last. */
const wholeOf = ({ owner, joined, dependsOn }: Members): ComposeService => {
  const all = [owner, ...joined]
  const decides = all.flatMap((service) => [...(service.decides ?? []), ...service.dependsOn.map(({ at }) => at)])
  if (joined.length === 0) return dependsOn === owner.dependsOn ? owner : { ...owner, dependsOn, decides }
  const { graceSeconds: _own, ...rest } = owner
  const graceSeconds = longest(all)
  const gpu = all.find(({ resources }) => resources.gpu !== undefined)?.resources.gpu
  const mounts = all.flatMap((service) => service.mounts)
  const added = joined.flatMap(({ workloadAnnotations }) => workloadAnnotations)
  return {
    ...rest,
    ...defined({ graceSeconds }),
    kind: kindOf(owner, mounts),
    ports: all.flatMap(({ ports }) => ports),
    dependsOn,
    decides,
    annotations: [...joined.flatMap(({ annotations }) => annotations), ...owner.annotations],
    workloadAnnotations: [...added.filter(({ name }) => name !== UPDATE_ANNOTATION), ...owner.workloadAnnotations],
    resources: { ...owner.resources, ...defined({ gpu }) },
    mounts,
    placement: placementOf(all),
    security: securityOf(all),
  }
}

export const portKey = ({ target, protocol }: Port): string => `${target}/${protocol}`

/** A port is listed on the first container that has it. */
const containersOf = ({ owner, joined }: Members): ReadonlyArray<ComposeService> => {
  if (joined.length === 0) return [owner]
  const taken = new Set(owner.ports.map(portKey))
  const others = joined.map((service): ComposeService => {
    const ports = service.ports.filter((port) => !taken.has(portKey(port)))
    for (const port of ports) taken.add(portKey(port))
    return { ...service, ports, network: owner.network }
  })
  return [owner, ...others]
}

/** In the order of their owners. */
export const podsOf = (services: ReadonlyArray<ComposeService>): ReadonlyArray<PodGroup> =>
  membersOf(services).map((pod) => ({ whole: wholeOf(pod), containers: containersOf(pod) }))
