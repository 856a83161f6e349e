/** The address of the build service, as users reach it. */

import { sha256 } from '../../text/sha256.ts'
import { BUILDER_NAMESPACE } from '../names.ts'
import { BUILDER_PORT, BUILDER_SERVICE } from './builder.ts'

/** Of the StatefulSet: it comes back under this name. */
export const FIRST_BUILDER_POD = `${BUILDER_SERVICE}-0`

/**
 * The pod that builds for a namespace: the same as long as it is ready, since it holds the namespace's cache. When a
 * pod is added or removed, only the namespaces of that pod move (rendezvous hashing).
 */
export const builderPodFor = (namespace: string, ready: ReadonlyArray<string>): string | undefined => {
  const rank = (pod: string): string => sha256(`${namespace}\0${pod}`)
  return ready.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))[0]
}

/** In the notation of BUILDKIT_HOST. */
export const builderAddress = (pod: string): string =>
  `kube-pod://${pod}?namespace=${BUILDER_NAMESPACE}&port=${BUILDER_PORT}`
