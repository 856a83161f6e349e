/** A plan with its manifests as one document, with or without Secrets. */
import * as t from 'io-ts'
import { type PlannedImage, plannedJson } from '../build/show.ts'
import type { KubeObject } from '../k8s/types.ts'
import { type DataOf, document, keys } from '../print/document.ts'
import { refOf } from './action.ts'
import { ActionJson, KubeObjectJson, Ref, toPlanJson } from './codec.ts'
import { isLeftOut } from './manifests.ts'
import type { Plan } from './plan.ts'

const Planned = keys(
  {
    name: [t.string, 'name of the image or service'],
    context: [t.string, 'the build context'],
    dockerfile: [t.string, 'path of the Dockerfile in it, or `(inline)`'],
    names: [t.readonlyArray(t.string), 'names that would be pushed'],
  },
  { target: [t.string, 'the stage to build'] },
)

export const PlanDocument = document('deploy --dry-run', 'What would be deployed, without contacting a cluster.', {
  environment: [t.string, 'name of the environment'],
  files: [t.readonlyArray(t.string), 'the files that were read'],
  images: [t.readonlyArray(Planned), 'what would be built'],
  objects: [t.readonlyArray(KubeObjectJson), 'the manifests'],
  omitted: [t.readonlyArray(Ref), 'Secrets that are left out; `--show-secrets` prints them'],
  actions: [t.readonlyArray(ActionJson), 'what would be done, and in which order'],
})

export type PlannedDeploy = {
  readonly plan: Plan
  readonly files: ReadonlyArray<string>
  readonly images: ReadonlyArray<PlannedImage>
}

export const planDocument = (
  { files, images, plan }: PlannedDeploy,
  showSecrets: boolean,
): DataOf<typeof PlanDocument> => {
  const { actions, environment, objects } = toPlanJson(plan)
  const isOmitted = (object: KubeObject): boolean => isLeftOut(object, showSecrets)
  const isShown = (action: (typeof actions)[number]): boolean =>
    action.type !== 'patch' || action.target.kind !== 'Secret' || showSecrets
  return {
    environment,
    files,
    images: plannedJson(images),
    objects: objects.filter((object) => !isOmitted(object)),
    omitted: objects.filter(isOmitted).map(refOf),
    actions: actions.filter(isShown),
  }
}

export const PastPlanDocument = document('history NUMBER', 'What an earlier deployment applied.', {
  environment: [t.string, 'name of the environment'],
  number: [t.number, 'number of the deployment'],
  objects: [t.readonlyArray(KubeObjectJson), 'the manifests'],
  omitted: [t.readonlyArray(Ref), 'Secrets that are left out; `--show-secrets` prints them'],
  actions: [t.readonlyArray(ActionJson), 'what was done, and in which order'],
})

export const pastPlanDocument = (number: number, plan: Plan, showSecrets: boolean): DataOf<typeof PastPlanDocument> => {
  const { actions, environment, objects, omitted } = planDocument({ plan, files: [], images: [] }, showSecrets)
  return { environment, number, objects, omitted, actions }
}
