/** What else is mounted in the container below a folder that is synchronised: its files are not those of the folder. */
import { type JsonObject, listAt, textAt } from '../cluster/json.ts'
import { cleanPath } from '../ignore/ignore.ts'
import { isContainerNamed } from './agent-pod.ts'

/** Where a container of the template has volumes. */
export const mountsIn = (template: JsonObject | undefined, container: string): ReadonlyArray<string> => {
  const found = listAt(template, 'spec', 'containers').find(isContainerNamed(container))
  return listAt(found, 'volumeMounts').flatMap((mount) => textAt(mount, 'mountPath') ?? [])
}

/** Relative to the folder. */
export const mountedBelow = (folder: string, mounts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const start = `${cleanPath(folder)}/`.replace('//', '/')
  return mounts
    .map(cleanPath)
    .filter((mount) => mount.startsWith(start) && mount !== start)
    .map((mount) => mount.slice(start.length))
}
