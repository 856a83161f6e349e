/** `why`: why services of an environment are not running, the root cause first, with evidence and advice. */

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { failureDiagnostic, isForbidden } from '../../domain/cluster/failure.ts'
import { allOf, type ClusterObject, controllerOf, labelOf, type Observed } from '../../domain/cluster/live.ts'
import { type KnownKind, resources, workloadKinds } from '../../domain/cluster/resources.ts'
import { stillToRun } from '../../domain/destroy/commands.ts'
import { developmentsIn } from '../../domain/dev/developed.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { type Edges, edgesIn } from '../../domain/environment/edges.ts'
import type { EnvironmentRecord } from '../../domain/environment/record.ts'
import { ENVIRONMENT_LABEL, environmentSelector, SERVICE_LABEL } from '../../domain/k8s/labels.ts'
import { defined } from '../../domain/object/defined.ts'
import { suggestion } from '../../domain/text/suggest.ts'
import { dependenciesOf } from '../../domain/why/dependency.ts'
import { toDiagnostic } from '../../domain/why/finding.ts'
import { reliedPorts } from '../../domain/why/ports.ts'
import { causeReport, serviceReport, type WhyReport } from '../../domain/why/report.ts'
import { type ServiceState, tellStory } from '../../domain/why/story.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Target } from '../context/target.ts'
import { developmentObjects } from '../environment/developments.ts'
import { findRecord, recordIn, recordNotes } from '../environment/find-record.ts'
import { whyUnserved } from '../environment/unserved.ts'
import { answer, type Result } from '../result.ts'
import { causesTold, remarksTold, silentPorts } from './evidence.ts'

/** `service`: absent for all services. */
export type WhyRequest = {
  readonly target: Pick<Target, 'cluster' | 'namespace'>
  readonly environment: string
  readonly service?: string
}

type Needs = Pick<Ports, 'clock'>

/** Kinds whose objects do not carry devtool's labels when a command created them: they are found by their owners. */
const besides = ['Pod', 'ReplicaSet', 'PersistentVolumeClaim', 'Event', 'Service', 'Ingress'] as const

type ObservedEnvironment = {
  readonly observed: Observed
  readonly workloads: ReadonlyArray<ClusterObject>
  readonly record?: EnvironmentRecord
  /** Why the record cannot be read. */
  readonly notes: ReadonlyArray<Diagnostic>
  /** Kinds that we have no permission to list. */
  readonly skipped: ReadonlyArray<string>
}

/** A pod that a command created by itself: nothing starts it again on another node. */
const isBare = (pod: ClusterObject, environment: string): boolean =>
  controllerOf(pod) === undefined && labelOf(pod, ENVIRONMENT_LABEL) === environment

const observe =
  ({ environment, target }: WhyRequest): TE.TaskEither<Diagnostic, ObservedEnvironment> =>
  async () => {
    const { cluster, namespace } = target
    const labels = environmentSelector(environment)
    const kinds: ReadonlyArray<KnownKind> = [...workloadKinds, ...besides]
    const [record, developed, ...lists] = await Promise.all([
      findRecord(target, environment)(),
      developmentObjects(target),
      ...kinds.map((kind, index) =>
        cluster.list({ resource: resources[kind], namespace, ...(index < workloadKinds.length ? { labels } : {}) })(),
      ),
    ])
    const skipped: Array<string> = []
    const observed = new Map<string, ReadonlyMap<string, ClusterObject>>()
    for (const [index, list] of lists.entries()) {
      const kind = kinds[index] ?? ''
      if (E.isRight(list)) observed.set(kind, new Map(list.right.items.map((live) => [live.metadata.name, live])))
      else if (isForbidden(list.left) && kind !== 'Pod') skipped.push(kind)
      else return E.left(failureDiagnostic(list.left))
    }
    const first = lists.find(E.isLeft)
    if (first !== undefined && workloadKinds.every((kind) => skipped.includes(kind)))
      return E.left(failureDiagnostic(first.left))
    if (E.isLeft(record)) return record
    const known = recordIn(record.right)
    const workloads = [
      ...workloadKinds.flatMap((kind) => allOf(observed, kind)),
      ...allOf(observed, 'Pod').filter((pod) => isBare(pod, environment)),
    ]
    // Mirrors are not workloads of the environment.
    for (const [kind, items] of developed) observed.set(kind, new Map([...(observed.get(kind) ?? []), ...items]))
    return E.right({
      observed,
      workloads,
      skipped,
      notes: recordNotes(record.right),
      ...defined({ record: known }),
    })
  }

