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
 * `Change`: the command may change objects in the cluster. `Create`: it also has to create some. `Restore`: it only
 * undoes changes that devtool recorded there, so the user need not confirm that it is the right cluster.
 */
export type Use = 'Read' | 'Change' | 'Create' | 'Restore'

type Findings = ReadonlyArray<Diagnostic>

const oneFinding = (found: Diagnostic): Findings => [found]

/** `isSound`: fails when nothing would be changed anyway; then the user is not asked about a new cluster. */
export type Meant = {
  readonly use: Use
  readonly isSound?: (target: Target) => TE.TaskEither<Findings, unknown>
}

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
  { isSound = () => TE.of(undefined) }: Meant,
): TE.TaskEither<Findings, boolean> => {
  const { origin } = located
  if (reach.isYes || origin === 'Flag' || origin === 'Variable') return TE.of(true)
  const text = `first change in the cluster ${clusterText(located, cluster)}: continue?`
  return pipe(
    isSound({ ...located, cluster, findings: [] }),
    TE.flatMap(() => TE.mapLeft(oneFinding)(askYes(prompt, { text, flag: '--yes' }))),
    TE.mapLeft((found) => found.map((one) => (one.code === 'DT2101' ? unconfirmed(located, cluster) : one))),
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
  meant: Meant,
): TE.TaskEither<Findings, Findings> => {
  const { home } = ports
  const introduce = () =>
    pipe(
      confirm(ports, reach, located, cluster, meant),
      TE.flatMapTask(() => remember(ports, identity, cluster)),
    )
  return pipe(
    home.read(KNOWN_CLUSTERS),
    TE.flatMapEither((text) => readKnownClusters(home.where(KNOWN_CLUSTERS), text)),
    TE.mapLeft(oneFinding),
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

const endingNamespace = (namespace: string): Diagnostic =>
  error('DT2113', `namespace "${namespace}" is being deleted`, {
    help: 'name another with --namespace, or wait until it is gone',
  })

/** What the namespace is good for; undefined where there is none. */
type Usable = 'Reading' | 'Creating' | undefined

/**
 * Without permission to read the namespace, goes on: the next request shows what is wrong. Users with any role in a
 * namespace of a platform may read it.
 */
const usableFor = (
  cluster: Cluster,
  { namespace, platform }: LocatedTarget,
  signal: AbortSignal | undefined,
): TE.TaskEither<Diagnostic, Usable> => {
  const unknown: Usable = platform === undefined ? 'Creating' : undefined
  return pipe(
    cluster.get({ resource: resources.Namespace, name: namespace }, signal),
    TE.map((found): Usable => found && (found.metadata.deletionTimestamp === undefined ? 'Creating' : 'Reading')),
    TE.orElse((failure) => (isForbidden(failure) ? TE.of(unknown) : TE.left(failureDiagnostic(failure)))),
  )
}

const checkNamespace = (
  cluster: Cluster,
  reach: TargetOptions,
  located: LocatedTarget,
  use: Use,
  signal: AbortSignal | undefined,
): TE.TaskEither<Diagnostic, void> =>
  pipe(
    usableFor(cluster, located, signal),
    TE.flatMapEither((usable) => {
      if (usable === undefined) return E.left(missingNamespace(located, reach))
      return use === 'Create' && usable === 'Reading' ? E.left(endingNamespace(located.namespace)) : E.right(undefined)
    }),
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
 * cluster, DT2102 (unknown cluster), DT2109 (no namespace) and DT2113 (it is being deleted).
 */
export const connect =
  (ports: ConnectPorts) =>
  (
    reach: TargetOptions,
    meant: Meant,
    env: ShellVariables,
    signal?: AbortSignal,
  ): TE.TaskEither<ReadonlyArray<Diagnostic>, Target> => {
    const enter = (place: LocatedTarget, cluster: Cluster): TE.TaskEither<ReadonlyArray<Diagnostic>, Target> => {
      const { origin: _origin, ...located } = place
      // Logging in to a platform has named it.
      const { use } = meant
      const isUnknown = (use === 'Change' || use === 'Create') && place.platform === undefined
      return pipe(
        checkNamespace(cluster, reach, place, use, signal),
        TE.apSecond(isUnknown ? identityOf(cluster, signal) : TE.of(undefined)),
        TE.mapLeft(oneFinding),
        TE.flatMap((identity) =>
          identity === undefined ? TE.of([]) : admit(ports, reach, place, cluster, identity, meant),
        ),
        TE.tapError(() => TE.fromIO(() => cluster.close())),
        TE.mapBoth(
          (failures) => [...cluster.warnings, ...failures],
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
