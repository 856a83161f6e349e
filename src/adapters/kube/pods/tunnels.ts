/**
 * Assigns connections to links. The first few connections to a pod have a link each, so that none blocks another;
 * further ones share, since a link costs the API server and the kubelet much more than a stream.
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ApiRequest, Failure } from '../../../domain/cluster/failure.ts'
import { pathOf } from '../../../domain/cluster/resources.ts'
import type { PodName } from '../../../ports/pods.ts'
import { channelProtocol, tunnelProtocol } from './forward.ts'
import { openChannels, type PodApi, podKey } from './open.ts'
import { type Tunnel, tunnelOver } from './tunnel.ts'

/** Links to one pod before any is shared. */
const fewLinks = 4
const mostStreams = 64

type Opening = {
  readonly ready: TE.TaskEither<Failure, Tunnel>
  readonly isFree: () => boolean
  readonly stop: () => void
  /** Connections that use the link or wait for it. */
  users: number
}

/** `isNew`: no other connection uses it. To be released once. */
export type TunnelLease = {
  readonly ready: TE.TaskEither<Failure, Tunnel>
  readonly isNew: boolean
  readonly release: () => void
}

const opening = (api: PodApi, pod: PodName, port: number, asked: ApiRequest): Opening => {
  const stopped = new AbortController()
  // Servers that use channels need to know the port in advance.
  const path = `${pathOf(podKey(pod))}/portforward?ports=${port}`
  const protocols = [tunnelProtocol, channelProtocol]
  let isFree: () => boolean = () => true
  const ready = pipe(
    openChannels(api, { asked, path, protocols }, stopped.signal),
    TE.bimap(
      (failure) => {
        isFree = () => false
        return failure
      },
      (link) => {
        const tunnel = tunnelOver(link)
        isFree = tunnel.isFree
        return tunnel
      },
    ),
  )
  const started = ready()
  return { ready: () => started, isFree: () => isFree(), stop: () => stopped.abort(), users: 0 }
}

export const tunnelsOf = (api: PodApi) => {
  const pods = new Map<string, Set<Opening>>()

  return (pod: PodName, port: number, asked: ApiRequest): TunnelLease => {
    const key = `${pod.namespace}/${pod.name}`
    const all = pods.get(key) ?? new Set()
    const shared =
      all.size < fewLinks
        ? undefined
        : [...all].filter((one) => one.users < mostStreams && one.isFree()).toSorted((a, b) => a.users - b.users)[0]
    const one = shared ?? opening(api, pod, port, asked)
    one.users += 1
    pods.set(key, all.add(one))
    const release = (): void => {
      one.users -= 1
      if (one.users > 0) return
      one.stop()
      all.delete(one)
      if (all.size === 0 && pods.get(key) === all) pods.delete(key)
    }
    return { ready: one.ready, isNew: shared === undefined, release }
  }
}
