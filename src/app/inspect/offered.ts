/** Names in the cluster, for shell completion: none where it cannot be read, or does not respond at once. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import type { ClusterObject } from '../../domain/cluster/live.ts'
import { resources, workloadKinds } from '../../domain/cluster/resources.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { containersOf, isOfEnvironment } from '../../domain/logs/sources.ts'
import type { Cluster } from '../../ports/cluster.ts'
import type { Ports } from '../../ports/ports.ts'
import { atMost } from '../concurrency/deadline.ts'
import { withResource } from '../concurrency/resource.ts'
import { locate, type ShellVariables } from '../context/locate.ts'
import { openCluster } from '../context/open.ts'
import type { TargetOptions } from '../context/target.ts'
import { type Environments, findRecords } from '../environment/find-record.ts'

/** Longer delays would be noticed while typing. */
const longestMs = 2_000

/** `environment`: whose services and containers are wanted; those of all in the namespace when it is not given. */
export type WantedNames = {
  readonly what: 'containers' | 'environments' | 'namespaces' | 'services'
  readonly reach: TargetOptions
  readonly env: ShellVariables
  readonly environment: string | undefined
}

type Names = TE.TaskEither<Diagnostic, ReadonlyArray<string>>

const servicesOf = ({ environments }: Environments, environment: string | undefined): ReadonlyArray<string> => {
  const chosen = environments.filter(({ name }) => environment === undefined || name === environment)
  const services = chosen.flatMap(({ record }) => {
    const workloads = record?.inventory.filter(({ kind }) => workloadKinds.some((known) => known === kind)) ?? []
    return record?.services ?? workloads.map(({ name }) => name)
  })
  return [...new Set(services)].toSorted()
}

const containersAmong = (
  pods: ReadonlyArray<ClusterObject>,
  { environments }: Environments,
  environment: string | undefined,
): ReadonlyArray<string> => {
  const inventory = environments.find(({ name }) => name === environment)?.record?.inventory ?? []
  const own = pods.filter((pod) => environment === undefined || isOfEnvironment(pod, environment, inventory))
  return [...new Set(own.flatMap(containersOf).map(({ container }) => container))].toSorted()
}

const namesIn = (
  cluster: Cluster,
  namespace: string,
  { environment, what }: WantedNames,
  signal: AbortSignal,
): Names => {
  if (what === 'namespaces') {
    const listed = cluster.list({ resource: resources.Namespace }, { isMetadataOnly: true, signal })
    return pipe(
      listed,
      TE.mapBoth(failureDiagnostic, ({ items }) => items.map(({ metadata }) => metadata.name)),
    )
  }
  if (what === 'containers') {
    return pipe(
      TE.mapLeft(failureDiagnostic)(cluster.list({ resource: resources.Pod, namespace }, { signal })),
      TE.bindTo('pods'),
      TE.bind('records', () => findRecords({ cluster, namespace })),
      TE.map(({ pods, records }) => containersAmong(pods.items, records, environment)),
    )
  }
  return pipe(
    findRecords({ cluster, namespace }),
    TE.map((found) =>
      what === 'services' ? servicesOf(found, environment) : found.environments.map(({ name }) => name),
    ),
  )
}

export const namesInCluster = async (
  ports: Pick<Ports, 'clock' | 'clusters' | 'home' | 'platforms'>,
  wanted: WantedNames,
): Promise<ReadonlyArray<string>> => {
  const { env, reach } = wanted
  const found = (late: AbortSignal): Names =>
    pipe(
      locate(ports)(reach, env),
      TE.flatMap((place) =>
        withResource(
          openCluster(ports)(reach, place, late),
          (cluster) => namesIn(cluster, place.namespace, wanted, late),
          (cluster) => () => Promise.resolve(cluster.close()),
        ),
      ),
    )
  const names = await atMost(ports.clock, longestMs, (late) => found(late)())
  return names === undefined ? [] : E.getOrElse((): ReadonlyArray<string> => [])(names)
}
