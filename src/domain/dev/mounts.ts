/** Other volumes that the container mounts below a synchronised folder: their files are not part of the folder. */
import { at, type JsonObject, listAt, textAt } from '../cluster/json.ts'
import { cleanPath } from '../ignore/ignore.ts'
import { isContainerNamed } from './agent-pod.ts'

/** Where a container of the template has volumes. */
export const mountsIn = (template: JsonObject | undefined, container: string): ReadonlyArray<string> => {
  const found = listAt(template, 'spec', 'containers').find(isContainerNamed(container))
  return listAt(found, 'volumeMounts').flatMap((mount) => textAt(mount, 'mountPath') ?? [])
}

/**
 * Without ConfigMaps at synchronised paths: they cannot be written to, and their files are on the developer's machine.
 */
export const withoutConfigs = (
  pod: JsonObject,
  container: JsonObject,
  folders: ReadonlyArray<{ readonly remote: string }>,
): JsonObject => {
  const synchronised = new Set(folders.map(({ remote }) => cleanPath(remote)))
  const configs = new Set(
    listAt(pod, 'volumes').flatMap((volume) =>
      at(volume, 'configMap') === undefined ? [] : (textAt(volume, 'name') ?? []),
    ),
  )
  const mounts = listAt(container, 'volumeMounts')
  const left = mounts.filter(
    (mount) =>
      !configs.has(textAt(mount, 'name') ?? '') || !synchronised.has(cleanPath(textAt(mount, 'mountPath') ?? '')),
  )
  return left.length === mounts.length ? container : { ...container, volumeMounts: left }
}

/** Relative to the folder. */
export const mountedBelow = (folder: string, mounts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const start = `${cleanPath(folder)}/`.replace('//', '/')
  return mounts
    .map(cleanPath)
    .filter((mount) => mount.startsWith(start) && mount !== start)
    .map((mount) => mount.slice(start.length))
}
