/**
 * Groups objects as an environment, so that they are applied, awaited, pruned and explained like those of any other.
 */
import type { KubeObject } from '../../k8s/types.ts'
import { refOf } from '../../plan/action.ts'
import { applyId } from '../../plan/ids.ts'
import type { Plan } from '../../plan/plan.ts'

export const planOf = (environment: string, objects: ReadonlyArray<KubeObject>): Plan => ({
  schema: 1,
  environment,
  actions: objects.map((object) => ({ _tag: 'Apply', id: applyId(refOf(object)), after: [], object, origins: [] })),
})
