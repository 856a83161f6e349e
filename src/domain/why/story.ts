/** The services of an environment, each with what is wrong with it: services that others depend on come first. */

import { at } from '../cluster/json.ts'
import { type ClusterObject, labelOf, type Observed } from '../cluster/live.ts'
import { workloadKinds } from '../cluster/resources.ts'
import type { Edges } from '../environment/edges.ts'
import type { InventoryEntry } from '../environment/record.ts'
import { SERVICE_LABEL } from '../k8s/labels.ts'
import { defined } from '../object/defined.ts'
import { readRollout } from '../rollout/rollout.ts'
import type { Cause } from './cause.ts'
import { findCauses, ranked } from './causes.ts'
import { blockedBy, dependenciesOf } from './dependency.ts'
import { findRemarks, loopOf } from './remark.ts'
import { sceneOf, waitsForRestart } from './scene.ts'

/** `devtool why` reports what is wrong now, even if it only just began. */
const always = (): number => Number.POSITIVE_INFINITY

/** Starting: not ready yet, without any known problem. `detail`: the progress. */
export type ServiceState = {
  readonly service: string
  readonly kind: string
  readonly name: string
  readonly state: 'healthy' | 'starting' | 'failing'
  readonly detail: string
  /** Whether it is developed with `up`. */
  readonly isDeveloped?: boolean
  readonly dependsOn: ReadonlyArray<string>
  readonly causes: ReadonlyArray<Cause>
  readonly remarks: ReadonlyArray<Cause>
  /** For a healthy service: its log may report that something is missing. */
  readonly loop?: Cause
}

/** A developed workload, whose own pods are gone meanwhile. `detail`: by whom, since when. */
export type Development = Pick<ServiceState, 'detail' | 'causes' | 'remarks'> & { readonly isRunning: boolean }

/** `developed`: keyed by `Kind/name`. */
type WhyContext = {
  readonly developed: ReadonlyMap<string, Development>
  readonly observed: Observed
  readonly edges: Edges
  /** By workload: ports that others rely on, and that accept no connections. */
  readonly silent: ReadonlyMap<string, ReadonlyArray<Cause>>
}

const dependenciesIn = ({ edges }: WhyContext, workload: ClusterObject): ServiceState['dependsOn'] => [
  ...new Set([...dependenciesOf(workload).keys(), ...(edges.get(workload.metadata.name)?.keys() ?? [])]),
]

const developedState = (
  context: WhyContext,
  workload: ClusterObject,
  { isRunning, ...state }: Development,
): ServiceState => ({
  ...state,
  kind: workload.kind,
  name: workload.metadata.name,
  service: labelOf(workload, SERVICE_LABEL) ?? workload.metadata.name,
  state: isRunning ? 'healthy' : state.causes.length > 0 ? 'failing' : 'starting',
  isDeveloped: true,
  dependsOn: dependenciesIn(context, workload),
})

/** A Job whose end others wait for. */
const isAwaitedToEnd = ({ edges }: WhyContext, { kind, metadata: { name } }: ClusterObject): boolean =>
  kind === 'Job' && [...edges.values()].some((needs) => needs.get(name) === 'service_completed_successfully')

const stateOf = (context: WhyContext, workload: ClusterObject): ServiceState => {
  const { developed, observed, silent } = context
  const ref = { kind: workload.kind, name: workload.metadata.name }
  const development = developed.get(`${ref.kind}/${ref.name}`)
  if (development !== undefined) return developedState(context, workload, development)
  const rollout = readRollout(observed, ref)
  const causes = [...findCauses(observed, ref, always), ...(silent.get(ref.name) ?? [])]
  const isAwaited = rollout?.isComplete !== true && isAwaitedToEnd(context, workload)
  const isIdle = rollout?.desired === 0 || at(workload, 'spec', 'suspend') === true
  const isWell = (rollout?.isAvailable === true && !isAwaited) || (isIdle && rollout?.isFailed !== true)
  const service = labelOf(workload, SERVICE_LABEL) ?? ref.name
  const scene =
    rollout === undefined
      ? undefined
      : sceneOf({ observed, workload, rollout, seenForMs: always, isLooping: waitsForRestart })
  const isFine = causes.length === 0 && isWell
  return {
    ...ref,
    service,
    state: causes.length > 0 ? 'failing' : isWell ? 'healthy' : 'starting',
    detail: `${rollout?.detail ?? ''}${isAwaited ? ', has not ended yet' : ''}`,
    dependsOn: dependenciesIn(context, workload),
    causes,
    remarks: scene === undefined ? [] : findRemarks(scene, isFine),
    ...defined({ loop: scene === undefined || !isFine ? undefined : loopOf(scene) }),
  }
}

/** Kinds by which a service is reached, or which it mounts. */
const besideWorkloads: ReadonlySet<string> = new Set(['Service', 'Ingress', 'PersistentVolumeClaim'])

