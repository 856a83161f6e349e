/** Mounts of this machine, which clusters do not have, are handled separately. */
import type { ComposeService } from '../model.ts'
import type { HostMount, Mount } from '../volume-model.ts'

/** A mount as written; those of the host are not mounted in a cluster. */
export type RawMount = Mount | (HostMount & { readonly _tag: 'Host' })

export const isSocket = ({ source }: HostMount): boolean => source.endsWith('docker.sock')

/** Where programs keep data; configuration and scripts are read only there by mistake. */
export const isData = ({ readOnly, target }: HostMount): boolean =>
  !readOnly &&
  /^(?:\/var\/(?:lib|opt|mail|spool|www|backups?)\/|\/(?:data|db|backups?|storage|uploads?)(?:\/|$))|\/data\/?$/.test(
    target,
  )

export type ServiceMounts = Pick<ComposeService, 'mounts' | 'hostMounts'>

const isInside = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)

/** Host mounts are left out; an anonymous volume beneath one only kept the image's files from it. */
export const withoutHost = (all: ReadonlyArray<RawMount>): ServiceMounts => {
  const hosts = all.flatMap((m) => (m._tag === 'Host' ? [m] : []))
  const mounts = all.flatMap((m) => (m._tag === 'Host' ? [] : [m]))
  if (hosts.length === 0) return { mounts, hostMounts: [] }
  const hiddenBy = ({ target }: HostMount): ReadonlyArray<Mount> =>
    mounts.filter((m) => m._tag === 'Anonymous' && target !== m.target && isInside(target, m.target))
  const hostMounts = hosts.map((host): HostMount => {
    const hides = hiddenBy(host)
    return hides.length === 0 ? host : { ...host, hides }
  })
  const hidden = new Set(hostMounts.flatMap(({ hides = [] }) => hides))
  return { mounts: mounts.filter((mount) => !hidden.has(mount)), hostMounts }
}
