/** A pod with one container on the real cluster. */
import * as E from 'fp-ts/lib/Either.js'
import { listAt, textAt } from '../../../src/domain/cluster/json.ts'
import { type ObjectKey, resources } from '../../../src/domain/cluster/resources.ts'
import type { Cluster } from '../../../src/ports/cluster.ts'
import type { PodName } from '../../../src/ports/pods.ts'

/** `account`: its service account. `port`: it is ready once it listens there. */
type Container = {
  readonly image: string
  readonly command: ReadonlyArray<string>
  readonly account?: string
  readonly port?: number
}

const probeOf = (port: number) => ({ tcpSocket: { port }, periodSeconds: 1, failureThreshold: 60 })

/** Resolves once it is ready or has completed. */
export const startPod = async (
  cluster: Cluster,
  { name, namespace }: PodName,
  { account = 'default', command, image, port }: Container,
): Promise<ObjectKey> => {
  const key: ObjectKey = { resource: resources.Pod, namespace, name }
  const body = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: {
      restartPolicy: 'Never',
      serviceAccountName: account,
      terminationGracePeriodSeconds: 0,
      containers: [{ name: 'main', image, command, ...(port === undefined ? {} : { readinessProbe: probeOf(port) }) }],
    },
  }
  const made = await cluster.apply(key, JSON.stringify(body), { manager: 'devtool' })()
  if (E.isLeft(made)) throw new Error(JSON.stringify(made.left))
  const select = { resource: resources.Pod, namespace, fields: `metadata.name=${name}` }
  for await (const event of cluster.watch(select, AbortSignal.timeout(120_000))) {
    if (event._tag !== 'Seen') continue
    const isReady = listAt(event.object, 'status', 'conditions').some(
      (one) => textAt(one, 'type') === 'Ready' && textAt(one, 'status') === 'True',
    )
    if (isReady || textAt(event.object, 'status', 'phase') === 'Succeeded') return key
  }
  throw new Error(`pod ${name} does not run`)
}
