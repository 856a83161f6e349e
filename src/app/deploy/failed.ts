/** Why a deploy failed: the causes found, what was still waited for, and what never began. */

import { failureDiagnostic, isForbidden } from '../../domain/cluster/failure.ts'
import type { Observed } from '../../domain/cluster/live.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { error } from '../../domain/diagnostic/diagnostic.ts'
import { edgesIn, edgesOf } from '../../domain/environment/edges.ts'
import { SERVICE_LABEL } from '../../domain/k8s/labels.ts'
import { partition, showRef } from '../../domain/plan/action.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { oldVersionOf } from '../../domain/rollout/serving.ts'
import type { Cause } from '../../domain/why/cause.ts'
import { findCauses } from '../../domain/why/causes.ts'
import { dependenciesOf, workloadOf } from '../../domain/why/dependency.ts'
import { causesInOrder, type FailedService, stillServes } from '../../domain/why/failure.ts'
import { toDiagnostic } from '../../domain/why/finding.ts'
import { inWordsOf } from '../../domain/why/keys.ts'
import { reliedPorts } from '../../domain/why/ports.ts'
import type { AwaitedObject } from '../../domain/why/waiting.ts'
import type { Clock } from '../../ports/clock.ts'
import { atMost, isTimeout } from '../concurrency/deadline.ts'
import type { Target } from '../context/target.ts'
import { causesTold, silentPorts } from '../inspect/evidence.ts'
import type { Watching } from '../watch/watch.ts'
import type { Executed } from './executed.ts'

export type FailedDeploy = {
  readonly target: Pick<Target, 'cluster' | 'namespace'>
  readonly watching: Watching
  readonly signal: AbortSignal
  readonly ports: { readonly clock: Clock }
  /** The deployment that `rollback` would restore. */
  readonly earlier?: number
  /** Absent when no file describes the failed objects. */
  readonly plan?: Pick<Plan, 'actions'>
}

/** How long logs and ports are looked at after the end. A port that accepts connections is only known after a second. */
const evidenceMs = (signal: AbortSignal): number => (isTimeout(signal) ? 3000 : 500)
/** More causes of one service than this do not help. */
const mostCauses = 3

/** The cause as a finding, with the keys that the files use. */
const worded = ({ plan }: FailedDeploy, cause: Cause, logLines: ReadonlyArray<string>): Diagnostic => {
  const found = toDiagnostic(cause, logLines)
  if (found.help === undefined || plan === undefined) return found
  const services = new Set(cause.subject.split(', '))
  const origins = partition(plan.actions).Apply.flatMap((action) =>
    services.has(action.object.metadata.labels?.get(SERVICE_LABEL) ?? '') ? action.origins : [],
  )
  return { ...found, help: inWordsOf(origins, found.help) }
}

/** A log may mean any service of the plan, not only what is known of its own. */
const amongAll = ({ plan }: FailedDeploy, cause: Cause): Cause => {
  const { logContext: known } = cause
  if (plan === undefined || known === undefined) return cause
  const services = partition(plan.actions).Apply.flatMap(({ object }) =>
    object.kind === 'Service' ? [object.metadata.name] : [],
  )
  return { ...cause, logContext: { ...known, services: [...new Set([...known.services, ...services])] } }
}

const told = async (deploy: FailedDeploy, given: Cause): Promise<Diagnostic> => {
  const found = amongAll(deploy, given)
  const [{ cause, log } = { cause: found, log: [] }] = await causesTold(deploy.ports.clock, deploy.target, [found])
  return worded(deploy, cause, log)
}

/** Ports on which others rely, of a workload that is ready, but on which nothing listens. */
const silentOf = async (
  { plan, ports, target, watching: { state } }: FailedDeploy,
  { ref: { kind, name }, service }: AwaitedObject,
): Promise<ReadonlyArray<Cause>> => {
  const observed = state.of(service)
  const live = observed.get(kind)?.get(name)
  if (live === undefined) return []
  const edges = edgesIn(plan === undefined ? [] : edgesOf(plan, []))
  return (await silentPorts(ports.clock, target, reliedPorts(observed, [live], edges))).get(name) ?? []
}

const pendingText = ({ pending }: Executed): string =>
  [...new Set(pending.map(({ detail, name }) => `${name} (${detail})`))].join(', ')

export const outOfTime = (executed: Executed, signal: AbortSignal): Diagnostic => {
  const waited = executed.pending.length === 0 ? '' : `; still waiting for ${pendingText(executed)}`
  return isTimeout(signal)
    ? error('DT3120', `timed out${waited}`, {
        help: 'what was applied stays: run `devtool why` to see what is wrong, or use --timeout to wait longer',
      })
    : error('DT3121', `interrupted${waited}`, {
        help: 'what was applied stays; run the same command again to continue',
      })
}

