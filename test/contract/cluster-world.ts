/** What the parts of the contract of clusters have in common. */
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Failure } from '../../src/domain/cluster/failure.ts'
import type { JsonObject } from '../../src/domain/cluster/json.ts'
import type { ClusterObject } from '../../src/domain/cluster/live.ts'
import { type ObjectKey, resources } from '../../src/domain/cluster/resources.ts'
import type { Cluster, WatchEvent } from '../../src/ports/cluster.ts'

/** What has to hold, as a sentence, and what tries it. */
export type Case = readonly [title: string, run: () => Promise<void>]

/** `namespace` is there, and empty but for what every namespace has. */
export type OpenedCluster = { readonly cluster: Cluster; readonly namespace: string }

export const manager = 'devtool'

export const done = async <A>(task: TaskEither<Failure, A>): Promise<A> => {
  const result = await task()
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
  return result.right
}

export const failed = async (task: TaskEither<Failure, unknown>): Promise<Failure> => {
  const result = await task()
  if (E.isRight(result)) throw new Error(`it succeeded: ${JSON.stringify(result.right)}`)
  return result.left
}

export const statusOf = (failure: Failure): string =>
  failure._tag === 'Refused' ? `${failure.status} ${failure.reason}` : failure._tag

export const configMap = (name: string, data: JsonObject, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...more },
  data,
})

const template = (image: string): JsonObject => ({
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image, env: [{ name: 'A', value: '1' }] }] },
})

export const deployment = (image: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: { replicas: 0, selector: { matchLabels: { app: 'web' } }, template: template(image), ...more },
})

/** Up to the event that is waited for, or for a minute. */
export const until = async (
  events: AsyncIterable<WatchEvent>,
  stop: AbortController,
  isLast: (event: WatchEvent) => boolean,
): Promise<ReadonlyArray<WatchEvent>> => {
  const seen: Array<WatchEvent> = []
  const timer = setTimeout(() => stop.abort(), 60_000)
  for await (const event of events) {
    seen.push(event)
    if (isLast(event)) stop.abort()
  }
  clearTimeout(timer)
  return seen
}

export const nameIn = (event: WatchEvent): string =>
  event._tag === 'Seen' || event._tag === 'Removed' ? `${event._tag} ${event.object.metadata.name}` : event._tag

export const dataOf = (live: ClusterObject | undefined): unknown => live?.['data']

type Kind = 'ConfigMap' | 'Deployment' | 'Service' | 'Job'
type More = {
  readonly manager?: string
  readonly force?: boolean
  readonly isDryRun?: boolean
  readonly signal?: AbortSignal
}

/** Short ways to ask, in the namespace of the test. */
export const asking = (world: () => OpenedCluster) => ({
  cluster: (): Cluster => world().cluster,
  key: (kind: Kind, name: string): ObjectKey => ({ resource: resources[kind], namespace: world().namespace, name }),
  apply: (on: ObjectKey, body: JsonObject, more: More = {}) =>
    world().cluster.apply(on, JSON.stringify(body), { manager, ...more }),
  remove: (on: ObjectKey) => done(world().cluster.remove(on, { propagation: 'Background' })),
})

export type ClusterCalls = ReturnType<typeof asking>
