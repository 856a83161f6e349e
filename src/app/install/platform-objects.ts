/** All objects in which a platform keeps its users and their namespaces. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import type { ClusterObject } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { PLATFORM_LABEL } from '../../domain/k8s/labels.ts'
import { TENANT_SELECTOR } from '../../domain/platform/access.ts'
import { USERS_NAMESPACE } from '../../domain/platform/names.ts'
import { VARIABLES_SECRET } from '../../domain/platform/variables.ts'
import type { Cluster, Selection } from '../../ports/cluster.ts'

const labels = `${PLATFORM_LABEL} in (template,access)`

const within: ReadonlyArray<Selection> = [
  { resource: resources.ServiceAccount, labels: `${PLATFORM_LABEL} in (user,template)` },
  { resource: resources.Secret, namespace: USERS_NAMESPACE, labels: `${PLATFORM_LABEL} in (token,admin)` },
  { resource: resources.Secret, fields: `metadata.name=${VARIABLES_SECRET}` },
  ...(['ResourceQuota', 'LimitRange', 'NetworkPolicy', 'RoleBinding'] as const).map((kind) => ({
    resource: resources[kind],
    labels,
  })),
]

/** `tenants`: only the tenants' namespaces; otherwise all, since their names are in use. */
export const platformObjects = (
  cluster: Cluster,
  namespaces: 'tenants' | 'all',
  signal: AbortSignal,
): TE.TaskEither<Diagnostic, ReadonlyArray<ClusterObject>> => {
  const named = { resource: resources.Namespace, ...(namespaces === 'tenants' ? { labels: TENANT_SELECTOR } : {}) }
  return pipe(
    TE.traverseSeqArray((selection: Selection) => cluster.list(selection, { signal }))([named, ...within]),
    TE.mapBoth(failureDiagnostic, (lists) => lists.flatMap(({ items }) => items)),
  )
}
