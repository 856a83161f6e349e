/** The volumes of a development container: its own claim, claims of others, and files from this machine. */
import type { JsonObject } from '../cluster/json.ts'
import { DEV_ANNOTATION } from '../k8s/labels.ts'
import type { DevContainer } from '../manifest/dev-model.ts'
import { defined } from '../object/defined.ts'
import { upLabels } from './names.ts'
import { textsOf } from './overrides.ts'
import type { DevRecipe, MirrorRecipe, ServiceRecipe } from './recipe.ts'
import type { SecretFile } from './request.ts'

/** A volume of the pod, and where the developed container mounts it. */
export type Mounting = { readonly volumes: ReadonlyArray<JsonObject>; readonly mounts: ReadonlyArray<JsonObject> }

const ownVolume = 'devtool-claim'
const filesVolume = 'devtool-files'
const defaultSize = '5Gi'

type KeptParts = Pick<DevRecipe, 'folders' | 'mode' | 'persistentVolume' | 'volumes'>

/** Whether the container keeps files when its pod is replaced. */
export const hasClaim = ({ folders, mode, persistentVolume, volumes }: KeptParts): boolean =>
  mode === 'sync' && persistentVolume.enabled && folders.length + volumes.length > 0

/** The claim outlives the development container: only `down --volumes` deletes it. */
export const claimBody = ({ name, persistentVolume }: DevContainer, mirror: string): JsonObject => {
  const { accessMode, annotations, labels, size, storageClass, volumeMode } = persistentVolume
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: mirror,
      labels: { ...textsOf(labels), ...upLabels(mirror) },
      annotations: { ...textsOf(annotations), [DEV_ANNOTATION]: name },
    },
    spec: {
      accessModes: [accessMode],
      volumeMode,
      resources: { requests: { storage: size?.value ?? defaultSize } },
      ...defined({ storageClassName: storageClass?.value }),
    },
  }
}

const below = (kind: 'src' | 'data', remote: string): string =>
  [kind, ...remote.split('/').filter((step) => !['', '.', '..'].includes(step))].join('/')

const ownMount = (kind: 'src' | 'data', remote: string): JsonObject => ({
  name: ownVolume,
  mountPath: remote,
  subPath: below(kind, remote),
})

const own = (mirror: string): JsonObject => ({ name: ownVolume, persistentVolumeClaim: { claimName: mirror } })

/** The folders that the development container keeps on its claim: synchronised files, and those of `volumes`. */
export const claimMounts = (dev: KeptParts, mirror: string): Mounting =>
  hasClaim(dev)
    ? {
        volumes: [own(mirror)],
        mounts: [
          ...dev.folders.map(({ remote }) => ownMount('src', remote)),
          ...dev.volumes.map(({ value }) => ownMount('data', value)),
        ],
      }
    : { volumes: [], mounts: [] }

/** The part of `local` below `folder`: `''` for the folder itself, `undefined` when it is not in it. */
const within = (folder: string, local: string): string | undefined => {
  if (folder === local) return ''
  const inside = folder === '.' ? local : local.startsWith(`${folder}/`) ? local.slice(folder.length + 1) : undefined
  return inside === undefined || /^(?:\.\.|\/|[A-Za-z]:)/.test(inside) ? undefined : `/${inside}`
}

/** A service sees the same files, as far as they are in folders of the development container. */
export const sharedMounts = (dev: KeptParts, service: ServiceRecipe, main: string): Mounting => {
  if (!hasClaim(dev)) return { volumes: [], mounts: [] }
  const mounts = service.folders.flatMap(({ local, remote }): ReadonlyArray<JsonObject> => {
    const found = dev.folders
      .map((folder) => ({ folder, inside: within(folder.local, local) }))
      .find(({ inside }) => inside !== undefined)
    if (found === undefined) return []
    const subPath = `${below('src', found.folder.remote)}${found.inside ?? ''}`
    return [{ name: ownVolume, mountPath: remote, subPath }]
  })
  return { volumes: mounts.length === 0 ? [] : [own(main)], mounts }
}

export const externalMounts = ({ externalVolumes, mode }: DevRecipe): Mounting => {
  if (mode === 'hybrid') return { volumes: [], mounts: [] }
  const claims = [...new Set(externalVolumes.map(({ claim }) => claim))]
  const nameOf = (claim: string): string => `devtool-external-${claims.indexOf(claim)}`
  return {
    volumes: claims.map((claim) => ({ name: nameOf(claim), persistentVolumeClaim: { claimName: claim } })),
    mounts: externalVolumes.map(({ claim, subPath, target }) => ({
      name: nameOf(claim),
      mountPath: target,
      ...defined({ subPath }),
    })),
  }
}

const fileKey = (index: number): string => `file-${index}`

/** Keyed like the Secret. */
export const secretData = (files: ReadonlyArray<SecretFile>): Readonly<Record<string, string>> =>
  Object.fromEntries(files.map(({ base64 }, index) => [fileKey(index), base64]))

export const secretMounts = (files: MirrorRecipe['secrets'], secretName: string): Mounting => {
  if (files.length === 0) return { volumes: [], mounts: [] }
  const items = files.map(({ mode }, index) => ({ key: fileKey(index), path: fileKey(index), mode }))
  return {
    volumes: [{ name: filesVolume, secret: { secretName, items } }],
    mounts: files.map(({ remote }, index) => ({
      name: filesVolume,
      mountPath: remote,
      subPath: fileKey(index),
      readOnly: true,
    })),
  }
}

export const together = (all: ReadonlyArray<Mounting>): Mounting => ({
  volumes: all.flatMap(({ volumes }) => volumes),
  mounts: all.flatMap(({ mounts }) => mounts),
})