const absent = 'not in the cluster'

const lost = (what: string): string =>
  `${what} is not in the cluster: the last deploy did not get that far, or it was deleted`

/** A workload that the last deploy planned but did not create. */
const neverMade = ({ edges }: Pick<WhyContext, 'edges'>, { kind, name }: InventoryEntry): ServiceState => ({
  service: name,
  kind,
  name,
  state: 'failing',
  detail: absent,
  dependsOn: [...(edges.get(name)?.keys() ?? [])],
  remarks: [],
  causes: [
    {
      code: 'DT3224',
      subject: name,
      message: lost('it'),
      help: 'fix what it depends on, then run `devtool deploy` again',
      object: `${kind}/${name}`,
      isFinal: true,
    },
  ],
})

/** Likewise an object beside a workload. */
const besideLost = (entry: InventoryEntry): ServiceState => {
  const state = neverMade({ edges: new Map() }, entry)
  const message = lost(`${entry.kind}/${entry.name}`)
  return { ...state, causes: state.causes.map((cause) => ({ ...cause, message, help: 'run `devtool deploy` again' })) }
}

/**
 * Follows dependencies from a service to the root cause, through services that are not healthy. Cycles are cut where
 * they close.
 */
const chainFrom = (states: ReadonlyMap<string, ServiceState>, start: ServiceState): ReadonlyArray<ServiceState> => {
  const chain = [start]
  for (let last: ServiceState | undefined = start; last !== undefined; ) {
    last = last.dependsOn
      .flatMap((name) => states.get(name) ?? [])
      .find((each) => each.state !== 'healthy' && !chain.includes(each))
    if (last !== undefined) chain.push(last)
  }
  return chain
}

/** What it waits for has no problem that is known, and may only take long. */
const yetToCome = (state: ServiceState, names: ReadonlyArray<string>): ServiceState => ({
  ...state,
  causes: state.causes.map((cause) => ({
    ...cause,
    message: `it is not in the cluster: it waits for ${names.join(', which waits for ')}`,
    help: 'see what that is doing, then run `devtool deploy` again',
    next: ['devtool', 'logs', names.at(-1) ?? ''],
  })),
})

/** An unhealthy service, with the dependency that blocks it. */
const explained = (states: ReadonlyMap<string, ServiceState>, state: ServiceState) => {
  const chain = state.state === 'healthy' ? [state] : chainFrom(states, state)
  const root = chain.at(-1)
  if (chain.length === 1 || root === undefined) return { state, depth: 0 }
  if (root.causes.length === 0) {
    const others = chain.slice(1).map(({ service }) => service)
    return { state: state.detail === absent ? yetToCome(state, others) : state, depth: 0 }
  }
  const blocked = blockedBy(
    chain.map(({ service }) => service),
    root.causes[0],
  )
  return {
    state: {
      ...state,
      state: 'failing',
      causes: state.detail === absent ? [blocked] : [...state.causes, blocked],
    } satisfies ServiceState,
    depth: chain.length - 1,
  }
}

const importance: Readonly<Record<ServiceState['state'], number>> = { failing: 0, starting: 1, healthy: 2 }

/**
 * Failing services first, root causes before what depends on them, final causes before others. `workloads`: those of
 * the environment; `inventory`: what its record lists.
 */
export const tellStory = (
  known: WhyContext,
  workloads: ReadonlyArray<ClusterObject>,
  inventory: ReadonlyArray<InventoryEntry>,
): ReadonlyArray<ServiceState> => {
  const isMade = new Set(workloads.map(({ kind, metadata: { name } }) => `${kind}/${name}`))
  const missing = inventory.filter(
    ({ kind, name }) => workloadKinds.some((each) => each === kind) && !isMade.has(`${kind}/${name}`),
  )
  const isMissing = new Set(missing.map(({ name }) => name))
  const besides = inventory.filter(
    ({ kind, name, namespace }) =>
      namespace === undefined &&
      besideWorkloads.has(kind) &&
      known.observed.get(kind)?.has(name) === false &&
      !isMissing.has(name),
  )
  // A Service has the name of its workload, which counts for those that depend on it.
  const all = [
    ...besides.map(besideLost),
    ...workloads.map((workload) => stateOf(known, workload)),
    ...missing.map((entry) => neverMade(known, entry)),
  ]
  const byService = new Map(all.map((state) => [state.service, state]))
  const told = all.map((state) => explained(byService, state))
  const order = ranked(told.flatMap(({ state }) => state.causes.slice(0, 1)))
  const rankOf = ({ causes: [first] }: ServiceState): number => (first === undefined ? 0 : order.indexOf(first))
  return told
    .toSorted(
      (a, b) =>
        importance[a.state.state] - importance[b.state.state] ||
        a.depth - b.depth ||
        rankOf(a.state) - rankOf(b.state) ||
        (a.state.service < b.state.service ? -1 : 1),
    )
    .map(({ state }) => state)
}
