/** The cluster of $KUBECONFIG through the real adapter, with a namespace that is deleted afterwards. */
import { randomBytes } from 'node:crypto'
import { homedir } from 'node:os'
import * as E from 'fp-ts/lib/Either.js'
import { kubeClusters } from '../../../src/adapters/kube/clusters.ts'
import { nodeHome } from '../../../src/adapters/node-fs/home.ts'
import { nodeWriter } from '../../../src/adapters/node-fs/writer.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { type Resource, resources } from '../../../src/domain/cluster/resources.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { Cluster } from '../../../src/ports/cluster.ts'
import { until } from '../process/until.ts'

export const realClusters = (
  env: Readonly<Record<string, string | undefined>> = process.env,
  more: { readonly accountFolder?: string; readonly clock?: Clock; readonly interruption?: () => AbortSignal } = {},
): ReturnType<typeof kubeClusters> =>
  kubeClusters({
    env,
    home: homedir(),
    cwd: process.cwd(),
    clock: systemClock,
    random: Math.random,
    writer: nodeWriter(process.cwd()),
    store: nodeHome(env, systemClock),
    isTerminal: false,
    say: () => {},
    ...more,
  })

/** `file`: used instead of $KUBECONFIG. Fails with a readable message if there is no cluster. */
export const connectReal = async (file?: string): Promise<Cluster> => {
  if (file === undefined && (process.env['KUBECONFIG'] ?? '') === '') {
    throw new Error('KUBECONFIG is not set: these tests need a cluster, set it to the kubeconfig of one for tests')
  }
  const clusters = realClusters()
  const config = await clusters.kubeconfig(file)()
  if (E.isLeft(config)) throw new Error(config.left.message)
  const choice = { context: config.right.current ?? '', ...(file === undefined ? {} : { file }) }
  const cluster = await clusters.connect(choice)()
  if (E.isLeft(cluster)) throw new Error(cluster.left.message)
  return cluster.right
}

export const serviceAccounts: Resource = { ...resources.ConfigMap, kind: 'ServiceAccount', plural: 'serviceaccounts' }

/** A new namespace whose name begins with `prefix`. */
export const withNamespace = async (
  cluster: Cluster,
  prefix: string,
  labels: Readonly<Record<string, string>> = {},
) => {
  const name = `${prefix}-${randomBytes(3).toString('hex')}`
  const key = { resource: resources.Namespace, name }
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } })
  const made = await cluster.apply(key, body, { manager: 'devtool-test' })()
  if (E.isLeft(made)) throw new Error(JSON.stringify(made.left))
  // Pods are refused until it exists.
  const account = { resource: serviceAccounts, namespace: name, name: 'default' }
  await until('the namespace has an account', async () => {
    const read = await cluster.get(account)()
    return E.isRight(read) && read.right !== undefined
  })
  const end = async (): Promise<void> => {
    await cluster.remove(key, { propagation: 'Background' })()
  }
  return { name, end }
}

/** The namespace lasts as long as the use of it. */
export const within = async (
  cluster: Cluster,
  prefix: string,
  use: (namespace: string) => Promise<void>,
): Promise<void> => {
  const space = await withNamespace(cluster, prefix)
  try {
    await use(space.name)
  } finally {
    await space.end()
  }
}
