/** What the translation of one service needs to know about all others. Built once; every lookup is by key. */
import type { ComposeService, Model } from '../compose/model.ts'
import { type Carriers, carriersIn, sharedBy } from '../compose/read/alias-carriers.ts'
import type { StoredFile, Volume } from '../compose/volume-model.ts'
import { environmentLabels, membershipLabels, type ServiceLabels, serviceLabels } from '../k8s/labels.ts'
import type { Strings } from '../k8s/types.ts'
import { sha256 } from '../text/sha256.ts'
import { type SettleDraft, settler } from './draft.ts'
import type { PodGroup } from './pods.ts'
import type { DeployTarget } from './target.ts'
import { groupLabels, type VolumeGroup } from './volume-groups.ts'

/** Maps are keyed by Compose name. */
export type TranslationContext = {
  readonly target: DeployTarget
  /** Labels of every object. */
  readonly labels: Strings
  readonly serviceLabels: ReadonlyMap<string, ServiceLabels>
  readonly services: ReadonlyMap<string, ComposeService>
  /** The pod that each service runs in. */
  readonly pods: ReadonlyMap<string, PodGroup>
  readonly volumes: ReadonlyMap<string, Volume>
  readonly configs: ReadonlyMap<string, StoredFile>
  readonly secrets: ReadonlyMap<string, StoredFile>
  /** SHA-256 of the content of each config that has one. */
  readonly configHashes: ReadonlyMap<string, string>
  /** SHA-256 of each ConfigMap of files of this machine, by its object name. */
  readonly hostHashes: ReadonlyMap<string, string>
  /** The label of the volume group of a service, for services in one. */
  readonly groupOf: ReadonlyMap<string, string>
  /** Keyed by alias. */
  readonly carriers: Carriers
  readonly settle: SettleDraft
}

const byName = <A extends { readonly name: string }>(items: ReadonlyArray<A>): ReadonlyMap<string, A> =>
  new Map(items.map((item) => [item.name, item]))

const hashOf = (content: NonNullable<StoredFile['content']>): string =>
  sha256(content._tag === 'Text' ? content.text : `base64:${content.base64}`)

const hashes = (configs: ReadonlyArray<StoredFile>): ReadonlyMap<string, string> =>
  new Map(
    configs.flatMap(({ name, content }) => {
      if (content === undefined) return []
      return [[name, hashOf(content)] as const]
    }),
  )

const hostHashes = (services: ReadonlyArray<ComposeService>): ReadonlyMap<string, string> =>
  new Map(
    services.flatMap(({ hostConfig }) => {
      if (hostConfig === undefined) return []
      const lines = hostConfig.entries.map(({ content, key }) => `${key} ${hashOf(content)}`)
      return [[hostConfig.object, sha256(lines.join('\n'))] as const]
    }),
  )

/** Keyed by the name of each service in the pod. */
const podsByName = (pods: ReadonlyArray<PodGroup>): ReadonlyMap<string, PodGroup> =>
  new Map(pods.flatMap((pod) => pod.containers.map(({ name }) => [name, pod] as const)))

export const contextOf = (
  target: DeployTarget,
  model: Model,
  pods: ReadonlyArray<PodGroup>,
  groups: ReadonlyArray<VolumeGroup>,
): TranslationContext => {
  const labels = environmentLabels(target.environment)
  const groupOf = groupLabels(groups)
  const podOf = podsByName(pods)
  const carriers = carriersIn(model.services)
  const sharedIn = new Map(pods.map(({ containers, whole }) => [whole.name, sharedBy(carriers, containers)]))
  const ofService = (service: ComposeService) => {
    const { whole = service } = podOf.get(service.name) ?? {}
    const memberships = membershipLabels(groupOf.get(service.name), sharedIn.get(whole.name) ?? [])
    return serviceLabels(labels, service.object, memberships, whole.object)
  }
  return {
    target,
    labels,
    serviceLabels: new Map(model.services.map((service) => [service.name, ofService(service)])),
    services: byName(model.services),
    pods: podOf,
    volumes: byName(model.volumes),
    configs: byName(model.configs),
    secrets: byName(model.secrets),
    configHashes: hashes(model.configs),
    hostHashes: hostHashes(model.services),
    groupOf,
    carriers,
    settle: settler(target.withOrigins),
  }
}

export const labelsOf = (
  { labels, serviceLabels: known }: TranslationContext,
  { name, object }: ComposeService,
): ServiceLabels => known.get(name) ?? serviceLabels(labels, object, new Map(), object)

/** The services that run in the pod of a service, the service itself first. */
export const containersOf = ({ pods }: TranslationContext, service: ComposeService): ReadonlyArray<ComposeService> =>
  pods.get(service.name)?.containers ?? [service]
