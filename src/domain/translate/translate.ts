/** Compose → Kubernetes: the whole translation, from the model to the plan. */
import * as C from '../checked.ts'
import type { ComposeService, Model } from '../compose/model.ts'
import type { Diagnostic } from '../diagnostic/diagnostic.ts'
import { partOf } from '../plan/part.ts'
import type { Plan } from '../plan/plan.ts'
import { contextOf, type TranslationContext } from './context.ts'
import { nameFindings } from './names.ts'
import { objectsOf } from './objects.ts'
import { podFindings } from './pod-findings.ts'
import { podsOf } from './pods.ts'
import { securityFindings } from './security.ts'
import { portFindings } from './service.ts'
import type { DeployTarget } from './target.ts'
import { updateFindings } from './update.ts'
import { placementFindings, volumeGroups } from './volume-groups.ts'

const workloadFindings = (pod: ComposeService | undefined, { name }: ComposeService): ReadonlyArray<Diagnostic> =>
  pod?.name === name ? [...nameFindings(pod), ...updateFindings(pod)] : []

const findingsOf = ({ pods }: TranslationContext, service: ComposeService): ReadonlyArray<Diagnostic> => [
  ...workloadFindings(pods.get(service.name)?.whole, service),
  ...portFindings(service),
  ...securityFindings(service),
]

/**
 * Total: there is always a plan, with findings. Errors: DT1030 (two objects of the same name), DT1034 (one address, two
 * backends), DT1035 (update policy), DT1040 (volumes keep pods apart), DT1050 (endpoint without a port).
 */
export const translate = (target: DeployTarget, model: Model): C.Checked<Plan> => {
  const pods = podsOf(model.services)
  const wholes = pods.map(({ whole }) => whole)
  const groups = target.volumeAffinity ? volumeGroups(wholes, model.volumes) : []
  const context = contextOf(target, model, pods, groups)
  const { actions, findings } = objectsOf(context, model)
  const plan: Plan = { schema: 1, environment: target.environment, actions }
  return C.note(model.part === undefined ? plan : partOf(plan, model.part), [
    ...model.services.flatMap((service) => findingsOf(context, service)),
    ...podFindings(model.services),
    ...placementFindings(wholes, groups),
    ...findings,
  ])
}
