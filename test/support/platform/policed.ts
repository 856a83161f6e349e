/**
 * A cluster in memory with admission policies that are compiled, come into effect, and refuse requests, as far as a
 * trial needs it.
 */
import * as E from 'fp-ts/lib/Either.js'
import { at, listAt, textAt } from '../../../src/domain/cluster/json.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { denialsIn } from '../../../src/domain/platform/manifests/probe.ts'
import type { Cluster } from '../../../src/ports/cluster.ts'
import { type MemoryCluster, type MemoryClusterOptions, memoryCluster } from '../../memory/cluster.ts'

/**
 * `idle`: the policy that never comes into effect. `harmful`: the kind that a policy with this text refuses everywhere.
 */
export type PolicedOptions = MemoryClusterOptions & {
  readonly idle?: string
  readonly harmful?: { readonly kind: string; readonly text: string }
}

export const policedCluster = ({ harmful, idle, ...options }: PolicedOptions = {}): MemoryCluster => {
  const cluster = memoryCluster(options)
  cluster.onChange(({ _tag, object, resource }) => {
    if (_tag === 'Removed' || resource.kind !== 'ValidatingAdmissionPolicy') return
    const { generation } = object.metadata
    if (at(object, 'status', 'observedGeneration') === generation) return
    cluster.put({ ...object, status: { observedGeneration: generation ?? 0 } })
  })
  const stored = (kind: 'ValidatingAdmissionPolicy' | 'ValidatingAdmissionPolicyBinding', name: string) =>
    cluster.get({ resource: resources[kind], name })()
  const denies = async (policy: string): Promise<boolean> => {
    const found = await stored('ValidatingAdmissionPolicyBinding', policy)
    return E.isRight(found) && listAt(found.right, 'spec', 'validationActions').includes('Deny')
  }
  const harms = async (kind: string): Promise<boolean> => {
    if (harmful?.kind !== kind || !(await denies('devtool-guard'))) return false
    const guard = await stored('ValidatingAdmissionPolicy', 'devtool-guard')
    return E.isRight(guard) && JSON.stringify(guard.right).includes(harmful.text)
  }
  const refusing = async (kind: string, body: unknown, isDryRun: boolean): Promise<string | undefined> => {
    if (!isDryRun) return (await harms(kind)) ? 'cannot allocate an address' : undefined
    const wanted = denialsIn([]).find((denial) => JSON.stringify(denial.body) === JSON.stringify(body))
    if (wanted === undefined || wanted.policy === idle || !(await denies(wanted.policy))) return undefined
    return `ValidatingAdmissionPolicy '${wanted.policy}' with binding '${wanted.policy}' denied request: no`
  }
  const create: Cluster['create'] = (selection, body, given) => async () => {
    const words = await refusing(textAt(body, 'kind') ?? '', body, given.isDryRun === true)
    if (words !== undefined)
      return E.left({
        _tag: 'Refused',
        asked: { verb: 'create', what: selection.resource.plural },
        status: 422,
        reason: 'Invalid',
        message: words,
        causes: [],
      })
    return cluster.create(selection, body, given)()
  }
  const policed: MemoryCluster = { ...cluster, create, as: (account) => ({ ...cluster.as(account), create }) }
  return policed
}
