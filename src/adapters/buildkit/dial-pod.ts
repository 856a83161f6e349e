/** Connects to a builder in a pod, through its cluster. */
import type { Duplex } from 'node:stream'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { PodAddress } from '../../domain/build/address.ts'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { Cluster } from '../../ports/cluster.ts'
import type { Clusters } from '../../ports/clusters.ts'
import type { PodDial } from './reach.ts'

/** Closes the cluster when the connection closes or cannot be made. */
const dialIn = (
  cluster: Cluster,
  namespace: string,
  { pod, port }: PodAddress,
  signal: AbortSignal,
): TE.TaskEither<string, Duplex> =>
  pipe(
    cluster.pods.dial({ namespace, name: pod }, port, signal),
    TE.bimap(
      (failure) => {
        cluster.close()
        return failureDiagnostic(failure).message
      },
      ({ bytes }) => bytes.once('close', cluster.close),
    ),
  )

const inKubeconfig = (
  clusters: Clusters,
  address: PodAddress,
): TE.TaskEither<Diagnostic, { readonly cluster: Cluster; readonly namespace: string }> =>
  pipe(
    clusters.kubeconfig(),
    TE.map(({ contexts, current = '' }) => {
      const context = address.context ?? current
      const known = contexts.find(({ name }) => name === context)
      return { context, namespace: address.namespace ?? known?.namespace ?? 'default' }
    }),
    TE.bind('cluster', ({ context }) => clusters.connect({ context })),
  )

/** A connection, which fails with what the server says about the port; or the reason why there is none. */
export const dialPodIn =
  (clusters: Clusters, given?: TE.TaskEither<Diagnostic, Cluster>): PodDial =>
  (address, signal) =>
    pipe(
      given === undefined
        ? inKubeconfig(clusters, address)
        : TE.map((cluster: Cluster) => ({ cluster, namespace: address.namespace ?? 'default' }))(given),
      TE.mapLeft(({ message }) => message),
      TE.flatMap(({ cluster, namespace }) => dialIn(cluster, namespace, address, signal)),
    )
