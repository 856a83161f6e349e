/** Mounts of this machine, which no cluster has: they are told apart from the others, with a warning. */
import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { type Diagnostic, warning } from '../../diagnostic/diagnostic.ts'
import type { ComposeService, HostMount, Mount } from '../model.ts'

/** A mount as written; those of the host are not mounted in a cluster. */
export type RawMount = Mount | (HostMount & { readonly _tag: 'Host' })

export type ServiceMounts = Pick<ComposeService, 'mounts' | 'hostMounts'>

const isInside = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)

/** `a, b and c` */
const listed = (names: ReadonlyArray<string>): string =>
  [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ')

const isSocket = ({ source }: HostMount): boolean => source.endsWith('docker.sock')

const socketFinding = ({ at, path }: HostMount): Diagnostic =>
  warning('DT1101', 'the Docker socket is not mounted, since the cluster has none', { at, path })

const hostFinding = (hosts: ReadonlyArray<HostMount>, hidden: ReadonlyArray<Mount>): ReadonlyArray<Diagnostic> => {
  const [first, ...others] = hosts
  if (first === undefined) return []
  const names = listed([...new Set(hosts.map(({ source }) => source))])
  const message =
    others.length === 0 ? `the host volume ${names} is not mounted` : `the host volumes ${names} are not mounted`
  const related = [
    ...others.map(({ at }) => ({ at, message: 'this one neither' })),
    ...hidden.map(({ at, target }) => ({ at, message: `${target} only kept the image's files from it` })),
  ]
  const help = 'put the files into the image, or use configs: or a named volume'
  const more = related.length === 0 ? {} : { related }
  return [warning('DT1101', message, { at: first.at, path: first.path, help, ...more })]
}

/** Host mounts are left out, with one warning; an anonymous volume beneath one only kept the image's files from it. */
export const withoutHost = (all: ReadonlyArray<RawMount>): Checked<ServiceMounts> => {
  const hostMounts = all.flatMap((m) => (m._tag === 'Host' ? [m] : []))
  const mounts = all.flatMap((m) => (m._tag === 'Host' ? [] : [m]))
  const isHidden = (mount: Mount): boolean =>
    mount._tag === 'Anonymous' &&
    hostMounts.some(({ target }) => target !== mount.target && isInside(target, mount.target))
  return C.note({ mounts: mounts.filter((mount) => !isHidden(mount)), hostMounts }, [
    ...hostFinding(
      hostMounts.filter((host) => !isSocket(host)),
      mounts.filter(isHidden),
    ),
    ...hostMounts.filter(isSocket).map(socketFinding),
  ])
}
