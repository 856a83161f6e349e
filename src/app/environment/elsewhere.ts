/** Environments of the same name in other namespaces. */
import * as E from 'fp-ts/lib/Either.js'
import { resources } from '../../domain/cluster/resources.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { recordName } from '../../domain/environment/record.ts'
import { RECORD_SELECTOR } from '../../domain/k8s/labels.ts'
import type { Target } from '../context/target.ts'

/** The namespaces with an environment of this name; none where records of other namespaces may not be listed. */
const namespacesOf = async (
  { cluster }: Pick<Target, 'cluster'>,
  environment: string,
  signal: AbortSignal,
): Promise<ReadonlyArray<string>> => {
  const name = recordName(environment)
  const selection = { resource: resources.ConfigMap, labels: RECORD_SELECTOR, fields: `metadata.name=${name}` }
  const found = await cluster.list(selection, { isMetadataOnly: true, signal })()
  return E.isRight(found) ? found.right.items.flatMap(({ metadata: { namespace } }) => namespace ?? []).toSorted() : []
}

/** A sentence about other namespaces with such an environment. */
export const elsewhereText = async (
  target: Pick<Target, 'cluster'>,
  environment: string,
  signal: AbortSignal,
): Promise<string | undefined> => {
  const namespaces = await namespacesOf(target, environment, signal)
  if (namespaces.length === 0) return undefined
  const where = namespaces.length === 1 ? 'namespace' : 'the namespaces'
  return `environment ${environment} is in ${where} ${namespaces.join(', ')} (--namespace ${namespaces[0]})`
}

/** The findings of a command, with other namespaces added to DT3407 (no such environment). */
export const sayElsewhere = async (
  target: Pick<Target, 'cluster'>,
  environment: string,
  findings: ReadonlyArray<Diagnostic>,
  signal: AbortSignal,
): Promise<ReadonlyArray<Diagnostic>> => {
  const help = await elsewhereText(target, environment, signal)
  if (help === undefined) return findings
  return findings.map((finding) => (finding.code === 'DT3407' ? { ...finding, help } : finding))
}
