/**
 * From flags, variables, the store and the kubeconfig to a cluster and a namespace. Before the first change to a
 * cluster, the user has to confirm that it is the right one.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Task } from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
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
import { shellQuoted } from '../../domain/text/shell-quoted.ts'
import type { Cluster } from '../../ports/cluster.ts'
import type { Ports } from '../../ports/ports.ts'
import { askYes } from '../ask-yes.ts'
import { type LocatedTarget, locate, type ShellVariables } from './locate.ts'
import { openCluster } from './open.ts'
import { noNamespace, noneChosen } from './platform-login.ts'
import { platformSettings } from './platform-settings.ts'
import type { Target, TargetOptions } from './target.ts'

export type ConnectPorts = Pick<Ports, 'clock' | 'clusters' | 'home' | 'platforms' | 'prompt'>

/**
 * `Change`: the command may change objects in the cluster. `Restore`: it only undoes changes that devtool recorded
 * there, so the user need not confirm that it is the right cluster.
 */
export type Use = 'Read' | 'Change' | 'Restore'

/** The uid of kube-system: a cluster that was recreated at the same address has another. */
const identityOf = (cluster: Cluster, signal: AbortSignal | undefined): TE.TaskEither<Diagnostic, string> => {
  const address = addressIdentity(cluster.server, cluster.authority)
  return pipe(
    cluster.get({ resource: resources.Namespace, name: 'kube-system' }, signal),
    TE.map((found) => found?.metadata.uid ?? address),
    TE.orElse((failure) => (isForbidden(failure) ? TE.of(address) : TE.left(failureDiagnostic(failure)))),
  )
}

const clusterText = ({ context, namespace }: LocatedTarget, { server }: Cluster): string =>
  `${server} (context ${context}, namespace ${namespace})`

const unconfirmed = (located: LocatedTarget, cluster: Cluster): Diagnostic =>
  error('DT2102', `the cluster ${clusterText(located, cluster)} has not been changed from this machine before`, {
    help: `if it is the right one, confirm with --yes, --context ${located.context} or DEVTOOL_CONTEXT`,
  })

/** A user who named the context explicitly knows which cluster it is. */
const confirm = (
  { prompt }: ConnectPorts,
  reach: TargetOptions,
  located: LocatedTarget,
  cluster: Cluster,
): TE.TaskEither<Diagnostic, boolean> => {
  const { origin } = located
  if (reach.isYes || origin === 'Flag' || origin === 'Variable') return TE.of(true)
  const text = `first change in the cluster ${clusterText(located, cluster)}: continue?`
  return pipe(
    askYes(prompt, { text, flag: '--yes' }),
    TE.mapLeft((failure) => (failure.code === 'DT2101' ? unconfirmed(located, cluster) : failure)),
  )
}

/** If the cluster cannot be stored, the user is only asked again next time. */
const remember = (
  { clock, home }: ConnectPorts,
  identity: string,
  { server }: Cluster,
): Task<ReadonlyArray<Diagnostic>> => {
  const change = (text: string | undefined) =>
    pipe(
      readKnownClusters(home.where(KNOWN_CLUSTERS), text),
      E.map((known) => printWithCluster(known, identity, { server, date: clock.date() })),
    )
  return pipe(
    home.change(KNOWN_CLUSTERS, change),
    TE.match(
      (failure): ReadonlyArray<Diagnostic> => [{ ...failure, severity: 'warning' }],
      () => [],
    ),
  )
}

const admit = (
  ports: ConnectPorts,
  reach: TargetOptions,
  located: LocatedTarget,
  cluster: Cluster,
  identity: string,
): TE.TaskEither<Diagnostic, ReadonlyArray<Diagnostic>> => {
  const { home } = ports
  const introduce = () =>
    pipe(
      confirm(ports, reach, located, cluster),
      TE.flatMapTask(() => remember(ports, identity, cluster)),
    )
  return pipe(
    home.read(KNOWN_CLUSTERS),
    TE.flatMapEither((text) => readKnownClusters(home.where(KNOWN_CLUSTERS), text)),
    TE.flatMap((known) => (isKnown(known, identity) ? TE.of([]) : introduce())),
  )
}

