/** Mounts of this machine, which clusters do not have, are handled separately. */
import { defined } from '../../object/defined.ts'
import { grouped } from '../../object/grouped.ts'
import type { ComposeService } from '../model.ts'
import type { HostMount, Mount } from '../volume-model.ts'

/** A mount as written; those of the host are not mounted in a cluster. */
export type RawMount = Mount | (HostMount & { readonly _tag: 'Host' })

export const isSocket = ({ source }: HostMount): boolean => source.endsWith('docker.sock')

/** Whether the mount probably holds data, judged by its path; a read-only mount does not. */
export const isData = ({ readOnly, target }: HostMount): boolean =>
  !readOnly &&
  /^(?:\/var\/(?:lib|opt|mail|spool|www|backups?)(?:\/|$)|\/(?:data|db|backups?|storage|uploads?|config)(?:\/|$))|\/(?:data|storage|uploads?)\/?$/.test(
    target,
  )

export type ServiceMounts = Pick<ComposeService, 'mounts' | 'hostMounts'>

type Beneath = { readonly key: string; readonly host: HostMount } | { readonly key: string; readonly volume: Mount }

const keyOf = ({ target }: { readonly target: string }): string => (target === '/' ? '/' : `${target}/`)

/**
 * The anonymous volumes beneath each host mount, or beneath the innermost of several. When sorted, what is in a folder
 * follows it.
 */
const hiddenBy = (
  hosts: ReadonlyArray<HostMount>,
  mounts: ReadonlyArray<Mount>,
): ReadonlyMap<HostMount, ReadonlyArray<Mount>> => {
  const volumes = mounts.filter(({ _tag }) => _tag === 'Anonymous')
  if (volumes.length === 0) return new Map()
  const all: ReadonlyArray<Beneath> = [
    ...volumes.map((volume) => ({ key: keyOf(volume), volume })),
    ...hosts.map((host) => ({ key: keyOf(host), host })),
  ]
  const hidden: Array<readonly [HostMount, Mount]> = []
  const above: Array<Extract<Beneath, { readonly host: HostMount }>> = []
  for (const each of all.toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))) {
    for (let last = above.at(-1); last !== undefined && !each.key.startsWith(last.key); last = above.at(-1)) above.pop()
    const folder = above.at(-1)
    if ('host' in each) above.push(each)
    else if (folder !== undefined) hidden.push([folder.host, each.volume])
  }
  return new Map(
    [...grouped(hidden, ([host]) => host)].map(([host, beneath]) => [host, beneath.map(([, volume]) => volume)]),
  )
}

/** Host mounts are left out; an anonymous volume beneath one only kept the image's files from it. */
export const withoutHost = (all: ReadonlyArray<RawMount>): ServiceMounts => {
  const hosts = all.flatMap((m) => (m._tag === 'Host' ? [m] : []))
  const mounts = all.flatMap((m) => (m._tag === 'Host' ? [] : [m]))
  if (hosts.length === 0) return { mounts, hostMounts: [] }
  const hiding = hiddenBy(hosts, mounts)
  const hostMounts = hosts.map((host): HostMount => ({ ...host, ...defined({ hides: hiding.get(host) }) }))
  const hidden = new Set([...hiding.values()].flat())
  return { mounts: mounts.filter((mount) => !hidden.has(mount)), hostMounts }
}
