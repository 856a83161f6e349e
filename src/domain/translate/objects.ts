/**
 * All objects of an environment and what must be waited for, in the order of the files: first what others use
 * (ConfigMaps, Secrets, claims), then service by service, last the endpoints.
 */
import type { Condition, Model, Service, StoredFile, Volume } from '../compose/model.ts'
import type { Diagnostic } from '../diagnostic/diagnostic.ts'
import type { KubeObject } from '../k8s/types.ts'
import { applyId, awaitId } from '../plan/ids.ts'
import type { Origin, Ref } from '../plan/plan.ts'
import type { Span } from '../text/source.ts'
import { ownClaims, volumeClaim } from './claims.ts'
import { collisions } from './collisions.ts'
import type { Context } from './context.ts'
import type { Draft } from './draft.ts'
import { ingressOf, type Sites, sitesOf } from './ingress.ts'
import { workloadName } from './names.ts'
import { aliasesOf, aliasFindings, serviceOf } from './service.ts'
import { configMapOf, secretOf } from './stored-files.ts'
import { workloadOf } from './workload.ts'

type Made = {
  readonly _tag: 'Object'
  readonly ref: Ref
  readonly at: Span
  readonly object: KubeObject
  readonly origins: ReadonlyArray<Origin>
  readonly after: ReadonlyArray<string>
}
/** `name` is that of the service; `ref` its workload. */
type Awaited = {
  readonly _tag: 'Await'
  readonly name: string
  readonly ref: Ref
  readonly condition: Condition
  readonly at: Span
}
export type Item = Made | Awaited

/** Settled at once: drafts of thousands of objects together would be most of what is in memory. */
const made = (
  { settle }: Context,
  { kind, name }: Ref,
  at: Span,
  draft: Draft<KubeObject>,
  after: ReadonlyArray<string> = [],
): Made => ({ _tag: 'Object', ref: { kind, name }, at, after, ...settle<KubeObject>(draft) })

const sharedObjects = (context: Context, { configs, secrets, volumes }: Model): ReadonlyArray<Made> => [
  ...configs.flatMap((file) =>
    file.content === undefined
      ? []
      : [made(context, { kind: 'ConfigMap', name: file.object }, file.at, configMapOf(context, file, file.content))],
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

const usedBy = (context: Context, { mounts }: Service): ReadonlyArray<string> =>
  mounts.flatMap((mount) => {
    switch (mount._tag) {
      case 'Named':
        return claimId(context.volumes.get(mount.volume))
      case 'Config':
        return fileId('ConfigMap', context.configs.get(mount.config))
      case 'Secret':
        return fileId('Secret', context.secrets.get(mount.secret))
      case 'Anonymous':
      case 'Memory':
      case 'Image':
        return []
    }
  })

const awaitedBy = ({ pods }: Context, { dependsOn }: Service): ReadonlyArray<string> =>
  dependsOn.flatMap(({ service, condition }) => {
    const dependency = pods.get(service)?.whole
    return dependency === undefined ? [] : [awaitId(dependency.object, condition)]
  })

const workloadRef = (service: Service): Ref => ({ kind: service.kind._tag, name: workloadName(service) })

/** By the Compose name of the service that is waited for: each condition once, at the first place that asks for it. */
const awaitsOf = ({ pods }: Context): ReadonlyMap<string, ReadonlyArray<Awaited>> => {
  const awaits = new Map<string, Array<Awaited>>()
  const seen = new Set<string>()
  for (const { whole } of pods.values()) {
    for (const { service: name, condition, at } of whole.dependsOn) {
      const dependency = pods.get(name)?.whole
      if (dependency === undefined || seen.has(awaitId(dependency.object, condition))) continue
      seen.add(awaitId(dependency.object, condition))
      const awaited: Awaited = { _tag: 'Await', name: dependency.object, ref: workloadRef(dependency), condition, at }
      awaits.set(name, [...(awaits.get(name) ?? []), awaited])
    }
  }
  return awaits
}

type Shared = {
  readonly context: Context
  readonly sites: Sites
  readonly awaits: ReadonlyMap<string, ReadonlyArray<Awaited>>
  /** The services by their object names. */
  readonly owners: ReadonlyMap<string, Service>
}

/** Nothing for a service in the pod of another. */
const workloadObjects = (context: Context, { name }: Service): ReadonlyArray<Made> => {
  const pod = context.pods.get(name)?.whole
  if (pod?.name !== name) return []
  const claims = ownClaims(context, pod).map(({ name: claim, at, draft }) =>
    made(context, { kind: 'PersistentVolumeClaim', name: claim }, at, draft),
  )
  const after = [...usedBy(context, pod), ...claims.map(({ ref }) => applyId(ref)), ...awaitedBy(context, pod)]
  return [...claims, made(context, workloadRef(pod), pod.at, workloadOf(context, pod), [...new Set(after)])]
}

const serviceObjects = ({ context, sites, awaits, owners }: Shared, service: Service): ReadonlyArray<Item> => [
  ...workloadObjects(context, service),
  made(
    context,
    { kind: 'Service', name: service.object },
    service.at,
    serviceOf(context, service, service.object, service.at),
  ),
  ...aliasesOf(owners, service).map(({ value, at }) =>
    made(context, { kind: 'Service', name: value }, at, serviceOf(context, service, value, at)),
  ),
  ...(sites.ofPorts.get(service.name) ?? []).map((site) =>
    made(context, { kind: 'Ingress', name: site.name }, site.at, ingressOf(context, site)),
  ),
  ...(awaits.get(service.name) ?? []),
]

export type Objects = { readonly items: ReadonlyArray<Item>; readonly findings: ReadonlyArray<Diagnostic> }

/** DT1030 for two objects of one name, DT1034 and DT1050 of Ingresses, DT1107 for aliases that are taken. */
export const objectsOf = (context: Context, model: Model): Objects => {
  const sites = sitesOf(context, model.services, model.endpoints)
  const owners = new Map(model.services.map((service) => [service.object, service]))
  const shared: Shared = { context, sites, awaits: awaitsOf(context), owners }
  const items: ReadonlyArray<Item> = [
    ...sharedObjects(context, model),
    ...model.services.flatMap((service) => serviceObjects(shared, service)),
    ...sites.ofEndpoints.map((site) =>
      made(context, { kind: 'Ingress', name: site.name }, site.at, ingressOf(context, site)),
    ),
  ]
  const objects = items.flatMap((item) => (item._tag === 'Object' ? [item] : []))
  const findings = [
    ...collisions(model, objects),
    ...sites.findings,
    ...model.services.flatMap((service) => aliasFindings(owners, service)),
  ]
  return { items, findings }
}
