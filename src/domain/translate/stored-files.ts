/** Configs → ConfigMaps, secrets → Secrets: one object for each, with one key. */
import type { HostConfig, StoredFile } from '../compose/volume-model.ts'
import type { ConfigMap, Secret } from '../k8s/types.ts'
import { encodeBase64Text } from '../text/base64.ts'
import { dnsLabel } from '../text/dns-name.ts'
import type { Span } from '../text/source.ts'
import type { TranslationContext } from './context.ts'
import { type Draft, from, mapped } from './draft.ts'
import { annotationsOf, metadataOf } from './metadata.ts'

/**
 * The key of the content, also in an external object: the Compose name, unless Kubernetes does not accept it as a key.
 */
export const dataKey = (name: string): string =>
  /^(?!\.\.)[-._a-zA-Z0-9]{1,253}$/.test(name) && name !== '.' ? name : dnsLabel(name)

/** Where it is defined, and what decides about its name and content. */
export const placesOfFile = ({ at, places = [] }: StoredFile): ReadonlyArray<Span> => [at, ...places]

type Content = NonNullable<StoredFile['content']>

const base64Of = (content: Content): string =>
  content._tag === 'Text' ? encodeBase64Text(content.text) : content.base64

export const configMapOf = (context: TranslationContext, file: StoredFile, content: Content): Draft<ConfigMap> => {
  const entry = (text: string) => new Map([[dataKey(file.name), from(placesOfFile(file), text)]])
  return from(file.at, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadataOf(context, file.object, context.labels, annotationsOf(file.annotations)),
    data: content._tag === 'Text' ? entry(content.text) : undefined,
    binaryData: content._tag === 'Bytes' ? entry(content.base64) : undefined,
  })
}

export const hostConfigMapOf = (context: TranslationContext, { at, entries, object }: HostConfig): Draft<ConfigMap> => {
  const [data, binaryData] = [new Map<string, Draft<string>>(), new Map<string, Draft<string>>()]
  for (const { at: place, content, key } of entries) {
    if (content._tag === 'Text') data.set(key, from(place, content.text))
    else binaryData.set(key, from(place, content.base64))
  }
  return from(at, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadataOf(context, object, context.labels),
    data: mapped(data),
    binaryData: mapped(binaryData),
  })
}

export const secretOf = (context: TranslationContext, file: StoredFile, content: Content): Draft<Secret> =>
  from(file.at, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: metadataOf(context, file.object, context.labels, annotationsOf(file.annotations)),
    type: 'Opaque',
    data: new Map([[dataKey(file.name), from(placesOfFile(file), base64Of(content))]]),
  })
