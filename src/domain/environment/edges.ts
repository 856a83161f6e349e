/**
 * Which services wait for which, by the names of their objects. The record keeps this for services that are not created
 * yet.
 */
import * as t from 'io-ts'
import { parsedJson, textsAt } from '../cluster/json.ts'
import { DEPENDS_ON_ANNOTATION } from '../k8s/labels.ts'
import { partition } from '../plan/action.ts'
import type { Plan } from '../plan/plan.ts'

/** The conditions, by the service that waits and the one that it waits for. */
export type Edges = ReadonlyMap<string, ReadonlyMap<string, string>>

export const RecordedEdge = t.readonly(
  t.strict({ service: t.string, dependsOn: t.string, condition: t.string }),
  'dependency',
)
export type RecordedEdge = t.TypeOf<typeof RecordedEdge>

/** The value of the annotation; empty when devtool did not write it. */
export const readConditions = (text: string): ReadonlyMap<string, string> => textsAt(parsedJson(text))

/** The edges of the plan; `known`: those of services that are not in the plan. */
export const edgesOf = (
  { actions }: Pick<Plan, 'actions'>,
  known: ReadonlyArray<RecordedEdge>,
): ReadonlyArray<RecordedEdge> => {
  const objects = partition(actions).Apply.map(({ object: { metadata } }) => metadata)
  const planned = new Set(objects.map(({ name }) => name))
  const made = objects.flatMap(({ annotations, name: service }) =>
    [...readConditions(annotations?.get(DEPENDS_ON_ANNOTATION) ?? '')].map(([dependsOn, condition]) => ({
      service,
      dependsOn,
      condition,
    })),
  )
  return [...known.filter(({ service }) => !planned.has(service)), ...made]
}

export const edgesIn = (recorded: ReadonlyArray<RecordedEdge>): Edges => {
  const edges = new Map<string, Map<string, string>>()
  for (const { condition, dependsOn, service } of recorded) {
    edges.set(service, (edges.get(service) ?? new Map<string, string>()).set(dependsOn, condition))
  }
  return edges
}
