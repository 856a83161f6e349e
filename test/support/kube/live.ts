/** Objects as a server has them after they were applied. */

import { isObject, type Json, type JsonObject, objectAt } from '../../../src/domain/cluster/json.ts'
import { type ClusterObject, isLive, type Observed } from '../../../src/domain/cluster/live.ts'
import { devKinds } from '../../../src/domain/dev/workload.ts'
import type { KubeObject } from '../../../src/domain/k8s/types.ts'
import { partition } from '../../../src/domain/plan/action.ts'
import type { Plan } from '../../../src/domain/plan/plan.ts'
import { printJsonLine } from '../../../src/domain/print/json.ts'
import { translateFiles } from '../compose/project.ts'

export const planOfYaml = (compose: string): Plan => {
  const { findings, plan } = translateFiles({ 'compose.yaml': compose })
  if (plan === undefined) throw new Error(findings.map(({ message }) => message).join('\n'))
  return plan
}

/** `change` overrides metadata. */
export const liveOf = (object: KubeObject, change: Readonly<Record<string, Json>> = {}): ClusterObject => {
  const json: Json = JSON.parse(printJsonLine(object))
  if (!isObject(json) || !isObject(json['metadata'])) throw new Error('no object')
  const uid = `uid-${object.kind}-${object.metadata.name}`
  const live = { ...json, metadata: { uid, resourceVersion: '1', ...json['metadata'], ...change } }
  if (!isLive(live)) throw new Error('no live object')
  return live
}

/** Of an object as JSON; `more`: further metadata. */
export const liveFrom = (body: JsonObject, more: JsonObject = {}): ClusterObject => {
  const live = { ...body, metadata: { uid: 'uid', resourceVersion: '1', ...objectAt(body, 'metadata'), ...more } }
  if (!isLive(live)) throw new Error('no live object')
  return live
}

/** Applications of Argo CD are in other namespaces. All kinds of workloads may be read. */
export const observedOf = (lives: ReadonlyArray<ClusterObject>): Observed => {
  const observed = new Map(devKinds.map((kind): [string, Map<string, ClusterObject>] => [kind, new Map()]))
  for (const live of lives) {
    const { name, namespace = '' } = live.metadata
    const known = observed.get(live.kind) ?? new Map<string, ClusterObject>()
    observed.set(live.kind, known.set(live.kind === 'Application' ? `${namespace}/${name}` : name, live))
  }
  return observed
}

export const objectsIn = ({ actions }: Plan): ReadonlyArray<KubeObject> =>
  partition(actions).Apply.map(({ object }) => object)

/** The objects after the plan was carried out. */
export const deployedOf = (plan: Plan): Observed => observedOf(objectsIn(plan).map((object) => liveOf(object)))
