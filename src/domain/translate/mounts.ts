/**
 * What services mount: the volumes of their pod, and where each container mounts them. A claim is always mounted with a
 * subPath, which never changes: existing data keeps its place, and the file system's `lost+found` is not visible.
 */
import type { ComposeService } from '../compose/model.ts'
import type { Mount, StoredFile, Volume } from '../compose/volume-model.ts'
import type { PodVolume, VolumeMount } from '../k8s/types.ts'
import { dnsLabel } from '../text/dns-name.ts'
import { anonymousClaims, placesOf } from './claims.ts'
import { containersOf, type TranslationContext } from './context.ts'
import { type Draft, from, type Unwrapped } from './draft.ts'
import { uniqueLabel } from './names.ts'
import { dataKey, placesOfFile } from './stored-files.ts'

/** A mount whose claim is filled from the image while it is empty; `pod` is the volume's name in the pod. */
export type VolumeInit = { readonly pod: string; readonly subPath: string; readonly mount: Mount }

/** What one container mounts. */
export type Mounted = {
  readonly service: ComposeService
  readonly mounts: ReadonlyArray<Draft<VolumeMount>>
  readonly inits: ReadonlyArray<VolumeInit>
}
export type PodMounts = {
  readonly volumes: ReadonlyArray<Draft<PodVolume>>
  readonly containers: ReadonlyArray<Mounted>
}

/**
 * What one mount requires. Needs with the same `key` share one volume of the pod; `volume` is the rest of its
 * definition.
 */
type Need = {
  readonly key: string
  readonly label: string
  /** `undefined`: the volume comes from a claim template with this name. */
  readonly volume: Unwrapped<Omit<PodVolume, 'name'>> | undefined
  readonly subPath?: string | undefined
}

const claimNeed = (volume: Volume | undefined, name: string, subPath: string | undefined): Need => {
  const claim = volume?.object ?? dnsLabel(name)
  return {
    key: `claim ${claim}`,
    label: dnsLabel(claim),
    volume: {
      persistentVolumeClaim: { claimName: volume?.isExternal === true ? from(placesOf(volume), claim) : claim },
    },
    subPath: subPath === undefined ? claim : `${claim}/${subPath}`,
  }
}

const fileNeed = (of: 'config' | 'secret', file: StoredFile | undefined, name: string, mode?: number): Need => {
  const object = file?.object ?? dnsLabel(name)
  const key = dataKey(name)
  const isExternal = file !== undefined && file.content === undefined
  // A mode can only be set on a named item, and only of a named item a missing key is an error, not an empty folder.
  const items = isExternal || mode !== undefined ? [{ key, path: key, mode }] : undefined
  const named = isExternal ? from(placesOfFile(file), object) : object
  const volume = of === 'config' ? { configMap: { name: named, items } } : { secret: { secretName: named, items } }
  return { key: `${of} ${name} ${mode ?? ''}`, label: dnsLabel(`${of}-${object}`), volume, subPath: key }
}

/** Single files share a volume, unless they are executable. */
const hostNeed = (own: string, { config, items, subPath, target }: Extract<Mount, { _tag: 'HostFiles' }>): Need => {
  const isShared = subPath !== undefined && items.every(({ mode }) => mode === undefined)
  return {
    key: isShared ? `host ${config}` : `host ${config} ${own}${target}`,
    label: dnsLabel(isShared ? config : `${config}-${target.slice(1)}`),
    volume: { configMap: { name: config, items: isShared ? undefined : items } },
    subPath,
  }
}

/** `own` is '' for the service that owns the pod; other services use it to keep apart what they do not share. */
const needOf = (context: TranslationContext, claims: ReadonlyMap<string, Need>, own: string, mount: Mount): Need => {
  const { target } = mount
  switch (mount._tag) {
    case 'Named':
      return claimNeed(context.volumes.get(mount.volume), mount.volume, mount.subPath)
    case 'Anonymous':
      return claims.get(`${own}${target}`) ?? { key: `anonymous ${target}`, label: dnsLabel(target), volume: undefined }
    case 'Memory':
      return {
        key: `memory ${own}${target}`,
        label: dnsLabel(`tmp${own === '' ? '' : `-${own}`}-${target.slice(1)}`),
        volume: { emptyDir: { medium: 'Memory', sizeLimit: mount.size } },
      }
    case 'Image':
      return {
        key: `image ${mount.image}`,
        label: dnsLabel(`image-${target.slice(1)}`),
        volume: { image: { reference: mount.image } },
        subPath: mount.subPath,
      }
    case 'Config':
      return fileNeed('config', context.configs.get(mount.config), mount.config, mount.mode)
    case 'HostFiles':
      return hostNeed(own, mount)
    case 'Secret':
      return fileNeed('secret', context.secrets.get(mount.secret), mount.secret, mount.mode)
  }
}

const ownOf = (pod: ComposeService, service: Pick<ComposeService, 'name'>): string =>
  service.name === pod.name ? '' : service.name

/**
 * Keyed by service and mount path. They get their names first, since names of claim templates must not depend on other
 * mounts.
 */
const anonymousNeeds = (context: TranslationContext, pod: ComposeService): ReadonlyMap<string, Need> =>
  new Map(
    anonymousClaims(context, pod).map(({ service, target, name, claim }) => {
      const volume = claim === undefined ? undefined : { persistentVolumeClaim: { claimName: claim } }
      const where = `${ownOf(pod, { name: service })}${target}`
      return [where, { key: `anonymous ${where}`, label: name, volume, subPath: 'data' }] as const
    }),
  )

const wantsInit = (context: TranslationContext, mount: Mount): boolean =>
  mount._tag === 'Named' && mount.isEmpty !== true && context.volumes.get(mount.volume)?.init === true

/** For all containers of the pod: what several of them mount is one volume. */
export const mountedBy = (context: TranslationContext, pod: ComposeService): PodMounts => {
  const claims = anonymousNeeds(context, pod)
  const taken = new Set([...claims.values()].map(({ label }) => label))
  const names = new Map([...claims.values()].map(({ key, label }) => [key, label]))
  const volumes: Array<Draft<PodVolume>> = []
  const made = new Set<string>()
  const containers = containersOf(context, pod).map((service): Mounted => {
    const inits: Array<VolumeInit> = []
    const own = ownOf(pod, service)
    const mounts = service.mounts.map((mount): Draft<VolumeMount> => {
      const { key, label, volume, subPath } = needOf(context, claims, own, mount)
      const name = names.get(key) ?? uniqueLabel(taken, label, key)
      names.set(key, name)
      if (volume !== undefined && !made.has(key)) volumes.push(from(mount.at, { name, ...volume }))
      made.add(key)
      if (wantsInit(context, mount)) inits.push({ pod: name, subPath: subPath ?? '', mount })
      return from(mount.at, { name, mountPath: mount.target, subPath, readOnly: mount.readOnly ? true : undefined })
    })
    return { service, mounts, inits }
  })
  return { volumes, containers }
}
