/** The existing installation in a cluster. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import { type ClusterObject, labelOf } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { ENVIRONMENT_LABEL } from '../../domain/k8s/labels.ts'
import { BUILDER_SERVICE } from '../../domain/platform/manifests/builder.ts'
import { CLUSTER_AUTHORITY, PLATFORM_ENVIRONMENT } from '../../domain/platform/manifests/installation.ts'
import type { InstalledObjects } from '../../domain/platform/manifests/read-installation.ts'
import { BUILDER_NAMESPACE, SYSTEM_NAMESPACE } from '../../domain/platform/names.ts'
import type { Cluster } from '../../ports/cluster.ts'

export const notInstalled = error('DT6306', 'there is no platform in this cluster', {
  help: 'install one with `devtool platform install`, or select another cluster with --context',
})

/** DT6306 when there is none. */
export const findInstalled = (cluster: Cluster, signal: AbortSignal): TE.TaskEither<Diagnostic, InstalledObjects> => {
  const get = (
    kind: 'Deployment' | 'Ingress' | 'ConfigMap' | 'StatefulSet',
    name: string,
    namespace: string = SYSTEM_NAMESPACE,
  ): TE.TaskEither<Diagnostic, ClusterObject | undefined> =>
    TE.mapLeft(failureDiagnostic)(cluster.get({ resource: resources[kind], namespace, name }, signal))
  return pipe(
    get('Deployment', 'api'),
    TE.flatMap((live) =>
      live === undefined || labelOf(live, ENVIRONMENT_LABEL) !== PLATFORM_ENVIRONMENT
        ? TE.left(notInstalled)
        : TE.right(live),
    ),
    TE.bindTo('deployment'),
    TE.bind('ingress', () => get('Ingress', 'api')),
    TE.bind('authority', () => get('ConfigMap', CLUSTER_AUTHORITY)),
    TE.bind('builder', () => get('StatefulSet', BUILDER_SERVICE, BUILDER_NAMESPACE)),
  )
}
