/** Files of an image that a volume hides, because it is mounted over them. */
import { type Json, listAt, textAt } from '../cluster/json.ts'

export type MountedVolume = { readonly path: string; readonly volume: string }

export const mountsOf = (container: Json | undefined): ReadonlyArray<MountedVolume> =>
  listAt(container, 'volumeMounts').flatMap((mount) => {
    const [path, volume] = [textAt(mount, 'mountPath'), textAt(mount, 'name')]
    return path === undefined || volume === undefined ? [] : [{ path, volume }]
  })

type Hidden = MountedVolume & { readonly say: (path: string) => { readonly message: string; readonly help: string } }

/** The volume that is mounted over this path of the image. */
export const hiddenBy = (mounts: ReadonlyArray<MountedVolume>, path: string): Hidden | undefined => {
  const mount = mounts.find((each) => path === each.path || path.startsWith(`${each.path.replace(/\/$/, '')}/`))
  if (mount === undefined) return undefined
  return {
    ...mount,
    say: (file) => ({
      message: `${file} is not in the volume ${mount.volume}, which is mounted at ${mount.path} and hides what the image has there`,
      help: 'mount the volume at a folder that holds only data, or copy what the image has into it while it is empty (`x-devtool-volume-init: true`)',
    }),
  }
}
