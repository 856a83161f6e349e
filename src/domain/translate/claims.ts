/** PersistentVolumeClaims, and the claim templates of StatefulSets. All are ReadWriteOnce. */
import type { ComposeService } from '../compose/model.ts'
import type { Volume } from '../compose/volume-model.ts'
import type { ClaimSpec, PersistentVolumeClaim, StatefulSet } from '../k8s/types.ts'
import { dnsLabel } from '../text/dns-name.ts'
import type { Span } from '../text/source.ts'
import { containersOf, labelsOf, type TranslationContext } from './context.ts'
import { type Draft, from, fromWritten } from './draft.ts'
import { annotationsOf, metadataOf } from './metadata.ts'
import { uniqueLabel, workloadName } from './names.ts'

const DEFAULT_SIZE = '1Gi'

const specOf = (size: Draft<string>, storageClassName?: Draft<string>): Draft<ClaimSpec> => ({
  accessModes: ['ReadWriteOnce'],
  storageClassName,
  resources: { requests: new Map([['storage', size]]) },
})

/** Where it is defined, and what gives it another name. */
export const placesOf = ({ at, places = {} }: Volume): ReadonlyArray<Span> =>
  [at, places.object, places.isExternal, places.init].filter((place) => place !== undefined)

/** The claim of a named volume. External volumes are not created. */
export const volumeClaim = (context: TranslationContext, volume: Volume): Draft<PersistentVolumeClaim> =>
  from(placesOf(volume), {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: metadataOf(context, volume.object, context.labels, annotationsOf(volume.annotations)),
    spec: specOf(from(volume.places?.size ?? volume.at, volume.size), fromWritten(volume.storageClass)),
  })

/** `claim` is the name of the claim; absent when a template creates one for each pod. */
type AnonymousClaim = {
  readonly service: string
  readonly target: string
  readonly name: string
  readonly claim?: string
  readonly at: Span
}

/**
 * Named after their mount paths: `/var/lib/mysql` becomes `var-lib-mysql`, and `log-var-lib-mysql` for a service `log`
 * in another service's pod. Only a StatefulSet has claim templates.
 */
export const anonymousClaims = (context: TranslationContext, pod: ComposeService): ReadonlyArray<AnonymousClaim> => {
  const taken = new Set<string>()
  return containersOf(context, pod).flatMap(({ mounts, name: service, object }) =>
    mounts
      .filter(({ _tag }) => _tag === 'Anonymous')
      .map(({ target, at }) => {
        const path = service === pod.name ? target : `${object}-${target.slice(1)}`
        const name = uniqueLabel(taken, dnsLabel(path), path)
        if (pod.kind._tag === 'StatefulSet') return { service, target, name, at }
        return { service, target, name, at, claim: dnsLabel(`${workloadName(pod)}-${name}`) }
      }),
  )
}

export const claimTemplates = (
  context: TranslationContext,
  service: ComposeService,
): ReadonlyArray<Draft<NonNullable<StatefulSet['spec']['volumeClaimTemplates']>[number]>> =>
  service.kind._tag !== 'StatefulSet'
    ? []
    : anonymousClaims(context, service).map(({ name, at }) =>
        from(at, { metadata: { name, labels: labelsOf(context, service).own }, spec: specOf(DEFAULT_SIZE) }),
      )

/** The claims of anonymous volumes of workloads without claim templates. */
export const ownClaims = (
  context: TranslationContext,
  service: ComposeService,
): ReadonlyArray<{ readonly name: string; readonly at: Span; readonly draft: Draft<PersistentVolumeClaim> }> =>
  anonymousClaims(context, service).flatMap(({ claim, at }) => {
    if (claim === undefined) return []
    const metadata = metadataOf(context, claim, labelsOf(context, service).own)
    const spec = specOf(DEFAULT_SIZE)
    return [{ name: claim, at, draft: from(at, { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata, spec }) }]
  })