/** The service and its dependencies. */
const partOf = (states: ReadonlyArray<ServiceState>, service: string): ReadonlyArray<ServiceState> => {
  const wanted = new Set([service])
  for (const name of wanted) {
    for (const state of states) if (state.service === name) for (const other of state.dependsOn) wanted.add(other)
  }
  return states.filter((state) => wanted.has(state.service))
}

const nothing = ({ environment, service, target }: WhyRequest, states: ReadonlyArray<ServiceState>): Result<never> => {
  const names = states.map((state) => state.service)
  if (service === undefined || names.length === 0) {
    return {
      findings: [
        error('DT3407', `there is no environment "${environment}" in namespace ${target.namespace}`, {
          help: '`devtool list` shows the environments',
        }),
      ],
    }
  }
  return {
    findings: [
      error('DT3402', `environment ${environment} has no service "${service}"`, {
        help: suggestion(service, names, 'it has none'),
      }),
    ],
  }
}

const edgesOf = ({ record, workloads }: ObservedEnvironment): Edges =>
  new Map([
    ...edgesIn(record?.edges ?? []),
    ...workloads.map((workload) => [workload.metadata.name, dependenciesOf(workload)] as const),
  ])

const ingressesOf = ({ environment, service }: WhyRequest, observed: Observed): ReadonlyArray<ClusterObject> =>
  allOf(observed, 'Ingress').filter(
    (live) =>
      labelOf(live, ENVIRONMENT_LABEL) === environment &&
      (service === undefined || labelOf(live, SERVICE_LABEL) === service),
  )

const explained = async (ports: Needs, wanted: WhyRequest, seen: ObservedEnvironment): Promise<Result<WhyReport>> => {
  const { notes, observed, record, skipped, workloads } = seen
  const { target } = wanted
  const edges = edgesOf(seen)
  const [silent, withoutController] = await Promise.all([
    silentPorts(ports.clock, target, reliedPorts(observed, workloads, edges)),
    whyUnserved(target.cluster, ingressesOf(wanted, observed)),
  ])
  const inventory = record?.status === 'destroying' ? [] : (record?.inventory ?? [])
  const all = tellStory({ observed, edges, silent, developed: developmentsIn(observed) }, workloads, inventory)
  const states = wanted.service === undefined ? all : partOf(all, wanted.service)
  if (states.length === 0 && (record === undefined || all.length > 0)) {
    return { findings: [...nothing(wanted, all).findings, ...notes] }
  }
  const [causes, told] = await Promise.all([
    causesTold(
      ports.clock,
      target,
      states.flatMap((state) => state.causes),
    ),
    remarksTold(ports.clock, target, states),
  ])
  const remarks = [...told, ...withoutController.map((cause) => ({ cause, log: [] }))]
  const value = {
    namespace: target.namespace,
    environment: wanted.environment,
    isHealthy: states.every(({ state }) => state === 'healthy'),
    services: states.map(serviceReport),
    causes: causes.map(causeReport),
    remarks: remarks.map(causeReport),
    skipped,
  }
  const findings = [
    ...causes.map(({ cause, log }) => toDiagnostic(cause, log)),
    ...remarks.map(({ cause, log }) => toDiagnostic(cause, log, true)),
  ]
  const unrun = record === undefined ? [] : stillToRun(record)
  return { findings: [...findings, ...unrun, ...notes], value }
}

/**
 * Finds each problem as an error with a 32xx code, which the report contains as well; DT3407 and DT3402 when there is
 * no such environment or service; and what the cluster refuses. Kinds that may not be read are left out.
 */
export const why =
  (ports: Needs) =>
  (wanted: WhyRequest): Promise<Result<WhyReport>> => {
    const work = pipe(
      observe(wanted),
      TE.flatMapTask((seen) => () => explained(ports, wanted, seen)),
    )
    return answer(work)
  }
