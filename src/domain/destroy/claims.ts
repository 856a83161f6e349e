/** Claims: which belong to a StatefulSet, and which are in use by pods that are not deleted. */
import { type Json, listAt, textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import type { FoundObjects } from './found.ts'

const isStatefulSet = ({ resource: { group, plural } }: FoundObjects): boolean =>
  group === 'apps' && plural === 'statefulsets'

/**
 * Claims that StatefulSets created from their templates, named `<template>-<set>-<number>`: they do not carry our
 * labels.
 */
export const templateClaims = (
  owners: ReadonlyArray<FoundObjects>,
  all: ReadonlyArray<FoundObjects>,
): ReadonlyArray<FoundObjects> => {
  const prefixes = new Set(
    owners.filter(isStatefulSet).flatMap(({ live }) =>
      listAt(live, 'spec', 'volumeClaimTemplates').flatMap((template) => {
        const name = textAt(template, 'metadata', 'name')
        return name === undefined ? [] : [`${name}-${live.metadata.name}-`]
      }),
    ),
  )
  return all.filter(({ live: { metadata }, resource }) => {
    const [, prefix = ''] = /^(.*-)\d+$/.exec(metadata.name) ?? []
    return resource.plural === 'persistentvolumeclaims' && prefixes.has(prefix)
  })
}

const mountedBy = (pod: ClusterObject): ReadonlyArray<string> =>
  listAt(pod, 'spec', 'volumes').flatMap((volume: Json) => {
    const name = textAt(volume, 'persistentVolumeClaim', 'claimName')
    return name === undefined ? [] : [name]
  })

/** A pod that keeps a claim from being deleted. `isGoing`: the pod itself is being deleted. */
export type User = { readonly pod: string; readonly claim: string; readonly isGoing: boolean }

export const usersOf = (claims: ReadonlySet<string>, pods: ReadonlyArray<ClusterObject>): ReadonlyArray<User> =>
  pods.flatMap((pod) =>
    mountedBy(pod)
      .filter((claim) => claims.has(claim))
      .map((claim) => ({ pod: pod.metadata.name, claim, isGoing: pod.metadata.deletionTimestamp !== undefined })),
  )
