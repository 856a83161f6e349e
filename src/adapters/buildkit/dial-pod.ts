/** The way to a builder that listens in a pod, through the cluster that the pod is in. */
import * as E from 'fp-ts/lib/Either.js'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import type { Clusters } from '../../ports/clusters.ts'
import type { PodDial } from './reach.ts'

/** A connection, which breaks with what the server says of the port; or why there is none, in words. */
export const dialPodIn =
  (clusters: Clusters): PodDial =>
  async ({ pod, port, ...named }, signal) => {
    const kubeconfig = await clusters.kubeconfig()()
    if (E.isLeft(kubeconfig)) return E.left(kubeconfig.left.message)
    const { contexts, current = '' } = kubeconfig.right
    const context = named.context ?? current
    const connected = await clusters.connect({ context })()
    if (E.isLeft(connected)) return E.left(connected.left.message)
    const cluster = connected.right
    const namespace = named.namespace ?? contexts.find(({ name }) => name === context)?.namespace ?? 'default'
    const dialled = await cluster.pods.dial({ namespace, name: pod }, port, signal)()
    if (E.isLeft(dialled)) {
      cluster.close()
      return E.left(failureDiagnostic(dialled.left).message)
    }
    const { bytes } = dialled.right
    bytes.once('close', cluster.close)
    return E.right(bytes)
  }