/** How long a state has lasted does not matter after the failure. */
const inHindsight = (): number => Number.POSITIVE_INFINITY

/** A service with the causes that keep it from being ready: its own, and those of the services that it waits for. */
const withDependencies = (
  { watching: { state } }: FailedDeploy,
  failed: ReadonlyArray<FailedService>,
): ReadonlyArray<FailedService> => {
  const all = new Map(failed.map((each) => [each.service, each]))
  // The map grows during this loop.
  for (const { dependsOn } of all.values()) {
    for (const service of dependsOn) {
      const observed = state.of(service)
      const live = workloadOf(observed, service)
      if (all.has(service) || live === undefined) continue
      const causes = findCauses(observed, { kind: live.kind, name: live.metadata.name }, inHindsight)
      all.set(service, { service, causes: causes.slice(0, 1), dependsOn: [...dependenciesOf(live).keys()] })
    }
  }
  return [...all.values()]
}

/** An object that no file describes has no service. */
const nameOf = ({ ref, service }: AwaitedObject): string => (service === '' ? showRef(ref) : service)

const failedService = (
  { watching: { state } }: FailedDeploy,
  wanted: AwaitedObject,
  causesIn: (observed: Observed) => ReadonlyArray<Cause>,
): FailedService => {
  const { ref, service } = wanted
  const observed = state.of(service)
  const live = observed.get(ref.kind)?.get(ref.name)
  const dependsOn = live === undefined ? [] : [...dependenciesOf(live).keys()]
  return { service: nameOf(wanted), causes: causesIn(observed), dependsOn }
}

const servingFindings = (
  { earlier, watching: { state } }: FailedDeploy,
  unmet: ReadonlyArray<AwaitedObject>,
): ReadonlyArray<Diagnostic> => {
  const byName = new Map(unmet.map((wanted) => [nameOf(wanted), wanted]))
  return [...byName].flatMap(([name, { ref, service }]) => {
    const old = oldVersionOf(state.of(service), ref)
    return old === undefined ? [] : [stillServes(name, old, earlier)]
  })
}

/** What may not be watched, and so may be why nothing was seen to become ready. */
const unseen = ({ watching }: FailedDeploy): ReadonlyArray<Diagnostic> =>
  watching
    .troubles()
    .filter(isForbidden)
    .map((failure) => ({ ...failureDiagnostic(failure), severity: 'warning' }))

/** Causes first. Services that were still awaited are explained too, unless they may yet become ready. */
export const explainFailure = async (deploy: FailedDeploy, executed: Executed): Promise<ReadonlyArray<Diagnostic>> => {
  const { signal } = deploy
  const pending = executed.pending.flatMap(({ wanted }) => wanted ?? [])
  const unmet = [...executed.stuck.map(({ wanted }) => wanted), ...pending]
  const inTime = <A>(work: () => Promise<A>): Promise<A | undefined> =>
    atMost(deploy.ports.clock, evidenceMs(signal), work)
  const silent = signal.aborted
    ? await Promise.all(pending.map((wanted) => inTime(() => silentOf(deploy, wanted))))
    : []
  const failed = [
    ...executed.stuck.map(({ causes, wanted }) => failedService(deploy, wanted, () => causes.slice(0, mostCauses))),
    ...pending.map((wanted, index) =>
      failedService(deploy, wanted, (observed) =>
        [...findCauses(observed, wanted.ref, inHindsight), ...(silent[index] ?? [])]
          .filter(({ isFinal }) => isFinal || signal.aborted)
          .slice(0, 1),
      ),
    ),
  ]
  const explained = failed.filter((each) => each.causes.length > 0)
  const causes = causesInOrder(withDependencies(deploy, explained))
  const down = new Set(explained.map(({ service }) => service))
  const serving = servingFindings(
    deploy,
    unmet.filter((wanted) => signal.aborted || down.has(nameOf(wanted))),
  )
  if (!signal.aborted) {
    return [...(await Promise.all(causes.map((cause) => told(deploy, cause)))), ...unseen(deploy), ...serving]
  }
  const soon = async (cause: Cause): Promise<Diagnostic> =>
    (await inTime(() => told(deploy, cause))) ?? worded(deploy, cause, [])
  return [...(await Promise.all(causes.map(soon))), ...unseen(deploy), outOfTime(executed, signal), ...serving]
}
