/** `platform status`: the settings of an installation, and whether it works. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import type { ClusterObject } from '../../domain/cluster/live.ts'
import { type KnownKind, resources } from '../../domain/cluster/resources.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { PLATFORM_LABEL } from '../../domain/k8s/labels.ts'
import { TENANT_SELECTOR } from '../../domain/platform/access.ts'
import { type PlatformStatus, platformStatus } from '../../domain/platform/manifests/status.ts'
import { BUILDER_NAMESPACE, SYSTEM_NAMESPACE, USERS_NAMESPACE } from '../../domain/platform/names.ts'
import type { Selection } from '../../ports/cluster.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Target } from '../context/target.ts'
import { readNamespaceNow } from '../environment/namespace-now.ts'
import { answer, type Result } from '../result.ts'
import { findInstalled } from './found.ts'

/** DT6306 when there is none; DT6307 when a part of it does not work. */
export const statusOfPlatform = (
  { clock }: Pick<Ports, 'clock'>,
  target: Target,
  signal: AbortSignal,
): Promise<Result<PlatformStatus>> => {
  const { cluster } = target
  const list = (
    kind: KnownKind,
    selection: Omit<Selection, 'resource'>,
  ): TE.TaskEither<Diagnostic, ReadonlyArray<ClusterObject>> =>
    TE.mapBoth(
      failureDiagnostic,
      ({ items }: { readonly items: ReadonlyArray<ClusterObject> }) => items,
    )(cluster.list({ resource: resources[kind], ...selection }, { signal }))
  const seen = (namespace: string) =>
    TE.mapLeft(failureDiagnostic)(readNamespaceNow(cluster, namespace, clock.date(), signal))
  const work = pipe(
    findInstalled(cluster, signal),
    TE.bind('bindings', () => list('ValidatingAdmissionPolicyBinding', { labels: `${PLATFORM_LABEL}=system` })),
    TE.bind('users', () => list('ServiceAccount', { namespace: USERS_NAMESPACE })),
    TE.bind('namespaces', () => list('Namespace', { labels: TENANT_SELECTOR })),
    TE.bind('system', () => seen(SYSTEM_NAMESPACE)),
    TE.bind('building', ({ builder }) => (builder === undefined ? TE.right(undefined) : seen(BUILDER_NAMESPACE))),
    TE.map(platformStatus),
  )
  return answer(work)
}
