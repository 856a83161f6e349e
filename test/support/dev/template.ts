import * as assert from 'uvu/assert'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import type { ClusterObject } from '../../../src/domain/cluster/live.ts'
import { templateOf } from '../../../src/domain/dev/mirror.ts'
import { recipeIn, recipeOf, showRecipe } from '../../../src/domain/dev/recipe.ts'
import { type DevRecord, recordBody } from '../../../src/domain/dev/record.ts'
import type { UpRequest } from '../../../src/domain/dev/request.ts'

/** The pod template of the mirror, the same whether made by `up` or by another machine from what is recorded. */
export const templateFor = (request: UpRequest, record: DevRecord, original: ClusterObject): JsonObject | undefined => {
  const template = templateOf({ ...recipeOf(request), record, original })
  const { metadata } = original
  const recorded = { ...recordBody(record, showRecipe(recipeOf(request)), original), metadata }
  const recipe = recipeIn({ ...recorded, apiVersion: 'v1', kind: 'ConfigMap' })
  assert.ok(recipe)
  if (recipe !== undefined) assert.equal(templateOf({ ...recipe, record, original }), template)
  return template
}
