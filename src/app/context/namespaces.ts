/** `namespace`, `namespace use` and `kubeconfig`: which namespace of the context in effect commands work in. */
import * as E from 'fp-ts/lib/Either.js'
import { failureDiagnostic, isForbidden } from '../../domain/cluster/failure.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { withContext } from '../../domain/context/store.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { Cluster } from '../../ports/cluster.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Result } from '../result.ts'
import { missingNamespace } from './connect.ts'
import { changeStore } from './contexts.ts'
import { type Located, locate, type Variables } from './locate.ts'
import type { Reach } from './target.ts'

type NamespacePorts = Pick<Ports, 'clusters' | 'home' | 'prompt'>

const failed = (found: Diagnostic): Result<never> => ({ findings: [found] })

const open = (ports: NamespacePorts, { kubeconfig }: Reach, { context }: Located) =>
  ports.clusters.connect({ context, ...(kubeconfig === undefined ? {} : { file: kubeconfig }) })()

const ask = async (
  { prompt }: NamespacePorts,
  cluster: Cluster,
  { namespace }: Located,
  signal: AbortSignal,
): Promise<E.Either<Diagnostic, string>> => {
  const listed = await cluster.list({ resource: resources.Namespace }, { isMetadataOnly: true, signal })()
  if (E.isLeft(listed)) {
    const found = failureDiagnostic(listed.left)
    return E.left(isForbidden(listed.left) ? { ...found, help: 'name it: `devtool namespace use NAME`' } : found)
  }
  const names = listed.right.items.map(({ metadata }) => metadata.name)
  const sorted = [...names.filter((name) => name === namespace), ...names.filter((name) => name !== namespace)]
  const choices = sorted.map((name) => ({ value: name, text: name === namespace ? `${name} *` : name }))
  return prompt.choose({ text: 'which namespace?', flag: '`devtool namespace use NAME`' }, choices)()
}

/** Who cannot reach the cluster now may still choose; only what is known to be absent is refused. */
const check = async (
  cluster: Cluster,
  place: Located,
  reach: Reach,
  signal: AbortSignal,
): Promise<ReadonlyArray<Diagnostic>> => {
  const found = await cluster.get({ resource: resources.Namespace, name: place.namespace }, signal)()
  if (E.isRight(found)) return found.right === undefined ? [missingNamespace(place, reach)] : []
  if (isForbidden(found.left)) return []
  const failure = failureDiagnostic(found.left)
  return [failure.code === 'DT3007' ? failure : { ...failure, severity: 'warning' }]
}

const isFatal = ({ severity }: Diagnostic): boolean => severity === 'error'

/**
 * Makes `name` the namespace of the context in effect; without a name it asks which. Finds DT2109, and as a warning that the
 * cluster could not be asked.
 */
export const useNamespace =
  (ports: NamespacePorts) =>
  async (name: string | undefined, reach: Reach, env: Variables, signal: AbortSignal): Promise<Result<never>> => {
    const place = await locate(ports)(name === undefined ? reach : { ...reach, namespace: name }, env)
    if (E.isLeft(place)) return failed(place.left)
    const opened = await open(ports, reach, place.right)
    if (E.isLeft(opened)) return failed(opened.left)
    const cluster = opened.right
    const chosen = name === undefined ? await ask(ports, cluster, place.right, signal) : E.right(name)
    const found = E.isRight(chosen) && name !== undefined ? await check(cluster, place.right, reach, signal) : []
    cluster.close()
    if (E.isLeft(chosen)) return failed(chosen.left)
    const findings = [...cluster.warnings, ...found]
    if (findings.some(isFatal)) return { findings }
    const { context } = place.right
    const written = await changeStore(ports, (store) => withContext(store, context, { namespace: chosen.right }))
    if (E.isLeft(written)) return { findings: [...findings, written.left] }
    const variable = env['DEVTOOL_NAMESPACE'] ?? ''
    const overruled =
      variable === '' || variable === chosen.right ? [] : ['DEVTOOL_NAMESPACE is set and takes precedence']
    return { findings, said: [`using namespace ${chosen.right} of ${context}`, ...overruled] }
  }

/** Makes the context and namespace in effect those of the kubeconfig, too. */
export const updateKubeconfig =
  (ports: NamespacePorts) =>
  async (reach: Reach, env: Variables): Promise<Result<never>> => {
    const place = await locate(ports)(reach, env)
    if (E.isLeft(place)) return failed(place.left)
    const { context, namespace } = place.right
    const file = reach.kubeconfig === undefined ? {} : { file: reach.kubeconfig }
    const selected = await ports.clusters.select({ context, namespace, ...file })()
    if (E.isLeft(selected)) return failed(selected.left)
    return { findings: [], said: [`${selected.right} now uses ${context}, namespace ${namespace}`] }
  }
