/** Reads the results of a translation. */
import * as C from '../../../src/domain/checked.ts'
import type { Model } from '../../../src/domain/compose/model.ts'
import type { KubeObject, PodTemplate, Workload } from '../../../src/domain/k8s/types.ts'
import { type Action, partition } from '../../../src/domain/plan/action.ts'
import type { Plan } from '../../../src/domain/plan/plan.ts'
import type { DeployTarget } from '../../../src/domain/translate/target.ts'
import { translate } from '../../../src/domain/translate/translate.ts'
import { target } from './model.ts'

const empty: Plan = { schema: 1, environment: 'shop', actions: [] }

export const planOf = (model: Model, more: Partial<DeployTarget> = {}): Plan =>
  C.valueOf(translate({ ...target, ...more }, model)) ?? empty

export const objectsIn = ({ actions }: Plan): ReadonlyArray<KubeObject> =>
  partition(actions).Apply.map(({ object }) => object)

export type Apply = Action<'Apply'>
export const appliesIn = ({ actions }: Plan): ReadonlyArray<Apply> => partition(actions).Apply

const isKind =
  <K extends KubeObject['kind']>(kind: K) =>
  (object: KubeObject): object is Extract<KubeObject, { readonly kind: K }> =>
    object.kind === kind

export const ofKind = <K extends KubeObject['kind']>(plan: Plan, kind: K) => objectsIn(plan).filter(isKind(kind))

export const isWorkload = (object: KubeObject): object is Workload =>
  ['Deployment', 'StatefulSet', 'DaemonSet', 'Job'].includes(object.kind)

/** Of the first workload. */
export const templateIn = (plan: Plan): PodTemplate | undefined => objectsIn(plan).find(isWorkload)?.spec.template

/** Code, line and lines of the related places of each finding. */
export const codesOf = (model: Model, more: Partial<DeployTarget> = {}): ReadonlyArray<string> =>
  C.findings(translate({ ...target, ...more }, model)).map(({ code, at, related }) =>
    [`${code}:${at?.line}`, ...(related ?? []).map((r) => r.at.line)].join(' '),
  )
