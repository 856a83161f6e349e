/** A broken service recorded on a real cluster, for tests without a cluster: its objects, logs and open ports. */
import * as E from 'fp-ts/lib/Either.js'
import { isObject, type Json, type JsonObject, textAt } from '../../../src/domain/cluster/json.ts'
import type { ClusterObject } from '../../../src/domain/cluster/live.ts'
import { type KnownKind, resources } from '../../../src/domain/cluster/resources.ts'
import { containersOf } from '../../../src/domain/rollout/pod.ts'
import type { Cluster } from '../../../src/ports/cluster.ts'
import type { SaidLines } from '../../memory/logs.ts'

export type Recording = {
  readonly objects: ReadonlyArray<JsonObject>
  readonly said: ReadonlyArray<SaidLines>
  readonly open: Readonly<Record<string, ReadonlyArray<number>>>
}

const kinds: ReadonlyArray<KnownKind> = [
  'ConfigMap',
  'Deployment',
  'Job',
  'ReplicaSet',
  'Pod',
  'Event',
  'Service',
  'Ingress',
]

/** Fields that are never read: who wrote a field, and where images came from. */
const dull: ReadonlySet<string> = new Set(['managedFields', 'resourceVersion', 'imageID', 'containerID', 'selfLink'])

const slim = (json: Json): Json => {
  if (Array.isArray(json)) return json.map(slim)
  if (!isObject(json)) return json
  return Object.fromEntries(
    Object.entries(json).flatMap(([name, value]) =>
      dull.has(name) || value === undefined ? [] : [[name, slim(value)]],
    ),
  )
}

const isAbout =
  (names: ReadonlyArray<string>) =>
  (live: ClusterObject): boolean => {
    const subject = live.kind === 'Event' ? textAt(live, 'involvedObject', 'name') : live.metadata.name
    const service = textAt(live, 'metadata', 'labels', 'dev.devtool/service')
    return names.some(
      (name) =>
        service === name ||
        subject === name ||
        new RegExp(`^${name}-[a-z0-9]{5,10}(-[a-z0-9]{5})?$`).test(subject ?? ''),
    )
  }

const triedPorts = [8000, 8080, 8090]

const linesOf = async (cluster: Cluster, pod: ClusterObject, container: string, isPrevious: boolean) => {
  const key = { resource: resources.Pod, namespace: pod.metadata.namespace ?? '', name: pod.metadata.name }
  const lines: Array<string> = []
  const wanted = { container, follow: false, isPrevious, tail: 5 }
  for await (const line of cluster.logs(key, wanted, new AbortController().signal)) {
    if (line._tag === 'Line') lines.push(line.text)
  }
  return { pod: `${key.namespace}/${key.name}`, container, lines, isPrevious }
}

const openPortsOf = async (cluster: Cluster, pod: ClusterObject): Promise<ReadonlyArray<number>> => {
  const key = { resource: resources.Pod, namespace: pod.metadata.namespace ?? '', name: pod.metadata.name }
  const signal = new AbortController().signal
  const states = await Promise.all(triedPorts.map((port) => cluster.probePort(key, port, signal)()))
  return triedPorts.filter((_, index) => {
    const state = states[index]
    return state !== undefined && E.isRight(state) && state.right === 'Open'
  })
}

export const record = async (cluster: Cluster, namespace: string, names: ReadonlyArray<string>): Promise<Recording> => {
  const lists = await Promise.all(kinds.map((kind) => cluster.list({ resource: resources[kind], namespace })()))
  const lives = lists.flatMap((list) => (E.isRight(list) ? list.right.items.filter(isAbout(names)) : []))
  const pods = lives.filter(({ kind }) => kind === 'Pod')
  const said = await Promise.all(
    pods.flatMap((pod) =>
      containersOf(pod).flatMap(({ name }) =>
        [true, false].map((isPrevious) => linesOf(cluster, pod, name, isPrevious)),
      ),
    ),
  )
  const open = await Promise.all(pods.map(async (pod) => [pod.metadata.name, await openPortsOf(cluster, pod)] as const))
  return {
    objects: lives.map(slim).flatMap((live) => (isObject(live) ? [live] : [])),
    said: said.filter(({ lines }) => lines.length > 0),
    open: Object.fromEntries(open),
  }
}
