/** `endpoints`: the public addresses of an environment, each with whether it answers. */

import * as E from 'fp-ts/lib/Either.js'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import type { Live } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { type Endpoint, type EndpointList, endpointsOf } from '../../domain/environment/endpoints.ts'
import { readRecord, recordName } from '../../domain/environment/record.ts'
import { environmentSelector } from '../../domain/k8s/labels.ts'
import { showAnswer } from '../../domain/network/answer.ts'
import type { Network } from '../../ports/network.ts'
import { bounded } from '../concurrency/bounded.ts'
import type { Session } from '../context/target.ts'
import type { Result } from '../result.ts'

export type Endpoints = {
  readonly session: Pick<Session, 'cluster' | 'namespace'>
  readonly environment: string
}

const answerMs = 3_000
/** Addresses that are asked at a time. */
const mostAtOnce = 32

type Asked = EndpointList['endpoints'][number]

const ask = async (network: Network, endpoint: Endpoint): Promise<Asked> => {
  const answer = await network.ask(endpoint.url, answerMs)()
  return answer._tag === 'Answered'
    ? { ...endpoint, answers: true, status: answer.status, ms: answer.ms }
    : { ...endpoint, answers: false, reason: showAnswer(answer) }
}

const noEnvironment = (environment: string, namespace: string): Diagnostic =>
  error('DT3407', `there is no environment "${environment}" in namespace ${namespace}`, {
    help: '`devtool list` lists the environments, `devtool deploy` creates one',
  })

/** Addresses outside of the cluster, as the manifest named them. */
const externalIn = (kept: Live | undefined): ReadonlyArray<Endpoint> => {
  const record = kept === undefined ? undefined : readRecord(kept)
  if (record === undefined || E.isLeft(record)) return []
  return (record.right.external ?? []).map(({ name, url }) => ({ url, service: name }))
}

type Found = { readonly environment: string; readonly namespace: string; readonly endpoints: ReadonlyArray<Endpoint> }

/** Finds DT3407 (no such environment) and what the cluster refuses. */
export const findEndpoints = async ({
  environment,
  session: { cluster, namespace },
}: Endpoints): Promise<Result<Found>> => {
  const labels = environmentSelector(environment)
  const key = { resource: resources.ConfigMap, namespace, name: recordName(environment) }
  const [list, kept] = await Promise.all([
    cluster.list({ resource: resources.Ingress, namespace, labels })(),
    cluster.get(key)(),
  ])
  if (E.isLeft(list)) return { findings: [failureDiagnostic(list.left)] }
  const isAbsent = E.isRight(kept) && kept.right === undefined && list.right.items.length === 0
  if (isAbsent) return { findings: [noEnvironment(environment, namespace)] }
  const found = [...endpointsOf(list.right.items), ...externalIn(E.isRight(kept) ? kept.right : undefined)]
  return { findings: [], value: { environment, namespace, endpoints: found } }
}

/** The same, each asked. An address that does not answer is no failure: it is what was asked for. */
export const endpoints =
  ({ network }: { readonly network: Network }) =>
  async (wanted: Endpoints): Promise<Result<EndpointList>> => {
    const { findings, value } = await findEndpoints(wanted)
    if (value === undefined) return { findings }
    const asked = await bounded(value.endpoints, (endpoint) => ask(network, endpoint), mostAtOnce)
    return { findings, value: { ...value, endpoints: asked } }
  }
