/**
 * Additional names of services. An alias of one service is a Service with the same pods. One that several services of a
 * network have in common is a headless Service, which resolves to the pods of all of them, as it does under Compose.
 */
import type { ComposeService } from '../compose/model.ts'
import type { Carrier } from '../compose/read/alias-carriers.ts'
import { aliasSelector } from '../k8s/labels.ts'
import type { Service } from '../k8s/types.ts'
import type { Span } from '../text/source.ts'
import type { TranslationContext } from './context.ts'
import { type Draft, from } from './draft.ts'
import { metadataOf } from './metadata.ts'
import { serviceOf } from './service.ts'

const placesOf = (carriers: ReadonlyArray<Carrier>): ReadonlyArray<Span> =>
  carriers.flatMap(({ alias: { also = [], at } }) => [at, ...also])

const sharedService = (context: TranslationContext, name: string, carriers: ReadonlyArray<Carrier>): Draft<Service> => {
  const places = placesOf(carriers)
  return from(places, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadataOf(context, name, context.labels),
    spec: {
      clusterIP: 'None',
      publishNotReadyAddresses: true,
      selector: from(places, aliasSelector(context.target.environment, name)),
    },
  })
}

/** `sharedBy`: empty for an alias of one service. */
type AliasService = {
  readonly name: string
  readonly at: Span
  readonly draft: Draft<Service>
  readonly sharedBy: ReadonlyArray<Carrier>
}

/** Services for the aliases of a service. One that it shares belongs to the first service that carries it. */
export const aliasServices = (context: TranslationContext, service: ComposeService): ReadonlyArray<AliasService> =>
  [...new Set(service.network.aliases.map(({ value }) => value))].flatMap((name): ReadonlyArray<AliasService> => {
    const carriers = context.carriers.get(name) ?? []
    const [first] = carriers
    if (first?.service.name !== service.name) return []
    const { at } = first.alias
    const isShared = carriers.length > 1
    const draft = isShared
      ? sharedService(context, name, carriers)
      : serviceOf(context, service, name, placesOf(carriers))
    return [{ name, at, draft, sharedBy: isShared ? carriers : [] }]
  })
