/** Workloads of every kind on the real cluster, and whether each is restored after it was developed. */
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { at, type Json, type JsonObject, listAt, numberAt, textAt } from '../../../src/domain/cluster/json.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { UP_SELECTOR } from '../../../src/domain/dev/names.ts'
import type { DevKind } from '../../../src/domain/dev/workload.ts'
import { MIRROR_LABEL } from '../../../src/domain/k8s/labels.ts'
import type { Cluster } from '../../../src/ports/cluster.ts'
import { workload } from '../dev/workloads.ts'
import { until } from '../process/until.ts'

export type Place = { readonly cluster: Cluster; readonly namespace: string }

export type Developed = { readonly kind: DevKind; readonly name: string; readonly spec?: JsonObject }

/** One of each kind; the Deployment has an autoscaler and a disruption budget, the StatefulSet claims. */
export const everyKind: ReadonlyArray<Developed> = [
  { kind: 'Deployment', name: 'web' },
  {
    kind: 'StatefulSet',
    name: 'db',
    spec: {
      persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete', whenDeleted: 'Retain' },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Mi' } } },
        },
      ],
    },
  },
  { kind: 'DaemonSet', name: 'node' },
  { kind: 'Job', name: 'import' },
  { kind: 'CronJob', name: 'nightly' },
]

export const rightOf = async <A>(task: TE.TaskEither<unknown, A>): Promise<A> => {
  const result = await task()
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
  return result.right
}

export type AppliedKind = DevKind | 'HorizontalPodAutoscaler' | 'PodDisruptionBudget'

export const keyOf = ({ namespace }: Place, kind: AppliedKind, name: string) => ({
  resource: resources[kind],
  name,
  namespace,
})

/** Applied like `deploy` does. */
export const applied = (place: Place, kind: AppliedKind, name: string, object: JsonObject) =>
  rightOf(place.cluster.apply(keyOf(place, kind, name), JSON.stringify(object), { manager: 'devtool' }))

const ready = { Deployment: 'readyReplicas', StatefulSet: 'readyReplicas', DaemonSet: 'numberReady', Job: 'ready' }

export const untilRunning = (place: Place, { kind, name }: Developed): Promise<void> =>
  until(`${kind} runs`, async () => {
    const live = await rightOf(place.cluster.get(keyOf(place, kind, name)))
    return kind === 'CronJob' || (numberAt(live, 'status', ready[kind]) ?? 0) > 0
  })

/** Created, and running. */
export const makeWorkload = async (place: Place, developed: Developed): Promise<void> => {
  const { kind, name, spec = {} } = developed
  await applied(place, kind, name, workload(kind, { name, spec }))
  if (kind === 'Deployment') {
    await applied(place, 'HorizontalPodAutoscaler', name, {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name },
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind, name }, minReplicas: 2, maxReplicas: 3 },
    })
    await applied(place, 'PodDisruptionBudget', name, {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name },
      spec: { minAvailable: 1, selector: { matchLabels: { app: name } } },
    })
  }
  await untilRunning(place, developed)
}

/** Controllers write the status; the time of an entry is that of its last write. */
export const managersOf = (live: Json | undefined): ReadonlyArray<string> =>
  listAt(live, 'metadata', 'managedFields')
    .filter((entry) => textAt(entry, 'subresource') !== 'status')
    .map((entry) =>
      JSON.stringify({
        manager: at(entry, 'manager'),
        operation: at(entry, 'operation'),
        subresource: at(entry, 'subresource'),
        fields: at(entry, 'fieldsV1'),
      }),
    )
    .toSorted()

/** The claims of the workload: name and uid. */
const claimsOf = async ({ cluster, namespace }: Place): Promise<ReadonlyArray<string>> => {
  const { items } = await rightOf(cluster.list({ resource: resources.PersistentVolumeClaim, namespace }))
  return items
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined && !metadata.name.startsWith('devtool-up-'))
    .map(({ metadata: { name, uid } }) => `${name} ${uid}`)
    .toSorted()
}

/** The server counts changes of a template in these fields, even those that are reverted. */
const counters: ReadonlySet<string> = new Set(['deprecated.daemonset.template.generation'])

const contentOf = async (place: Place, kind: AppliedKind, name: string): Promise<unknown> => {
  const live = await rightOf(place.cluster.get(keyOf(place, kind, name)))
  const { labels } = live?.metadata ?? {}
  const annotations = Object.entries(live?.metadata.annotations ?? {}).filter(([key]) => !counters.has(key))
  return { spec: live?.['spec'], labels, annotations, managers: managersOf(live) }
}

/** The state that has to be the same afterwards. */
export const stateOf = async (place: Place, { kind, name }: Developed): Promise<unknown> => {
  const [own, autoscaler, budget] = await Promise.all(
    [kind, 'HorizontalPodAutoscaler' as const, 'PodDisruptionBudget' as const].map((one) =>
      contentOf(place, one, name),
    ),
  )
  return { own, autoscaler, budget, claims: await claimsOf(place) }
}

const leftOf = async ({ cluster, namespace }: Place, labels: string): Promise<ReadonlyArray<string>> => {
  const kinds = ['ConfigMap', 'Secret', 'Deployment', 'Pod', 'PersistentVolumeClaim'] as const
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const { items } = await rightOf(cluster.list({ resource: resources[kind], namespace, labels }))
      return items.map(({ metadata }) => `${kind}/${metadata.name}`)
    }),
  )
  return found.flat()
}

/** `withClaim`: includes the claim of the development container. */
export const untilNothingIsLeft = (place: Place, withClaim = false): Promise<void> =>
  until('nothing is left', async () => {
    const left = await Promise.all([UP_SELECTOR, MIRROR_LABEL].map((labels) => leftOf(place, labels)))
    return left.flat().every((one) => !withClaim && one.startsWith('PersistentVolumeClaim/'))
  })
