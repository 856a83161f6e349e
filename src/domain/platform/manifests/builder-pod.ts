/** The build service, as users reach it. */

import { sha256 } from '../../text/sha256.ts'
import { BUILDER_NAMESPACE } from '../names.ts'
import { BUILDER_PORT } from './builder.ts'

/**
 * The pod that builds for a namespace: always the same while it is ready, so that it has the namespace's cache. When pods
 * come and go, only namespaces of these move.
 */
export const builderPodFor = (namespace: string, ready: ReadonlyArray<string>): string | undefined => {
  const rank = (pod: string): string => sha256(`${namespace}\0${pod}`)
  return ready.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))[0]
}

/** As BUILDKIT_HOST has it. */
export const builderAddress = (pod: string): string =>
  `kube-pod://${pod}?namespace=${BUILDER_NAMESPACE}&port=${BUILDER_PORT}`
