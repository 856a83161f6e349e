/** Whether an Ingress controller serves the public addresses, for deploys that wait. */
import * as E from 'fp-ts/lib/Either.js'
import { hasAddress, ingressClassOf } from '../../domain/cluster/ingress.ts'
import { type ClusterObject, liveOf } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { environmentSelector } from '../../domain/k8s/labels.ts'
import { partition } from '../../domain/plan/action.ts'
import { toDiagnostic } from '../../domain/why/finding.ts'
import { whyUnserved } from '../environment/unserved.ts'
import type { Run } from './request.ts'

/** Warnings. */
export const unserved = async ({
  isWaiting,
  observed,
  plan,
  signal,
  target,
}: Run): Promise<ReadonlyArray<Diagnostic>> => {
  const planned = new Map(
    partition(plan.actions).Apply.flatMap(({ object }) =>
      object.kind === 'Ingress' ? [[object.metadata.name, object.spec.ingressClassName] as const] : [],
    ),
  )
  const isServed = ([name, wanted]: readonly [string, string | undefined]): boolean => {
    const live = liveOf(observed, 'Ingress', name)
    return live !== undefined && hasAddress(live) && (wanted === undefined || wanted === ingressClassOf(live))
  }
  if (!isWaiting || [...planned].every(isServed)) return []
  const { cluster, namespace } = target
  const labels = environmentSelector(plan.environment)
  const ingresses = await cluster.list({ resource: resources.Ingress, namespace, labels }, { signal })()
  if (E.isLeft(ingresses)) return []
  /** An address of the class that it had before means nothing. */
  const current = (live: ClusterObject): ClusterObject => {
    const before = liveOf(observed, 'Ingress', live.metadata.name)
    return before === undefined || ingressClassOf(before) === ingressClassOf(live) ? live : { ...live, status: {} }
  }
  const own = ingresses.right.items.filter(({ metadata }) => planned.has(metadata.name)).map(current)
  return (await whyUnserved(cluster, own, signal)).map((cause) => toDiagnostic(cause, [], true))
}
