/** Which objects workloads use or are reached through: a workload breaks when such an object is deleted. */
import { at, type Json, listAt, textAt, textsAt } from './json.ts'
import type { ClusterObject } from './live.ts'

type Path = ReadonlyArray<string>

/** Paths of pod specs: in a pod itself, in workloads, and in CronJobs. */
const podTemplates: ReadonlyArray<Path> = [[], ['spec', 'template'], ['spec', 'jobTemplate', 'spec', 'template']]

/** References to other objects, by the path of the name. */
const references = (json: Json | undefined, kinds: ReadonlyArray<readonly [string, Path]>): ReadonlyArray<string> =>
  kinds.flatMap(([kind, path]) => {
    const name = textAt(json, ...path)
    return name === undefined ? [] : [`${kind}/${name}`]
  })

const ofVolume: ReadonlyArray<readonly [string, Path]> = [
  ['ConfigMap', ['configMap', 'name']],
  ['Secret', ['secret', 'secretName']],
  ['PersistentVolumeClaim', ['persistentVolumeClaim', 'claimName']],
  ['Secret', ['csi', 'nodePublishSecretRef', 'name']],
]

const ofSource: ReadonlyArray<readonly [string, Path]> = [
  ['ConfigMap', ['configMap', 'name']],
  ['Secret', ['secret', 'name']],
]

const ofVariable: ReadonlyArray<readonly [string, Path]> = [
  ['ConfigMap', ['valueFrom', 'configMapKeyRef', 'name']],
  ['Secret', ['valueFrom', 'secretKeyRef', 'name']],
]

const ofVariables: ReadonlyArray<readonly [string, Path]> = [
  ['ConfigMap', ['configMapRef', 'name']],
  ['Secret', ['secretRef', 'name']],
]

const readByPod = (pod: Json | undefined): ReadonlyArray<string> => {
  const volumes = listAt(pod, 'volumes')
  const containers = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((name) => listAt(pod, name))
  return [
    ...volumes.flatMap((volume) => references(volume, ofVolume)),
    ...volumes.flatMap((volume) => listAt(volume, 'projected', 'sources')).flatMap((one) => references(one, ofSource)),
    ...containers.flatMap((container) => listAt(container, 'env')).flatMap((one) => references(one, ofVariable)),
    ...containers.flatMap((container) => listAt(container, 'envFrom')).flatMap((one) => references(one, ofVariables)),
    ...listAt(pod, 'imagePullSecrets').flatMap((one) => references(one, [['Secret', ['name']]])),
    ...references(pod, [['ServiceAccount', ['serviceAccountName']]]),
  ]
}

/** Names of claims that a StatefulSet made from its templates: `<template>-<set>-<number>`. */
export const isClaimOf = ({ kind, metadata: { name: set }, ...rest }: ClusterObject): ((claim: string) => boolean) => {
  if (kind !== 'StatefulSet') return () => false
  const prefixes = listAt(rest, 'spec', 'volumeClaimTemplates').flatMap((template) => {
    const name = textAt(template, 'metadata', 'name')
    return name === undefined ? [] : [`${name}-${set}-`]
  })
  return (claim) => prefixes.some((prefix) => claim.startsWith(prefix) && /^\d+$/.test(claim.slice(prefix.length)))
}

const idOf = ({ kind, metadata: { name } }: ClusterObject): string => `${kind}/${name}`

const isSelected = (labels: ReadonlyMap<string, string>, selector: ReadonlyMap<string, string>): boolean =>
  selector.size > 0 && [...selector].every(([name, value]) => labels.get(name) === value)

const isPod = (pod: Json | undefined): boolean => listAt(pod, 'spec', 'containers').length > 0

/** By `Kind/name`: which of the `workloads` needs the object. `all`: what there is in their namespace. */
export const neededBy = (
  workloads: ReadonlyArray<ClusterObject>,
  all: ReadonlyArray<ClusterObject>,
): ReadonlyMap<string, string> => {
  const needed = new Map<string, string>()
  for (const live of workloads) {
    const isOwnClaim = isClaimOf(live)
    const pods = podTemplates.map((path) => at(live, ...path)).filter(isPod)
    const services = pods.length === 0 ? [] : references(live, [['Service', ['spec', 'serviceName']]])
    const reached = all.filter((one) => {
      if (one.kind === 'PersistentVolumeClaim') return isOwnClaim(one.metadata.name)
      const selector = textsAt(one, 'spec', 'selector')
      return one.kind === 'Service' && pods.some((pod) => isSelected(textsAt(pod, 'metadata', 'labels'), selector))
    })
    const ids = [...services, ...pods.flatMap((pod) => readByPod(at(pod, 'spec'))), ...reached.map(idOf)]
    for (const id of ids) if (!needed.has(id)) needed.set(id, idOf(live))
  }
  return needed
}
