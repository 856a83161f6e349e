/** Workloads that are being developed with `up` while their environment is deployed. */
import * as E from 'fp-ts/lib/Either.js'
import { allOf, type ClusterObject, labelOf, liveOf, type Observed } from '../cluster/live.ts'
import { resources } from '../cluster/resources.ts'
import { type Diagnostic, error, remark } from '../diagnostic/diagnostic.ts'
import { SERVICE_LABEL } from '../k8s/labels.ts'
import { UP_MANAGER } from '../k8s/managers.ts'
import type { KubeObject } from '../k8s/types.ts'
import { type Bound, partition, refOf, showRef } from '../plan/action.ts'
import { existing } from '../plan/bind.ts'
import { isTranslated } from '../plan/ownership.ts'
import type { Plan } from '../plan/plan.ts'
import { type ReconcileInput, refusals, remainingActions } from '../plan/reconcile.ts'
import { hasSameTemplate, replacementOf } from '../plan/replace.ts'
import { isWorkload } from '../plan/versions.ts'
import { type DevRecord, type FieldChange, isRecord, recordData, recordOf } from './record.ts'

/** `live`: the ConfigMap of the record; `original`: the workload. */
type Development = { readonly record: DevRecord; readonly live: ClusterObject; readonly original: ClusterObject }

const developmentsIn = (observed: Observed): ReadonlyArray<Development> =>
  allOf(observed, 'ConfigMap').flatMap((live) => {
    if (!isRecord(live)) return []
    return E.match(
      (): ReadonlyArray<Development> => [],
      (record: DevRecord) => {
        const { kind, name, uid } = record.workload
        const original = liveOf(observed, kind, name)
        return original?.metadata.uid === uid ? [{ record, live, original }] : []
      },
    )(recordOf(live))
  })

const nameOf = ({ record: { workload } }: Development): string => showRef(workload)

/** The workloads that are developed, as `kind/name`. */
const developedIn = (observed: Observed): ReadonlySet<string> => new Set(developmentsIn(observed).map(nameOf))

const objectsByName = ({ actions }: Plan): ReadonlyMap<string, KubeObject> =>
  new Map(partition(actions).Apply.map(({ object }) => [showRef(refOf(object)), object]))

const replicasIn = (object: KubeObject | undefined): number | undefined =>
  object?.kind === 'Deployment' || object?.kind === 'StatefulSet' ? object.spec.replicas : undefined

const isReplicas = ({ path }: FieldChange): boolean => path.join('.') === 'spec.replicas'

const rescaled = (record: DevRecord, replicas: number): DevRecord => {
  const owners = [{ manager: 'devtool', operation: 'Apply', apiVersion: 'apps/v1' }]
  const change = (one: FieldChange): FieldChange =>
    isReplicas(one) && one.before !== replicas ? { ...one, before: replicas, owners } : one
  return { ...record, touched: record.touched.map((one) => ({ ...one, changes: one.changes.map(change) })) }
}

/** `down` restores the number of replicas that the files give. */
const scaleRecords = (plan: Plan, observed: Observed): ReadonlyArray<Bound> => {
  const objects = objectsByName(plan)
  return developmentsIn(observed).flatMap((development): ReadonlyArray<Bound> => {
    const { live, record } = development
    const replicas = replicasIn(objects.get(nameOf(development)))
    if (replicas === undefined) return []
    const [before, after] = [recordData(record), recordData(rescaled(record, replicas))]
    if (before['record'] === after['record']) return []
    const { name, resourceVersion } = live.metadata
    return [
      {
        _tag: 'Patch',
        id: `patch/ConfigMap/${name}`,
        after: [],
        target: { resource: resources.ConfigMap, name },
        fields: { strategy: 'merge', body: { data: { record: after['record'] } } },
        manager: UP_MANAGER,
        because: 'its scale changed while it is developed',
        precondition: { ...existing(live), resourceVersion },
      },
    ]
  })
}

const showDevelopment = ({ record: { holder, since } }: Development): string =>
  `is developed by ${holder.user} on ${holder.machine} since ${since}`

/**
 * Whether the deploy would delete the workload: to change an immutable field, or because its service becomes another
 * kind.
 */
const isReplaced = (
  environment: string,
  objects: ReadonlyMap<string, KubeObject>,
  development: Development,
): boolean => {
  const { original } = development
  const same = objects.get(nameOf(development))
  if (same !== undefined) {
    if (same.kind === 'Job') return !hasSameTemplate(original, same)
    return replacementOf(original, same) !== undefined
  }
  const service = labelOf(original, SERVICE_LABEL)
  return (
    service !== undefined &&
    isTranslated(original, environment) &&
    [...objects.values()].some((one) => isWorkload(one) && one.metadata.labels?.get(SERVICE_LABEL) === service)
  )
}

const developedRefusals = (plan: Plan, observed: Observed): ReadonlyArray<Diagnostic> => {
  const objects = objectsByName(plan)
  return developmentsIn(observed)
    .filter((development) => isReplaced(plan.environment, objects, development))
    .map((development) => {
      const message = `${nameOf(development)} ${showDevelopment(development)}, and would have to be deleted and recreated`
      return error('DT5020', message, { help: `\`devtool down ${development.record.dev}\`, then deploy` })
    })
}

/** DT5021 for each workload of the plan that is being developed. */
export const developedNotices = (plan: Plan, observed: Observed): ReadonlyArray<Diagnostic> => {
  const objects = objectsByName(plan)
  return developmentsIn(observed)
    .filter((development) => objects.has(nameOf(development)))
    .map((development) => {
      const message = `${nameOf(development)} ${showDevelopment(development)}: it stays stopped until \`devtool down ${development.record.dev}\``
      return remark('DT5021', message)
    })
}

type Looked = Pick<ReconcileInput, 'observed' | 'plan'>

/** DT5020 for changes that would end a session, and the other refusals; checked before anything is changed. */
export const deployRefusals = (looked: Looked): ReadonlyArray<Diagnostic> => [
  ...refusals(looked),
  ...developedRefusals(looked.plan, looked.observed),
]

/**
 * Everything except what pods read. Developed workloads stay stopped, and their records get the new number of replicas.
 */
export const deployActions = (situation: ReconcileInput): ReadonlyArray<Bound> => [
  ...remainingActions({ ...situation, held: developedIn(situation.observed) }),
  ...scaleRecords(situation.plan, situation.observed),
]
