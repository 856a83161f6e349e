/** The workload that `autocreate` creates for a development container that has none. It runs no program of its own. */
import type { JsonObject } from '../cluster/json.ts'
import { annotationOf, type ClusterObject, liveOf, type Observed } from '../cluster/live.ts'
import { CREATED_BY_ANNOTATION, NAME_LABEL } from '../k8s/labels.ts'
import type { DevContainer } from '../manifest/dev-model.ts'
import type { Bound } from '../plan/action.ts'
import { create } from './belongings.ts'

export const isCreatedByUp = (live: ClusterObject): boolean => annotationOf(live, CREATED_BY_ANNOTATION) === 'up'

const labelsOf = (name: string): JsonObject => ({ [NAME_LABEL]: name })

const deployment = (name: string, image: string): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, labels: labelsOf(name), annotations: { [CREATED_BY_ANNOTATION]: 'up' } },
  spec: {
    replicas: 0,
    selector: { matchLabels: labelsOf(name) },
    template: { metadata: { labels: labelsOf(name) }, spec: { containers: [{ name, image }] } },
  },
})

/** For the ports that are forwarded to the container itself. */
const service = (name: string, ports: ReadonlyArray<number>): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, labels: labelsOf(name), annotations: { [CREATED_BY_ANNOTATION]: 'up' } },
  spec: {
    selector: labelsOf(name),
    ports: ports.map((port) => ({ name: `p${port}`, port, targetPort: port })),
  },
})

/** The objects that are still missing; none once both exist. */
export const autocreated = (
  { forward }: DevContainer,
  name: string,
  image: string,
  observed: Observed,
): ReadonlyArray<Bound> => {
  const own = forward.filter((one) => one.service === undefined && one.labels === undefined)
  const ports = [...new Set(own.map(({ remote }) => remote))]
  const hasService = ports.length === 0 || liveOf(observed, 'Service', name) !== undefined
  return [
    ...(hasService ? [] : [create('Service', service(name, ports), name, [])]),
    ...(liveOf(observed, 'Deployment', name) === undefined
      ? [create('Deployment', deployment(name, image), name, [])]
      : []),
  ]
}
