/** `endpoints`: the public addresses of an environment, and whether each answers. */

import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { developerOf, recordsIn } from '../../domain/dev/developed.ts'
import type { DevRecord } from '../../domain/dev/record.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import {
  askedBehind,
  askedOf,
  type EndpointAddress,
  type EndpointList,
  endpointsOf,
} from '../../domain/environment/endpoints.ts'
import { environmentSelector } from '../../domain/k8s/labels.ts'
import type { Network } from '../../ports/network.ts'
import { bounded } from '../concurrency/bounded.ts'
import type { Target } from '../context/target.ts'
import { developmentObjects } from '../environment/developments.ts'
import { type FoundRecord, findRecord, recordIn, recordNotes } from '../environment/find-record.ts'
import { answer, type Result } from '../result.ts'

export type Endpoints = {
  readonly target: Pick<Target, 'cluster' | 'namespace'>
  readonly environment: string
}

const answerMs = 3_000
/** Addresses that are tried at the same time. */
const mostAtOnce = 32

type TriedEndpoint = EndpointList['endpoints'][number]

/** A certificate that is not trusted here says nothing about the application. */
const ask = async (network: Network, { trouble, ...endpoint }: EndpointAddress): Promise<TriedEndpoint> => {
  const first = await network.ask(endpoint.url, answerMs)()
  if (first._tag !== 'Silent' || first.because !== 'Untrusted') {
    const asked = askedOf(first)
    const reasons = asked.reason === undefined || trouble === undefined ? {} : { reason: `${asked.reason}; ${trouble}` }
    return { ...endpoint, ...asked, ...reasons }
  }
  return { ...endpoint, ...askedBehind(await network.ask(endpoint.url, answerMs, true)(), first.text) }
}

const noEnvironment = (environment: string, namespace: string): Diagnostic =>
  error('DT3407', `there is no environment "${environment}" in namespace ${namespace}`, {
    help: '`devtool list` lists the environments, `devtool deploy` creates one',
  })

/** Addresses outside of the cluster, as the manifest gave them. */
const externalIn = (found: FoundRecord): ReadonlyArray<EndpointAddress> =>
  (recordIn(found)?.external ?? []).map(({ name, url }) => ({ url, service: name }))

type EnvironmentEndpoints = {
  readonly environment: string
  readonly namespace: string
  readonly endpoints: ReadonlyArray<EndpointAddress>
}

const withDeveloper =
  (records: ReadonlyArray<DevRecord>) =>
  (endpoint: EndpointAddress): EndpointAddress => {
    const record = records.find(({ workload }) => workload.name === endpoint.service)
    return record === undefined
      ? endpoint
      : { ...endpoint, developedBy: developerOf(record), developedSince: record.since }
  }

/** Finds DT3407 (no such environment) and refusals of the cluster. */
export const findEndpoints = ({ environment, target }: Endpoints): Promise<Result<EnvironmentEndpoints>> => {
  const { cluster, namespace } = target
  const labels = environmentSelector(environment)
  const list = cluster.list({ resource: resources.Ingress, namespace, labels })
  const work = pipe(
    TE.mapLeft(failureDiagnostic)(list),
    TE.bindTo('list'),
    TE.apS('kept', findRecord(target, environment)),
    TE.apS(
      'developed',
      TE.fromTask(() => developmentObjects(target, ['ConfigMap'])),
    ),
    TE.filterOrElse(
      ({ kept, list: { items } }) => kept._tag !== 'Absent' || items.length > 0,
      () => noEnvironment(environment, namespace),
    ),
    TE.map(({ developed, kept, list: { items } }) => ({
      findings: recordNotes(kept),
      value: {
        environment,
        namespace,
        endpoints: [...endpointsOf(items).map(withDeveloper(recordsIn(developed))), ...externalIn(kept)],
      },
    })),
  )
  return answer(work)
}

/** Requests each address. An address that does not respond is no failure. */
export const askEndpoints = (
  { network }: { readonly network: Network },
  endpoints: ReadonlyArray<EndpointAddress>,
): Promise<ReadonlyArray<TriedEndpoint>> => bounded(endpoints, (endpoint) => ask(network, endpoint), mostAtOnce)

/** Lists the addresses and requests each. */
export const endpoints =
  (ports: { readonly network: Network }) =>
  async (wanted: Endpoints): Promise<Result<EndpointList>> => {
    const { findings, value } = await findEndpoints(wanted)
    if (value === undefined) return { findings }
    return { findings, value: { ...value, endpoints: await askEndpoints(ports, value.endpoints) } }
  }
