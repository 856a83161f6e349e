/** How the pods of a service are replaced by new ones. By default, a rolling update as in Kubernetes. */

import type { ComposeService, UpdateConfig, WorkloadKind } from '../compose/model.ts'
import { type Diagnostic, error, lost, warning } from '../diagnostic/diagnostic.ts'
import { UPDATE_ANNOTATION } from '../k8s/labels.ts'
import type { DaemonSet, Deployment, StatefulSet } from '../k8s/types.ts'
import type { Span } from '../text/source.ts'
import { type Draft, from } from './draft.ts'

type Update = NonNullable<ComposeService['update']>['value']

const ALLOWED: { readonly [K in WorkloadKind['_tag']]: ReadonlyArray<Update> } = {
  Deployment: ['rolling', 'recreate'],
  StatefulSet: ['rolling', 'on-delete'],
  DaemonSet: [],
  Job: [],
}

/** The place that makes it impossible for an old and a new pod to be on one node at the same time. */
const exclusiveAt = ({ network: { hostNetwork }, ports, resources: { gpu } }: ComposeService): Span | undefined =>
  hostNetwork?.at ?? ports.find(({ hostPort }) => hostPort !== undefined)?.at ?? gpu?.at

const whyUseless = (service: ComposeService): string | undefined => {
  const { minReadySeconds, order, parallelism } = service.updateConfig
  if (service.kind._tag === 'Job' && minReadySeconds !== undefined) return 'a Job is not updated, it runs again'
  if (order === undefined && parallelism === undefined) return undefined
  switch (service.kind._tag) {
    case 'Job':
      return 'a Job is not updated, it runs again'
    case 'StatefulSet':
      return order === 'start-first' || (parallelism ?? 1) !== 1
        ? 'a StatefulSet replaces its pods one by one, the old one first'
        : undefined
    case 'Deployment':
      if (service.update?.value === 'recreate') return `${UPDATE_ANNOTATION} replaces all pods at once`
      return order === 'start-first' && exclusiveAt(service) !== undefined
        ? 'old and new cannot be together because of a host port, the host network or a GPU'
        : undefined
    case 'DaemonSet':
      return undefined
  }
}

/** DT1035 for an update policy that the kind does not support, DT1153 for an `update_config` without effect. */
export const updateFindings = (service: ComposeService): ReadonlyArray<Diagnostic> => {
  const { kind, update, updateConfig, path } = service
  const found: Array<Diagnostic> = []
  const allowed = ALLOWED[kind._tag]
  if (update !== undefined && !allowed.includes(update.value)) {
    const help =
      allowed.length === 0
        ? `remove it: a ${kind._tag} has no update policy`
        : `use ${allowed.join(' or ')} on a ${kind._tag}`
    const message = `${UPDATE_ANNOTATION} "${update.value}" is not possible for a ${kind._tag}`
    found.push(error('DT1035', message, { at: update.at, path: update.path, help }))
  }
  const reason = whyUseless(service)
  if (reason !== undefined) {
    const place = { at: updateConfig.at ?? service.at, path, [lost]: {} }
    found.push(warning('DT1153', `update_config has no effect: ${reason}`, place))
  }
  return found
}

type RollingUpdate = { readonly maxSurge?: number | string; readonly maxUnavailable: number | string }

/** Compose's 0 means all at once. Without an order the new pods start first, which is Kubernetes' default. */
const rollingUpdateOf = ({ order, parallelism = 1 }: UpdateConfig): RollingUpdate => {
  const count = parallelism === 0 ? '100%' : parallelism
  return order === 'stop-first' ? { maxSurge: 0, maxUnavailable: count } : { maxSurge: count, maxUnavailable: 0 }
}

const isSilent = ({ order, parallelism }: UpdateConfig): boolean => order === undefined && parallelism === undefined

type Strategy = NonNullable<Deployment['spec']['strategy']>

export const deploymentStrategy = (service: ComposeService): Draft<Strategy> | undefined => {
  const { update, updateConfig } = service
  const exclusive = exclusiveAt(service)
  if (update?.value === 'recreate') return from(update.at, { type: 'Recreate' })
  if (update === undefined && exclusive !== undefined) return from(exclusive, { type: 'Recreate' })
  if (isSilent(updateConfig)) return update === undefined ? undefined : from(update.at, { type: 'RollingUpdate' })
  if (update === undefined && updateConfig.order === 'stop-first' && updateConfig.parallelism === 0) {
    return from(updateConfig.at, { type: 'Recreate' })
  }
  return from(updateConfig.at, { type: 'RollingUpdate', rollingUpdate: rollingUpdateOf(updateConfig) })
}

export const statefulSetStrategy = ({
  update,
}: ComposeService): Draft<NonNullable<StatefulSet['spec']['updateStrategy']>> | undefined =>
  update === undefined
    ? undefined
    : from(update.at, { type: update.value === 'on-delete' ? 'OnDelete' : 'RollingUpdate' })

/** With a host port, the new pod cannot start on a node before the old one is gone. */
export const daemonSetStrategy = (
  service: ComposeService,
): Draft<NonNullable<DaemonSet['spec']['updateStrategy']>> | undefined => {
  const { updateConfig } = service
  if (isSilent(updateConfig)) return undefined
  const order = exclusiveAt(service) === undefined ? (updateConfig.order ?? 'stop-first') : 'stop-first'
  return from(updateConfig.at, { type: 'RollingUpdate', rollingUpdate: rollingUpdateOf({ ...updateConfig, order }) })
}
