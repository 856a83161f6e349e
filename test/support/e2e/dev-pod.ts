/** Pods with the agent on the real cluster: its files, its keys and the connections to it. */
import { readdirSync, readFileSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type JsonObject, textAt } from '../../../src/domain/cluster/json.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { withAgent } from '../../../src/domain/dev/agent-pod.ts'
import { keyData, type LinkKeys } from '../../../src/domain/dev/keys.ts'
import type { Cluster } from '../../../src/ports/cluster.ts'
import { realLinks } from '../dev/links.ts'

import { connectReal, withNamespace } from './real-cluster.ts'

export const agentPort = 2222

export type DevWorld = {
  readonly cluster: Cluster
  readonly namespace: string
  readonly keys: LinkKeys
  readonly end: () => Promise<void>
}

export const rightOf = async <A>(task: TE.TaskEither<unknown, A>): Promise<A> => {
  const result = await task()
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
  return result.right
}

const base64 = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64')

export const apply = async (
  { cluster, namespace }: Pick<DevWorld, 'cluster' | 'namespace'>,
  kind: 'ConfigMap' | 'Secret' | 'Pod' | 'Deployment',
  body: JsonObject,
): Promise<void> => {
  const name = textAt(body, 'metadata', 'name') ?? ''
  const apiVersion = kind === 'Deployment' ? 'apps/v1' : 'v1'
  const object = { apiVersion, kind, ...body }
  await rightOf(
    cluster.apply({ resource: resources[kind], namespace, name }, JSON.stringify(object), { manager: 'test' }),
  )
}

/** Under Pod Security `restricted`, with a read-only root file system and a user ID that no image knows. */
export const agentPod = (image: string, more: JsonObject = {}): JsonObject => {
  const app = {
    name: 'app',
    image,
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
      runAsUser: 123_456,
      runAsGroup: 123_456,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    ...more,
  }
  const settings = { image: 'node:22.23-bookworm-slim', files: 'agent', keys: 'keys', port: agentPort }
  const spec = withAgent({ containers: [app], terminationGracePeriodSeconds: 0 }, 'app', settings)
  if (spec === undefined) throw new Error('the pod has no container of that name')
  return spec
}

/** A namespace with the files of the agent and keys. */
export const devWorld = async (prefix: string): Promise<DevWorld> => {
  const cluster = await connectReal()
  const space = await withNamespace(cluster, prefix, { 'pod-security.kubernetes.io/enforce': 'restricted' })
  const keys = await realLinks.newKeys()
  const world: DevWorld = {
    cluster,
    namespace: space.name,
    keys: { client: keys.client.private, host: keys.host.public },
    end: async () => {
      await space.end()
      cluster.close()
    },
  }
  const files = readdirSync('dist/agent').map((name) => [name, base64(readFileSync(`dist/agent/${name}`))] as const)
  await apply(world, 'ConfigMap', { metadata: { name: 'agent' }, binaryData: Object.fromEntries(files) })
  await apply(world, 'Secret', { metadata: { name: 'keys' }, data: keyData(keys) })
  return world
}
