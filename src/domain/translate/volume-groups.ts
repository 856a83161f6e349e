/**
 * Which services must run on the same node: those connected by shared claims, directly or through others. A claim is
 * ReadWriteOnce, hence on one node at a time. With one affinity term per claim, Kubernetes would not enforce them for a
 * pod with two claims, so each group gets one label.
 */

import type { Annotation } from '../compose/annotation.ts'
import type { ComposeService } from '../compose/model.ts'
import type { Mount, Volume } from '../compose/volume-model.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { dnsLabel } from '../text/dns-name.ts'
import type { Span } from '../text/source.ts'

export type VolumeGroup = { readonly label: string; readonly services: ReadonlyArray<ComposeService> }

type NamedMount = Extract<Mount, { readonly _tag: 'Named' }>

const isNamed = (mount: Mount): mount is Mount & NamedMount => mount._tag === 'Named'

const claimsOf = (volumes: ReadonlyMap<string, Volume>, { mounts }: ComposeService): ReadonlyArray<string> =>
  mounts.filter(isNamed).map(({ volume }) => volumes.get(volume)?.object ?? volume)

/** Union-find with path halving. */
const rootOf = (parents: Map<string, string>, claim: string): string => {
  let at = claim
  for (let up = parents.get(at); up !== undefined && up !== at; up = parents.get(at)) {
    const above = parents.get(up) ?? up
    parents.set(at, above)
    at = above
  }
  return at
}

/** The smaller name becomes the root, so a group has the same name whatever the order of the services. */
const join = (parents: Map<string, string>, a: string, b: string): void => {
  const [x, y] = [rootOf(parents, a), rootOf(parents, b)]
  if (x !== y) parents.set(x < y ? y : x, x < y ? x : y)
}

const isAlone = ([only, ...others]: ReadonlyArray<ComposeService>): boolean =>
  others.length === 0 && (only?.replicas?.value ?? 1) <= 1

/** Groups of a single service with one replica are left out. */
export const volumeGroups = (
  services: ReadonlyArray<ComposeService>,
  volumes: ReadonlyArray<Volume>,
): ReadonlyArray<VolumeGroup> => {
  const byName = new Map(volumes.map((volume) => [volume.name, volume]))
  const parents = new Map<string, string>()
  for (const service of services) {
    const [first, ...others] = claimsOf(byName, service)
    if (first !== undefined) for (const claim of others) join(parents, first, claim)
  }
  const groups = new Map<string, Array<ComposeService>>()
  for (const service of services) {
    const [first] = claimsOf(byName, service)
    if (first === undefined) continue
    const root = rootOf(parents, first)
    const group = groups.get(root)
    if (group === undefined) groups.set(root, [service])
    else group.push(service)
  }
  return [...groups]
    .filter(([, group]) => !isAlone(group))
    .map(([root, group]) => ({ label: dnsLabel(root), services: group }))
}

export const groupLabels = (groups: ReadonlyArray<VolumeGroup>): ReadonlyMap<string, string> =>
  new Map(groups.flatMap(({ label, services }) => services.map(({ name }) => [name, label] as const)))

/**
 * In a cluster with nodes of only one platform no selector is needed, so these keys keep pods apart only if they
 * contradict each other.
 */
const PLATFORM_KEYS: ReadonlyArray<string> = ['kubernetes.io/arch', 'kubernetes.io/os']

/** The first of `entries` that the other service does not have. */
const missing = (entries: ReadonlyArray<Annotation>, other: ReadonlyArray<Annotation>): Annotation | undefined => {
  const values = new Map(other.map(({ name, value }) => [name, value]))
  return entries.find(({ name, value }) => {
    const there = values.get(name)
    return there === undefined ? !PLATFORM_KEYS.includes(name) : there !== value
  })
}

const apart = (group: VolumeGroup, service: ComposeService, at: Span, first: ComposeService): Diagnostic =>
  error('DT1040', `service "${service.name}" must run on the same node as "${first.name}", but selects other nodes`, {
    at,
    path: service.path,
    help: `they share the volumes of group "${group.label}": give all of them the same x-node-selector`,
    related: [{ at: first.at, message: `"${first.name}" shares a volume with it` }],
  })

const groupFindings = (group: VolumeGroup): ReadonlyArray<Diagnostic> => {
  const [first, ...others] = group.services
  if (first === undefined) return []
  const wanted = first.placement.nodeSelector
  const strays = others.flatMap((service) => {
    const own = service.placement.nodeSelector
    const stray = missing(own, wanted)
    if (stray !== undefined) return [apart(group, service, stray.at, first)]
    return missing(wanted, own) === undefined ? [] : [apart(group, service, service.at, first)]
  })
  const spread = group.services.flatMap(({ placement: { onePerNode }, replicas, name, path }) => {
    if (onePerNode === undefined || (replicas?.value ?? 1) <= 1) return []
    const message = `service "${name}" wants each replica on a node of its own, but they share a volume`
    return [error('DT1040', message, { at: onePerNode.at, path })]
  })
  return [...strays, ...spread]
}

/** A DaemonSet runs on every node, so it cannot use a claim that is bound to one node or created for each pod. */
const globalFindings = (service: ComposeService): ReadonlyArray<Diagnostic> => {
  if (service.kind._tag !== 'DaemonSet') return []
  return service.mounts
    .filter(({ _tag }) => _tag === 'Anonymous' || _tag === 'Named')
    .map(({ at, path }) =>
      error('DT1040', 'a service with "mode: global" runs on every node, but its volume is only on one', { at, path }),
    )
}

/** DT1040 at each setting that keeps pods with a shared volume off the same node. */
export const placementFindings = (
  services: ReadonlyArray<ComposeService>,
  groups: ReadonlyArray<VolumeGroup>,
): ReadonlyArray<Diagnostic> => [...services.flatMap(globalFindings), ...groups.flatMap(groupFindings)]
