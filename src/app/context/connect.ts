/**
 * From flags, variables, store and kubeconfig to a cluster and a namespace in it. Who wants to change a cluster that was
 * never changed from here has to say that it is the right one.
 */
import * as E from 'fp-ts/lib/Either.js'
import { failureDiagnostic, isForbidden } from '../../domain/cluster/failure.ts'
import { resources } from '../../domain/cluster/resources.ts'
import {
  addressIdentity,
  isKnown,
  KNOWN_CLUSTERS,
  printWithCluster,
  readKnownClusters,
} from '../../domain/context/known-clusters.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { Cluster } from '../../ports/cluster.ts'
import type { Ports } from '../../ports/ports.ts'
import { type Located, locate, type Variables } from './locate.ts'
import type { Reach, Session } from './target.ts'

export type ConnectPorts = Pick<Ports, 'clock' | 'clusters' | 'home' | 'prompt'>

/** `Change`: something in the cluster may become different. */
export type Use = 'Read' | 'Change'

/** The uid of kube-system: whoever made a cluster anew at the same address has another. */
const identityOf = async (cluster: Cluster, signal: AbortSignal | undefined): Promise<E.Either<Diagnostic, string>> => {
  const found = await cluster.get({ resource: resources.Namespace, name: 'kube-system' }, signal)()
  if (E.isRight(found) && found.right !== undefined) return E.right(found.right.metadata.uid)
  if (E.isLeft(found) && !isForbidden(found.left)) return E.left(failureDiagnostic(found.left))
  return E.right(addressIdentity(cluster.server, cluster.authority))
}

const clusterText = ({ context, namespace }: Located, { server }: Cluster): string =>
  `${server} (context ${context}, namespace ${namespace})`

const unconfirmed = (located: Located, cluster: Cluster): Diagnostic =>
  error('DT2102', `the cluster ${clusterText(located, cluster)} has not been changed from this machine before`, {
    help: `if it is the right one, confirm with --yes, --context ${located.context} or DEVTOOL_CONTEXT`,
  })

/** Whoever wrote down the name of the context knows which cluster it is. */
const isConfirmed = async (
  { prompt }: ConnectPorts,
  reach: Reach,
  located: Located,
  cluster: Cluster,
): Promise<E.Either<Diagnostic, true>> => {
  const { origin } = located
  if (reach.isYes || origin === 'Flag' || origin === 'Variable') return E.right(true)
  const text = `first change in the cluster ${clusterText(located, cluster)}: continue?`
  const answer = await prompt.confirm({ text, flag: '--yes' })()
  if (E.isRight(answer) && answer.right) return E.right(true)
  if (E.isLeft(answer) && answer.left.code !== 'DT2101') return answer
  return E.left(unconfirmed(located, cluster))
}

/** What cannot be remembered is asked again next time, which is no reason to stop. */
const remember = async (
  { clock, home }: ConnectPorts,
  identity: string,
  { server }: Cluster,
): Promise<ReadonlyArray<Diagnostic>> => {
  const file = home.where(KNOWN_CLUSTERS)
  const date = clock.date()
  const change = (text: string | undefined) => {
    const known = readKnownClusters(file, text)
    return E.isLeft(known) ? known : E.right(printWithCluster(known.right, identity, { server, date }))
  }
  const changed = await home.change(KNOWN_CLUSTERS, change)()
  return E.isLeft(changed) ? [{ ...changed.left, severity: 'warning' }] : []
}

const admit = async (
  ports: ConnectPorts,
  reach: Reach,
  located: Located,
  cluster: Cluster,
  signal: AbortSignal | undefined,
): Promise<E.Either<Diagnostic, ReadonlyArray<Diagnostic>>> => {
  const { home } = ports
  const text = await home.read(KNOWN_CLUSTERS)()
  if (E.isLeft(text)) return text
  const known = readKnownClusters(home.where(KNOWN_CLUSTERS), text.right)
  if (E.isLeft(known)) return known
  const identity = await identityOf(cluster, signal)
  if (E.isLeft(identity)) return identity
  if (isKnown(known.right, identity.right)) return E.right([])
  const confirmed = await isConfirmed(ports, reach, located, cluster)
  return E.isLeft(confirmed) ? confirmed : E.right(await remember(ports, identity.right, cluster))
}

/** DT2109, with the command that makes it. */
export const missingNamespace = ({ context, isCurrent, namespace }: Located, { kubeconfig }: Reach): Diagnostic => {
  const where = isCurrent ? '' : ` --context ${context}`
  const file = kubeconfig === undefined ? '' : ` --kubeconfig ${kubeconfig}`
  return error('DT2109', `context ${context} has no namespace "${namespace}"`, {
    help: `create it with \`kubectl create namespace ${namespace}${where}${file}\`, or name another with --namespace`,
  })
}

/** Who may not look is not stopped: what is tried next tells what is wrong. */
const hasNamespace = async (
  cluster: Cluster,
  reach: Reach,
  located: Located,
  signal: AbortSignal | undefined,
): Promise<E.Either<Diagnostic, true>> => {
  const found = await cluster.get({ resource: resources.Namespace, name: located.namespace }, signal)()
  if (E.isLeft(found)) return isForbidden(found.left) ? E.right(true) : E.left(failureDiagnostic(found.left))
  return found.right === undefined ? E.left(missingNamespace(located, reach)) : E.right(true)
}

const checked = async (
  ports: ConnectPorts,
  reach: Reach,
  use: Use,
  located: Located,
  cluster: Cluster,
  signal: AbortSignal | undefined,
): Promise<E.Either<Diagnostic, ReadonlyArray<Diagnostic>>> => {
  const namespace = await hasNamespace(cluster, reach, located, signal)
  if (E.isLeft(namespace)) return namespace
  return use === 'Read' ? E.right([]) : admit(ports, reach, located, cluster, signal)
}

/**
 * The caller closes the cluster. Fails with what {@link locate} fails with, DT3001 to DT3011 of the way to the cluster,
 * DT2102 (unknown cluster) and DT2109 (no namespace).
 */
export const connect =
  (ports: ConnectPorts) =>
  async (
    reach: Reach,
    use: Use,
    env: Variables,
    signal?: AbortSignal,
  ): Promise<E.Either<ReadonlyArray<Diagnostic>, Session>> => {
    const place = await locate(ports)(reach, env)
    if (E.isLeft(place)) return E.left([place.left])
    const { isCurrent: _isCurrent, origin: _origin, ...located } = place.right
    const { context } = located
    const { kubeconfig } = reach
    const opened = await ports.clusters.connect({
      context,
      ...(kubeconfig === undefined ? {} : { file: kubeconfig }),
    })()
    if (E.isLeft(opened)) return E.left([opened.left])
    const cluster = opened.right
    const found = await checked(ports, reach, use, place.right, cluster, signal)
    if (E.isLeft(found)) {
      cluster.close()
      return E.left([...cluster.warnings, found.left])
    }
    return E.right({ ...located, cluster, findings: [...cluster.warnings, ...found.right] })
  }
