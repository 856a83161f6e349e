/** `endpoints`: the public addresses of an environment, each with whether it answers. */

import * as E from 'fp-ts/lib/Either.js'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import type { Live } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { type Endpoint, endpointsOf } from '../../domain/environment/endpoints.ts'
import { readRecord, recordName } from '../../domain/environment/record.ts'
import { environmentSelector } from '../../domain/k8s/labels.ts'
import { type Answer, showAnswer } from '../../domain/network/answer.ts'
import { printTable } from '../../domain/print/table.ts'
import { visible } from '../../domain/text/visible.ts'
import type { Network } from '../../ports/network.ts'
import { bounded } from '../concurrency/bounded.ts'
import type { Session } from '../context/target.ts'
import { printData } from '../output/data.ts'
import type { EndpointForm } from '../output/forms.ts'
import type { Outcome } from '../output/outcome.ts'

export type Endpoints = {
  readonly session: Pick<Session, 'cluster' | 'namespace'>
  readonly environment: string
  readonly output: EndpointForm
}

const answerMs = 3_000
/** Addresses that are asked at a time. */
const mostAtOnce = 32

type Asked = Endpoint & { readonly answer: Answer }

const askAll = (network: Network, endpoints: ReadonlyArray<Endpoint>): Promise<ReadonlyArray<Asked>> =>
  bounded(
    endpoints,
    async (endpoint) => ({ ...endpoint, answer: await network.ask(endpoint.url, answerMs)() }),
    mostAtOnce,
  )

const toData = ({ answer, service, url }: Asked) => ({
  url,
  service,
  answers: answer._tag === 'Answered',
  ...(answer._tag === 'Answered' ? { status: answer.status, ms: answer.ms } : { reason: showAnswer(answer) }),
})

/** Brackets and blanks would end a link of Markdown. */
const inLink = (url: string): string => url.replace(/[()<>\s]/g, encodeURIComponent)

const toMarkdown = (environment: string, asked: ReadonlyArray<Asked>): string => {
  const lines = asked.map(({ answer, service, url }) => {
    const link = inLink(visible(url))
    return `- ${visible(service)}: [${link}](${link})${answer._tag === 'Answered' ? '' : ' (does not answer)'}`
  })
  return `### Endpoints of ${environment}\n\n${lines.length === 0 ? 'None.' : lines.join('\n')}\n`
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

/** Finds DT3407 (no such environment) and what the cluster refuses. An address that does not answer is no failure: it is what was asked for. */
export const endpoints =
  ({ network }: { readonly network: Network }) =>
  async ({ environment, output, session: { cluster, namespace } }: Endpoints): Promise<Outcome> => {
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
    if (output === 'name') return { findings: [], output: found.map(({ url }) => `${visible(url)}\n`).join('') }
    const asked = await askAll(network, found)
    if (output === 'json' || output === 'yaml') {
      return { findings: [], output: printData(output, { environment, namespace, endpoints: asked.map(toData) }) }
    }
    if (output === 'md') return { findings: [], output: toMarkdown(environment, asked) }
    if (asked.length === 0) return { findings: [], said: [`environment ${environment} has no public addresses`] }
    const cells = asked.map(({ answer, service, url }) => [service, url, showAnswer(answer)])
    return { findings: [], output: printTable(['Service', 'URL', 'Answers'], cells) }
  }
