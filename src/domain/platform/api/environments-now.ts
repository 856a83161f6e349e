/** What runs in a namespace: the same rows and causes as in `devtool list` and `devtool why`. */
import { allOf, type ClusterObject, controllerOf, labelOf, type Observed } from '../../cluster/live.ts'
import { workloadKinds } from '../../cluster/resources.ts'
import { developedRows, developerOf, developmentsIn, recordsIn } from '../../dev/developed.ts'
import { edgesIn } from '../../environment/edges.ts'
import { endpointsOf } from '../../environment/endpoints.ts'
import { serviceRows } from '../../environment/listing.ts'
import { type EnvironmentRecord, lastDeploy } from '../../environment/record.ts'
import { ENVIRONMENT_LABEL, SERVICE_LABEL } from '../../k8s/labels.ts'
import { defined, ifDefined } from '../../object/defined.ts'
import { dependenciesOf } from '../../why/dependency.ts'
import { tellStory } from '../../why/story.ts'
import type { EnvironmentNow } from './service-routes.ts'

/** `record` is absent where it cannot be read. */
type KnownEnvironment = { readonly name: string; readonly record?: EnvironmentRecord }

const isOf =
  (environment: string) =>
  (object: ClusterObject): boolean =>
    labelOf(object, ENVIRONMENT_LABEL) === environment

/** Includes pods that a command created directly. */
const workloadsOf = (observed: Observed, environment: string): ReadonlyArray<ClusterObject> => [
  ...workloadKinds.flatMap((kind) => allOf(observed, kind)).filter(isOf(environment)),
  ...allOf(observed, 'Pod').filter((pod) => controllerOf(pod) === undefined && isOf(environment)(pod)),
]

const causesIn = (
  observed: Observed,
  workloads: ReadonlyArray<ClusterObject>,
  record: EnvironmentRecord | undefined,
): EnvironmentNow['causes'] => {
  const edges = new Map([
    ...edgesIn(record?.edges ?? []),
    ...workloads.map((workload) => [workload.metadata.name, dependenciesOf(workload)] as const),
  ])
  const known = { observed, edges, silent: new Map<string, never>(), developed: developmentsIn(observed) }
  const inventory = record?.status === 'destroying' ? [] : (record?.inventory ?? [])
  return tellStory(known, workloads, inventory)
    .flatMap(({ causes }) => causes)
    .map(({ code, event, help, isFinal, message, subject }) => ({
      service: subject,
      code,
      message,
      isFinal,
      ...defined({ help, event }),
    }))
}

const environmentNow =
  (observed: Observed, now: string) =>
  ({ name, record }: KnownEnvironment): EnvironmentNow => {
    const workloads = workloadsOf(observed, name)
    const developments = recordsIn(observed)
    const developmentOf = (service: string) =>
      developments.find(({ workload }) =>
        workloads.some(
          (one) =>
            one.kind === workload.kind &&
            one.metadata.name === workload.name &&
            (labelOf(one, SERVICE_LABEL) ?? one.metadata.name) === service,
        ),
      )
    const services = serviceRows(observed, workloads, developedRows(observed, now), now).map((row) => {
      const development = row.state === 'developed' ? developmentOf(row.service) : undefined
      return development === undefined
        ? row
        : { ...row, developer: developerOf(development), developedSince: development.since }
    })
    const endpoints = endpointsOf(allOf(observed, 'Ingress').filter(isOf(name))).map(({ service, url }) => {
      const development = developments.find(({ workload }) => workload.name === service)
      return { url, service, ...defined({ developer: development && developerOf(development) }) }
    })
    const deploy = ifDefined(record, lastDeploy)
    return {
      name,
      status: record?.status ?? 'unknown',
      who: deploy?.who ?? '',
      when: deploy?.when ?? '',
      services,
      endpoints: [...endpoints, ...(record?.external ?? []).map(({ name: service, url }) => ({ service, url }))],
      causes: causesIn(observed, workloads, record),
      ...defined({ repository: record?.source.repository, branch: record?.source.branch }),
    }
  }

/** By name. Without a record, an environment is known by the label of its workloads. */
export const environmentsNow = (
  observed: Observed,
  known: ReadonlyArray<KnownEnvironment>,
  now: string,
): ReadonlyArray<EnvironmentNow> => {
  const labelled = [...workloadKinds, 'Pod' as const]
    .flatMap((kind) => allOf(observed, kind))
    .flatMap((object) => labelOf(object, ENVIRONMENT_LABEL) ?? [])
  const others = [...new Set(labelled)].filter((name) => known.every((one) => one.name !== name))
  return [...known, ...others.map((name) => ({ name }))]
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(environmentNow(observed, now))
}
