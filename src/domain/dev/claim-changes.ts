/** Differences between the existing claim of a development container and its section. */
import { textAt } from '../cluster/json.ts'
import { type ClusterObject, liveOf, type Observed } from '../cluster/live.ts'
import { type Diagnostic, error, warning } from '../diagnostic/diagnostic.ts'
import type { DevContainer } from '../manifest/dev-model.ts'
import { defined } from '../object/defined.ts'
import { bytesOf, claimDifferences } from '../plan/claims.ts'
import { hasClaim } from './mirror-claims.ts'

/** DT3105: the claim holds data, so it is not replaced. */
export const claimRefusals = (observed: Observed, dev: DevContainer, mirror: string): ReadonlyArray<Diagnostic> => {
  const live = hasClaim(dev) ? liveOf(observed, 'PersistentVolumeClaim', mirror) : undefined
  if (live === undefined) return []
  const { accessMode, size, storageClass } = dev.persistentVolume
  const spec = {
    accessModes: [accessMode],
    resources: { requests: new Map(size === undefined ? [] : [['storage', size.value]]) },
    ...defined({ storageClassName: storageClass?.value }),
  }
  return claimDifferences(live, { metadata: { name: mirror }, spec }).map(({ found: { help, message }, key }) => {
    const { at, path } = { size, storageClass, accessMode: undefined }[key] ?? dev
    return error('DT3105', message, { at, path, ...defined({ help }) })
  })
}

const sizeOf = (live: ClusterObject): string | undefined => textAt(live, 'spec', 'resources', 'requests', 'storage')

/** The size that the section asks for, if that is larger. */
export const largerSize = (live: ClusterObject, { persistentVolume: { size } }: DevContainer): string | undefined => {
  const now = sizeOf(live)
  return now !== undefined && size !== undefined && bytesOf(size.value) > bytesOf(now) ? size.value : undefined
}

/** DT3105: the volume could not be expanded, which most storage classes do not support. */
export const notGrown = (
  live: ClusterObject,
  { persistentVolume: { size } }: DevContainer,
  because: string,
): Diagnostic =>
  warning(
    'DT3105',
    `the volume "${live.metadata.name}" stays at ${sizeOf(live)}, the file says ${size?.value}: ${because}`,
    {
      ...defined({ at: size?.at, path: size?.path }),
      help: '`devtool down --volumes` deletes it with its data, and the next `devtool up` makes a larger one',
    },
  )
