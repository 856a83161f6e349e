/** `doctor --check`: tries everything that deploy will need, without changing anything. */

import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, failureDiagnostic, isForbidden } from '../../domain/cluster/failure.ts'
import type { ClusterObject } from '../../domain/cluster/live.ts'
import { type KnownKind, type Resource, resources } from '../../domain/cluster/resources.ts'
import { neededRights } from '../../domain/cluster/rights.ts'
import { error } from '../../domain/diagnostic/diagnostic.ts'
import {
  type CheckList,
  type ClusterCheck,
  checkBuilder,
  checkDomain,
  checkIngress,
  checkQuotas,
  checkRegistry,
  checkRights,
  checkStorage,
  checkVersion,
  failed,
  skipped,
} from '../../domain/doctor/check.ts'
import { publicUrl } from '../../domain/text/public-url.ts'
import type { Network } from '../../ports/network.ts'
import { missingRights } from '../context/rights.ts'
import type { Target } from '../context/target.ts'
import type { Result } from '../result.ts'

/** `builder`: an address as in BUILDKIT_HOST. */
export type CheckCluster = {
  readonly target: Target
  readonly builder?: string
}

const answerMs = 3_000

const rights = (target: Target): T.Task<ClusterCheck> =>
  pipe(
    missingRights(target, neededRights),
    TE.match(
      (failure) => skipped('rights', `the cluster did not answer: ${failureDiagnostic(failure).message}`),
      checkRights,
    ),
  )

const listed = (
  { cluster, namespace }: Target,
  name: string,
  kind: KnownKind,
  judge: (items: ReadonlyArray<ClusterObject>) => ClusterCheck,
): T.Task<ClusterCheck> => {
  const resource: Resource = resources[kind]
  const unlisted = (failure: Failure): ClusterCheck => {
    const why = isForbidden(failure) ? `no permission to list ${resource.plural}` : failureDiagnostic(failure).message
    return skipped(name, why)
  }
  return pipe(
    cluster.list({ resource, ...(resource.isNamespaced ? { namespace } : {}) }),
    TE.match(unlisted, ({ items }) => judge(items)),
  )
}

const domain = async (network: Network, { namespace, settings }: Target): Promise<ClusterCheck> => {
  const { domain: name } = settings
  if (name === undefined || name === 'localhost') return skipped('domain', 'none is set, so it is localhost')
  return checkDomain(name, await network.ask(`http://devtool-check-${namespace}.${name}/`, answerMs)())
}

const registry = async (network: Network, { settings }: Target): Promise<ClusterCheck> => {
  const host = settings.registry?.split('/')[0]
  if (host === undefined) return skipped('registry', 'none is set: images are used by the names in the file')
  const secure = await network.ask(`https://${host}/v2/`, answerMs)()
  const plain = secure._tag === 'Answered' ? undefined : await network.ask(`http://${host}/v2/`, answerMs)()
  return checkRegistry(host, secure, plain)
}

const builder = async (network: Network, address: string | undefined): Promise<ClusterCheck> => {
  const [, host = '', port = ''] = /^(?:tcp:\/\/)?\[?([^/[\]]+?)\]?:(\d+)$/.exec(address ?? '') ?? []
  if (address === undefined || address === '') return skipped('builder', 'BUILDKIT_HOST is not set')
  const shown = publicUrl(address).replace(/^[^/]*@/, '')
  if (host === '') return skipped('builder', `${shown} is on this machine`)
  return checkBuilder(shown, await network.reach(host, Number(port), answerMs)())
}

const unreachable = (failure: Failure): ReadonlyArray<ClusterCheck> => {
  const { help = 'check the context with `devtool context show`', message } = failureDiagnostic(failure)
  const rest = ['rights', 'quota', 'storage', 'ingress']
  return [failed('cluster', message, help), ...rest.map((name) => skipped(name, 'the cluster cannot be reached'))]
}

const ofCluster = (target: Target): T.Task<ReadonlyArray<ClusterCheck>> => {
  const others = T.sequenceArray([
    rights(target),
    listed(target, 'quota', 'ResourceQuota', checkQuotas),
    listed(target, 'storage', 'StorageClass', checkStorage),
    listed(target, 'ingress', 'IngressClass', (classes) => checkIngress(classes, target.settings.ingressClass)),
  ])
  return pipe(
    TE.Do,
    TE.apS('version', target.cluster.version()),
    TE.bind('checks', () => TE.fromTask(others)),
    TE.match(unreachable, ({ checks, version }) => [checkVersion(version), ...checks]),
  )
}

/** Finds DT3405 when a check failed. */
export const checkCluster =
  ({ network }: { readonly network: Network }) =>
  async ({ builder: address, target }: CheckCluster): Promise<Result<CheckList>> => {
    const [cluster, ...others] = await Promise.all([
      ofCluster(target)(),
      domain(network, target),
      registry(network, target),
      builder(network, address),
    ])
    const checks = [...cluster, ...others]
    const names = checks.filter(({ verdict }) => verdict === 'failed').map(({ name }) => name)
    const findings = names.length === 0 ? [] : [error('DT3405', `not ready for deploy: ${names.join(', ')}`)]
    return { findings, value: { checks } }
  }
