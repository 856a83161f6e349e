/**
 * All objects of an environment and the waits between them, in file order: first what others use (ConfigMaps, Secrets,
 * claims), then service by service, and finally the endpoints.
 */

import type { ComposeService, Condition, Model } from '../compose/model.ts'
import { aliasFindings, type Carrier } from '../compose/read/alias-carriers.ts'
import type { StoredFile, Volume } from '../compose/volume-model.ts'
import type { Diagnostic } from '../diagnostic/diagnostic.ts'
import type { KubeObject } from '../k8s/types.ts'
import { grouped } from '../object/grouped.ts'
import type { Action, Ref } from '../plan/action.ts'
import { applyId, awaitId } from '../plan/ids.ts'
import { placeOf, type Span } from '../text/source.ts'
import { aliasServices } from './aliases.ts'
import { ownClaims, volumeClaim } from './claims.ts'
import { collisions } from './collisions.ts'
import type { TranslationContext } from './context.ts'
import type { Draft } from './draft.ts'
import { ingressOf, type Sites, sitesOf } from './ingress.ts'
import { ingressBackend, workloadName } from './names.ts'
import { serviceOf } from './service.ts'
import { configMapOf, hostConfigMapOf, secretOf } from './stored-files.ts'
import { workloadOf } from './workload.ts'

/** An action of the plan. `named`: the object it creates, and where that is written. */
type NamedAction = { readonly action: Action; readonly named?: { readonly ref: Ref; readonly at: Span } }

/** Settled at once: the drafts of thousands of objects would take most of the memory. */
const made = (
  { settle }: TranslationContext,
  ref: Ref,
  at: Span,
  draft: Draft<KubeObject>,
  after: ReadonlyArray<string> = [],
): NamedAction => ({
  action: { _tag: 'Apply', id: applyId(ref), after, ...settle<KubeObject>(draft) },
  named: { ref, at },
})

const awaited = (service: string, ref: Ref, condition: Condition, at: Span): NamedAction => ({
  action: {
    _tag: 'Await',
    id: awaitId(service, condition),
    after: [applyId(ref)],
    ref,
    condition,
    service,
    at: placeOf(at),
  },
})

const sharedObjects = (
  context: TranslationContext,
  { configs, secrets, services, volumes }: Model,
): ReadonlyArray<NamedAction> => [
  ...configs.flatMap((file) =>
    file.content === undefined
      ? []
      : [made(context, { kind: 'ConfigMap', name: file.object }, file.at, configMapOf(context, file, file.content))],
  ),
  ...services.flatMap(({ hostConfig }) =>
    hostConfig === undefined
      ? []
      : [
          made(
            context,
            { kind: 'ConfigMap', name: hostConfig.object },
            hostConfig.at,
            hostConfigMapOf(context, hostConfig),
          ),
        ],
  ),
  ...secrets.flatMap((file) =>
    file.content === undefined
      ? []
      : [made(context, { kind: 'Secret', name: file.object }, file.at, secretOf(context, file, file.content))],
  ),
  ...volumes.flatMap((volume) =>
    volume.isExternal
      ? []
      : [
          made(
            context,
            { kind: 'PersistentVolumeClaim', name: volume.object },
            volume.at,
            volumeClaim(context, volume),
          ),
        ],
  ),
]

const fileId = (kind: Ref['kind'], file: StoredFile | undefined): ReadonlyArray<string> =>
  file?.content === undefined ? [] : [applyId({ kind, name: file.object })]

const claimId = (volume: Volume | undefined): ReadonlyArray<string> =>
  volume === undefined || volume.isExternal ? [] : [applyId({ kind: 'PersistentVolumeClaim', name: volume.object })]

const usedBy = (context: TranslationContext, { mounts }: ComposeService): ReadonlyArray<string> =>
  mounts.flatMap((mount) => {
    switch (mount._tag) {
      case 'Named':
        return claimId(context.volumes.get(mount.volume))
      case 'Config':
        return fileId('ConfigMap', context.configs.get(mount.config))
      case 'Secret':
        return fileId('Secret', context.secrets.get(mount.secret))
      case 'HostFiles':
        return [applyId({ kind: 'ConfigMap', name: mount.config })]
      case 'Anonymous':
      case 'Memory':
      case 'Image':
        return []
    }
  })

const awaitedBy = ({ pods }: TranslationContext, { dependsOn }: ComposeService): ReadonlyArray<string> =>
  dependsOn.flatMap(({ service, condition }) => {
    const dependency = pods.get(service)?.whole
    return dependency === undefined ? [] : [awaitId(dependency.object, condition)]
  })

