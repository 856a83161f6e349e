/** Node requirements of a service's pods that `nodeSelector` cannot express. */
import type { ComposeService, Placement } from '../compose/model.ts'
import { groupSelector, HOSTNAME_LABEL } from '../k8s/labels.ts'
import type { Affinity, PodSpec } from '../k8s/types.ts'
import { labelsOf, type TranslationContext } from './context.ts'
import { type Draft, filled, from, listed } from './draft.ts'

const nodeAffinityOf = ({ expressions }: Placement): Draft<Affinity['nodeAffinity'] & object> | undefined => {
  if (expressions.length === 0) return undefined
  const matchExpressions = expressions.map(({ key, operator, values, at }) => from(at, { key, operator, values }))
  return { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } }
}

/**
 * The first pod of a volume group can run anywhere: while there is no other pod, Kubernetes lets a pod satisfy its own
 * affinity term.
 */
const podAffinityOf = (
  context: TranslationContext,
  service: ComposeService,
): Draft<Affinity['podAffinity'] & object> | undefined => {
  const group = context.groupOf.get(service.name)
  if (group === undefined) return undefined
  const labelSelector = { matchLabels: groupSelector(context.target.environment, group) }
  return { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector, topologyKey: HOSTNAME_LABEL }] }
}

const antiAffinityOf = (
  context: TranslationContext,
  service: ComposeService,
): Draft<Affinity['podAntiAffinity'] & object> | undefined => {
  const { onePerNode } = service.placement
  if (onePerNode === undefined) return undefined
  const labelSelector = { matchLabels: labelsOf(context, service).selector }
  return from(onePerNode.at, {
    requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector, topologyKey: HOSTNAME_LABEL }],
  })
}

export const affinityOf = (context: TranslationContext, service: ComposeService): Draft<Affinity> | undefined =>
  filled({
    nodeAffinity: nodeAffinityOf(service.placement),
    podAffinity: podAffinityOf(context, service),
    podAntiAffinity: antiAffinityOf(context, service),
  })

/** Compose's `preferences` are optional: pods are scheduled even where they cannot be spread. */
export const spreadOf = (
  context: TranslationContext,
  service: ComposeService,
): Draft<PodSpec['topologySpreadConstraints'] & object> | undefined =>
  listed(
    service.placement.spread.map(({ value, at }) =>
      from(at, {
        maxSkew: 1,
        topologyKey: value,
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: labelsOf(context, service).selector },
      }),
    ),
  )
