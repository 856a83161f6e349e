/** Claims: which belong to a StatefulSet, and which are in use by pods that are not deleted. */
import { type ClusterObject, claimsOf } from '../cluster/live.ts'
import { isClaimOf } from '../cluster/needs.ts'
import type { FoundObjects } from './found.ts'

/** Claims that StatefulSets created from their templates: they do not carry our labels. */
export const templateClaims = (
  owners: ReadonlyArray<FoundObjects>,
  all: ReadonlyArray<FoundObjects>,
): ReadonlyArray<FoundObjects> => {
  const made = owners.map(({ live }) => isClaimOf(live))
  return all.filter(({ live, resource }) => {
    const isClaim = resource.plural === 'persistentvolumeclaims'
    return isClaim && made.some((isOwn) => isOwn(live.metadata.name))
  })
}

/** A pod that keeps a claim from being deleted. `isGoing`: the pod itself is being deleted. */
export type User = { readonly pod: string; readonly claim: string; readonly isGoing: boolean }

export const usersOf = (claims: ReadonlySet<string>, pods: ReadonlyArray<ClusterObject>): ReadonlyArray<User> =>
  pods.flatMap((pod) =>
    claimsOf(pod)
      .filter((claim) => claims.has(claim))
      .map((claim) => ({ pod: pod.metadata.name, claim, isGoing: pod.metadata.deletionTimestamp !== undefined })),
  )
