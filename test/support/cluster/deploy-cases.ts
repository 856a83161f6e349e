/** Things that happen while the environment `shop` is deployed, each at a certain moment. */
import { gzipSync } from 'fflate'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { isObject, type JsonObject } from '../../../src/domain/cluster/json.ts'
import type { ClusterObject } from '../../../src/domain/cluster/live.ts'
import { encodeBase64 } from '../../../src/domain/text/base64.ts'
import { sha256 } from '../../../src/domain/text/sha256.ts'
import type { Ports } from '../../../src/ports/ports.ts'
import type { MemoryCluster } from '../../memory/cluster.ts'
import { memoryClusters } from '../../memory/clusters.ts'

type DeployWorld = Ports & { readonly cluster: MemoryCluster }

const namespace = 'demo'
const remembered = 'devtool-env-shop'

const once = (world: DeployWorld, isIt: (object: ClusterObject) => boolean, act: () => void): void => {
  const stop = world.cluster.onChange(({ object }) => {
    if (!isIt(object)) return
    stop()
    act()
  })
}

const leaseOf = (holder: string, renewals = 0): JsonObject => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: remembered, namespace },
  spec: { holderIdentity: holder, leaseTransitions: renewals },
})

const elsewhere = 'ann@laptop (process 4242)'

/** Somebody else holds the lock and renews it whenever we wait. */
export const lockedByAnother = (world: DeployWorld): Ports => {
  const { clock, cluster } = world
  let renewals = 0
  cluster.put(leaseOf(elsewhere))
  const sleep: typeof clock.sleep = (ms, signal) => {
    renewals += 1
    cluster.put(leaseOf(elsewhere, renewals))
    return clock.sleep(ms, signal)
  }
  return { ...world, clock: { ...clock, sleep } }
}

/** Somebody takes the lock while we wait for `db`. */
export const lockTaken = (world: DeployWorld): Ports => {
  once(
    world,
    ({ metadata }) => metadata.name === 'db',
    () => world.cluster.put(leaseOf(elsewhere)),
  )
  return world
}

/** Ctrl-C while we wait for `db`. */
export const interruptedWaiting = (world: DeployWorld, interrupt: () => void): Ports => {
  once(
    world,
    ({ metadata }) => metadata.name === 'db',
    () => void world.clock.sleep(3000).then(interrupt),
  )
  return world
}

/** Somebody creates a Service of the same name just before we do. */
export const madeMeanwhile = (world: DeployWorld): Ports => {
  once(
    world,
    ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === remembered,
    () => world.cluster.put({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace } }),
  )
  return world
}

type Entries = ReadonlyArray<Readonly<Record<string, string>>>

const recorded = (world: DeployWorld, inventory: Entries): Ports => {
  const contents = { schema: 1, source: {}, inventory, foreign: [], endpoints: [], phases: [] }
  world.cluster.put({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: remembered, namespace },
    data: { name: 'shop', status: 'deployed' },
    binaryData: { record: encodeBase64(gzipSync(new TextEncoder().encode(JSON.stringify(contents)), { mtime: 0 })) },
  })
  return world
}

/** A record of so many objects that it exceeds the size limit. */
export const fullRecord = (world: DeployWorld): Ports => {
  const resource = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret' }
  return recorded(
    world,
    Array.from({ length: 30_000 }, (_, i) => ({ ...resource, name: sha256(`${i}`), uid: `${i}` })),
  )
}

/** Commands created an object that does not become ready; a minute passes in a second. */
export const neverIssued = (world: DeployWorld): Ports => {
  const { clock } = world
  const resource = { group: 'cert-manager.io', version: 'v1', plural: 'certificates', kind: 'Certificate' }
  world.cluster.put({
    apiVersion: 'cert-manager.io/v1',
    kind: 'Certificate',
    metadata: { name: 'tls', namespace, uid: 'c' },
    status: { conditions: [{ type: 'Ready', status: 'False', reason: 'Issuing', message: 'the order is pending' }] },
  })
  const faster = {
    ...clock,
    now: () => clock.now() * 60,
    sleep: (ms: number, signal?: AbortSignal) => clock.sleep(ms / 60, signal),
    after: (ms: number, end: () => void) => clock.after(ms / 60, end),
  }
  return { ...recorded(world, [{ ...resource, name: 'tls', uid: 'c' }]), clock: faster }
}

/** The server returns a warning for each object. */
export const talkative = (world: DeployWorld, text: string): Ports => {
  const { cluster } = world
  const apply: typeof cluster.apply = (key, body, options) =>
    pipe(
      cluster.apply(key, body, options),
      TE.map((written) => ({ ...written, warnings: [text] })),
    )
  const clusters = memoryClusters(new Map([['test', { ...cluster, apply }]]), new Map([['test', namespace]]))
  return { ...world, clusters }
}

/** Workloads named in `slow` get their pods only after this many milliseconds. */
export const latecomers = (
  { clock, cluster }: DeployWorld,
  slow: ReadonlyMap<string, number>,
): ((live: ClusterObject) => boolean) => {
  const readyMs = new Map<string, number>()
  return (live) => {
    const { name } = live.metadata
    const ms = slow.get(name)
    if (ms === undefined) return false
    const atMs = readyMs.get(name)
    if (atMs !== undefined) return clock.now() < atMs
    readyMs.set(name, clock.now() + ms)
    const status = isObject(live['status']) ? live['status'] : {}
    void clock.sleep(ms).then(() => cluster.put({ ...live, status: { ...status, observedGeneration: 0 } }))
    return true
  }
}
