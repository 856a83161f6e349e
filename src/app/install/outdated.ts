/**
 * What another version of the platform has installed and this one does not have: above all permissions, which must not
 * stay granted.
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { foundationFor } from '../../domain/platform/manifests/foundation.ts'
import type { PlatformInstallation } from '../../domain/platform/manifests/installation.ts'
import { namespaceRoles } from '../../domain/platform/manifests/rights.ts'
import { BUILDER_NAMESPACE } from '../../domain/platform/names.ts'
import { type OwnObject, othersThan, ownObjects, type Reads, removeOwn, type Writes } from './objects.ts'

/** What is granted ends first. */
const granting = ['ClusterRoleBinding', 'RoleBinding', 'ClusterRole', 'Role', 'ServiceAccount'] as const
const kinds = [...granting, 'NetworkPolicy', 'PodDisruptionBudget'] as const

/** Without those of a builder that is not wanted: its namespace is deleted. */
export const outdated = (
  reading: Reads,
  installation: Pick<PlatformInstallation, 'builder' | 'proxies'>,
): TE.TaskEither<Diagnostic, ReadonlyArray<OwnObject>> =>
  pipe(
    ownObjects(reading, kinds),
    TE.map((own) =>
      othersThan(own, foundationFor(installation)).filter(
        ({ live }) => installation.builder !== undefined || live.metadata.namespace !== BUILDER_NAMESPACE,
      ),
    ),
  )

/** Of any version. The roles of a namespace stay: bindings of its users refer to them. */
export const removeRights = (writes: Writes): TE.TaskEither<Diagnostic, void> =>
  pipe(
    ownObjects(writes, granting),
    TE.flatMap((own) => removeOwn(writes, othersThan(own, namespaceRoles))),
  )