const workloadRef = (service: ComposeService): Ref => ({ kind: service.kind._tag, name: workloadName(service) })

/** `name`: the Compose name of the service that is awaited. */
type Awaiting = { readonly name: string; readonly item: NamedAction }

/** Keyed by the Compose name of the awaited service: each condition once, at the first place that requires it. */
const awaitsOf = ({ pods }: TranslationContext): ReadonlyMap<string, ReadonlyArray<Awaiting>> => {
  const awaits = new Map<string, Awaiting>()
  for (const { whole } of pods.values()) {
    for (const { service: name, condition, at } of whole.dependsOn) {
      const dependency = pods.get(name)?.whole
      if (dependency === undefined) continue
      const id = awaitId(dependency.object, condition)
      if (awaits.has(id)) continue
      awaits.set(id, { name, item: awaited(dependency.object, workloadRef(dependency), condition, at) })
    }
  }
  return grouped(awaits.values(), ({ name }) => name)
}

type Shared = {
  readonly context: TranslationContext
  readonly sites: Sites
  readonly awaits: ReadonlyMap<string, ReadonlyArray<Awaiting>>
}

/** Empty for a service that runs in the pod of another. */
const workloadObjects = (context: TranslationContext, { name }: ComposeService): ReadonlyArray<NamedAction> => {
  const pod = context.pods.get(name)?.whole
  if (pod?.name !== name) return []
  const claims = ownClaims(context, pod).map(({ name: claim, at, draft }) =>
    made(context, { kind: 'PersistentVolumeClaim', name: claim }, at, draft),
  )
  const after = [...usedBy(context, pod), ...claims.map(({ action }) => action.id), ...awaitedBy(context, pod)]
  return [...claims, made(context, workloadRef(pod), pod.at, workloadOf(context, pod), [...new Set(after)])]
}

/** A Service that also publishes pods that are not ready does not suit an Ingress, which gets another one. */
const readyServices = (
  context: TranslationContext,
  sites: Sites,
  service: ComposeService,
): ReadonlyArray<NamedAction> => {
  const { checksItself, ...ready } = service
  const name = ingressBackend(service)
  if (checksItself === undefined || !sites.backends.has(name)) return []
  return [made(context, { kind: 'Service', name }, service.at, serviceOf(context, ready, name, checksItself.at))]
}

/**
 * The pods of all carriers get their label before an existing Service begins to select it. Workloads that wait for
 * others are left out, since those others may need the alias.
 */
const labelled = (context: TranslationContext, carriers: ReadonlyArray<Carrier>): ReadonlyArray<string> => {
  const pods = carriers.flatMap(({ service: { name } }) => context.pods.get(name)?.whole ?? [])
  return [
    ...new Set(pods.filter((pod) => awaitedBy(context, pod).length === 0).map((pod) => applyId(workloadRef(pod)))),
  ]
}

const serviceObjects = ({ context, sites, awaits }: Shared, service: ComposeService): ReadonlyArray<NamedAction> => [
  ...workloadObjects(context, service),
  made(
    context,
    { kind: 'Service', name: service.object },
    service.at,
    serviceOf(context, service, service.object, service.at),
  ),
  ...aliasServices(context, service).map(({ at, draft, name, sharedBy }) =>
    made(context, { kind: 'Service', name }, at, draft, labelled(context, sharedBy)),
  ),
  ...readyServices(context, sites, service),
  ...(sites.ofPorts.get(service.name) ?? []).map((site) =>
    made(context, { kind: 'Ingress', name: site.name }, site.at, ingressOf(context, site)),
  ),
  ...(awaits.get(service.name) ?? []).map(({ item }) => item),
]

export type Objects = { readonly actions: ReadonlyArray<Action>; readonly findings: ReadonlyArray<Diagnostic> }

/** DT1030 for two objects of the same name, DT1034 and DT1050 for Ingresses, DT1107 and DT1207 for aliases. */
export const objectsOf = (context: TranslationContext, model: Model): Objects => {
  const sites = sitesOf(context, model.services, model.endpoints)
  const shared: Shared = { context, sites, awaits: awaitsOf(context) }
  const items: ReadonlyArray<NamedAction> = [
    ...sharedObjects(context, model),
    ...model.services.flatMap((service) => serviceObjects(shared, service)),
    ...sites.ofEndpoints.map((site) =>
      made(context, { kind: 'Ingress', name: site.name }, site.at, ingressOf(context, site)),
    ),
  ]
  const findings = [
    ...collisions(
      model,
      items.flatMap(({ named }) => named ?? []),
    ),
    ...sites.findings,
    ...aliasFindings(context.carriers, model.services),
  ]
  return { actions: items.map(({ action }) => action), findings }
}
