/** The way to something that listens in a pod, through the API server. */
import type { Duplex } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import { resources } from '../../domain/cluster/resources.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { Kubeconfig } from '../../ports/clusters.ts'
import { type KubeWorld, openUpstream } from './open.ts'
import { openForward, streamOf } from './port-forward.ts'

/** Without `context` and `namespace` the current ones are meant. */
type PodPort = {
  readonly pod: string
  readonly port: number
  readonly context?: string
  readonly namespace?: string
}

/** A connection, which breaks with what the server says of the port; or why there is none, in words. */
export const dialPod =
  (world: KubeWorld, readConfig: () => E.Either<Diagnostic, Kubeconfig>) =>
  async ({ pod, port, ...named }: PodPort, signal: AbortSignal): Promise<E.Either<string, Duplex>> => {
    const kubeconfig = readConfig()
    if (E.isLeft(kubeconfig)) return E.left(kubeconfig.left.message)
    const { contexts, current = '' } = kubeconfig.right
    const context = named.context ?? current
    const opened = await openUpstream(world, { context })
    if (E.isLeft(opened)) return E.left(opened.left.message)
    const { upstream } = opened.right
    const namespace = named.namespace ?? contexts.find(({ name }) => name === context)?.namespace ?? 'default'
    const forward = await openForward(upstream, { resource: resources.Pod, namespace, name: pod }, port, signal)
    if (E.isLeft(forward)) {
      upstream.close()
      return E.left(failureDiagnostic(forward.left).message)
    }
    const stream = streamOf(forward.right)
    stream.once('close', upstream.close)
    return E.right(stream)
  }