/** DT2109, with the command that creates the namespace. */
export const missingNamespace = (
  { context, isCurrent, namespace, platform }: LocatedTarget,
  { kubeconfig }: TargetOptions,
): Diagnostic => {
  if (platform !== undefined) return noNamespace(platform.url, namespace)
  const where = isCurrent ? '' : ` --context ${shellQuoted(context)}`
  const file = kubeconfig === undefined ? '' : ` --kubeconfig ${shellQuoted(kubeconfig)}`
  return error('DT2109', `context ${context} has no namespace "${namespace}"`, {
    help: `create it with \`kubectl create namespace ${namespace}${where}${file}\`, or name another with --namespace`,
  })
}

/**
 * Without permission to read the namespace, goes on: the next request shows what is wrong. Users with any role in a
 * namespace of a platform may read it.
 */
const hasNamespace = (
  cluster: Cluster,
  reach: TargetOptions,
  located: LocatedTarget,
  signal: AbortSignal | undefined,
): TE.TaskEither<Diagnostic, boolean> =>
  pipe(
    cluster.get({ resource: resources.Namespace, name: located.namespace }, signal),
    TE.map((found) => found !== undefined),
    TE.orElse((failure) =>
      isForbidden(failure) ? TE.of(located.platform === undefined) : TE.left(failureDiagnostic(failure)),
    ),
    TE.filterOrElse(
      (isThere) => isThere,
      () => missingNamespace(located, reach),
    ),
  )

/** Settings of the context take precedence over the platform's settings for all its namespaces. */
const withPlatform = (
  ports: ConnectPorts,
  place: LocatedTarget,
  signal: AbortSignal | undefined,
): TE.TaskEither<Diagnostic, LocatedTarget> => {
  const { platform, settings } = place
  if (platform === undefined) return TE.of(place)
  return pipe(
    platformSettings(ports)(platform, signal ?? new AbortController().signal),
    TE.map((told) => ({ ...place, settings: { ...told, ...settings } })),
  )
}

/**
 * The caller closes the cluster. Fails like {@link locate}, and with DT3001 to DT3011 for the connection to the
 * cluster, DT2102 (unknown cluster) and DT2109 (no namespace).
 */
export const connect =
  (ports: ConnectPorts) =>
  (
    reach: TargetOptions,
    use: Use,
    env: ShellVariables,
    signal?: AbortSignal,
  ): TE.TaskEither<ReadonlyArray<Diagnostic>, Target> => {
    const enter = (place: LocatedTarget, cluster: Cluster): TE.TaskEither<ReadonlyArray<Diagnostic>, Target> => {
      const { origin: _origin, ...located } = place
      // Logging in to a platform has named it.
      const isUnknown = use === 'Change' && place.platform === undefined
      return pipe(
        hasNamespace(cluster, reach, place, signal),
        TE.apSecond(isUnknown ? identityOf(cluster, signal) : TE.of(undefined)),
        TE.flatMap((identity) => (identity === undefined ? TE.of([]) : admit(ports, reach, place, cluster, identity))),
        TE.tapError(() => TE.fromIO(() => cluster.close())),
        TE.mapBoth(
          (failure) => [...cluster.warnings, failure],
          (found) => ({ ...located, cluster, findings: [...cluster.warnings, ...found] }),
        ),
      )
    }
    return pipe(
      locate(ports)(reach, env),
      TE.filterOrElse(
        ({ namespace }) => namespace !== '',
        ({ context }) => noneChosen(context),
      ),
      TE.flatMap((place) => withPlatform(ports, place, signal)),
      TE.bindTo('place'),
      TE.bind('cluster', ({ place }) => openCluster(ports)(reach, place, signal)),
      TE.mapLeft((failure) => [failure]),
      TE.flatMap(({ cluster, place }) => enter(place, cluster)),
    )
  }
