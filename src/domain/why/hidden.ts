/** Files of an image that a volume hides, because it is mounted over them. */
import { type Json, listAt, textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'

/** `volume`: in words. `isHeld`: a Secret or ConfigMap, whose files have the mode that the pod gives them. */
export type MountedVolume = { readonly path: string; readonly volume: string; readonly isHeld: boolean }

const volumeOf = (pod: ClusterObject, name: string): Omit<MountedVolume, 'path'> => {
  const volume = listAt(pod, 'spec', 'volumes').find((each) => textAt(each, 'name') === name)
  const [secret, configMap] = [textAt(volume, 'secret', 'secretName'), textAt(volume, 'configMap', 'name')]
  if (secret !== undefined) return { volume: `the Secret ${secret}`, isHeld: true }
  return configMap === undefined
    ? { volume: `the volume ${name}`, isHeld: false }
    : { volume: `the ConfigMap ${configMap}`, isHeld: true }
}

export const mountsOf = (pod: ClusterObject, container: Json | undefined): ReadonlyArray<MountedVolume> =>
  listAt(container, 'volumeMounts').flatMap((mount) => {
    const [path, name] = [textAt(mount, 'mountPath'), textAt(mount, 'name')]
    return path === undefined || name === undefined ? [] : [{ path, ...volumeOf(pod, name) }]
  })

/** The innermost volume that this path lies in. */
export const mountAt = (mounts: ReadonlyArray<MountedVolume>, path: string): MountedVolume | undefined =>
  mounts
    .toSorted((a, b) => b.path.length - a.path.length)
    .find((each) => path === each.path || path.startsWith(`${each.path.replace(/\/$/, '')}/`))

/** A volume that is mounted over a path of the image. */
export const sayHidden = ({ isHeld, path, volume }: MountedVolume, file: string) => ({
  message: `${file} is not in ${volume}, which is mounted at ${path} and hides what the image has there`,
  help: isHeld
    ? 'mount it at a folder of its own, or mount its files one by one'
    : 'mount the volume at a folder that holds only data, or copy what the image has into it while it is empty (`x-devtool-volume-init: true`)',
})
