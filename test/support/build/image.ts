/** An image in a registry: its manifest, configuration and files. */
import { isObject, type Json, listAt, textAt } from '../../../src/domain/cluster/json.ts'
import { account } from '../registry/server.ts'
import { ask } from './programs.ts'

export type StoredImage = {
  readonly digest: string
  readonly manifest: Json
  /** As stored: history, labels and settings. */
  readonly config: string
  readonly layers: ReadonlyArray<string>
  /** `tar -tv` of all layers, one line per entry; other characters than ASCII are octal escapes. */
  readonly listing: () => Promise<string>
  /** The file at this path; `undefined` if no layer has it. */
  readonly file: (path: string) => Promise<string | undefined>
}

const types = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
]

const get = async (url: string): Promise<Response> => {
  const secret = Buffer.from(`${account.user}:${account.password}`).toString('base64')
  const headers = { accept: types.join(', '), authorization: `Basic ${secret}` }
  return fetch(url, { headers, signal: AbortSignal.timeout(30_000) })
}

/** `HOST/repository:tag` or `HOST/repository@digest`. */
const partsOf = (reference: string): { readonly base: string; readonly which: string } => {
  const [, host, repository, which] = /^([^/]+)\/(.+?)(?::([^:/@]+)|@(sha256:\w+))?$/.exec(reference) ?? []
  const [, digest] = /@(.*)$/.exec(reference) ?? []
  return { base: `http://${host}/v2/${repository}`, which: digest ?? which ?? 'latest' }
}

/** `undefined` if it does not exist. */
export const storedImage = async (reference: string): Promise<StoredImage | undefined> => {
  const { base, which } = partsOf(reference)
  const answer = await get(`${base}/manifests/${which}`)
  if (answer.status === 404) return undefined
  if (!answer.ok) throw new Error(`${reference}: ${answer.status} ${await answer.text()}`)
  const manifest: Json = JSON.parse(await answer.text())
  const blob = async (digest: string): Promise<Buffer> =>
    Buffer.from(await (await get(`${base}/blobs/${digest}`)).arrayBuffer())
  const configDigest = textAt(manifest, 'config', 'digest')
  const layers = listAt(manifest, 'layers').flatMap((layer) => textAt(layer, 'digest') ?? [])
  const tar = async (...args: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
    const blobs = await Promise.all(layers.map(blob))
    return blobs.map((bytes) => String(ask('tar', [...args, '-z', '-f', '-'], bytes)))
  }
  return {
    digest: answer.headers.get('docker-content-digest') ?? '',
    manifest,
    config: configDigest === undefined ? '' : String(await blob(configDigest)),
    layers,
    listing: async () => (await tar('-t', '-v')).join(''),
    file: async (path) => {
      const names = await tar('-t')
      const index = names.findLastIndex((list) => list.split('\n').includes(path))
      const digest = layers[index]
      return digest === undefined
        ? undefined
        : String(ask('tar', ['-x', '-O', '-z', '-f', '-', path], await blob(digest)))
    },
  }
}

/** It must exist. */
export const mustBeStored = async (reference: string): Promise<StoredImage> => {
  const image = await storedImage(reference)
  if (image === undefined) throw new Error(`${reference} is not in its registry`)
  return image
}

/** `os/architecture` of each image in an index. */
export const platformsOf = ({ manifest }: StoredImage): ReadonlyArray<string> =>
  listAt(manifest, 'manifests')
    .filter(isObject)
    .map((entry) => `${textAt(entry, 'platform', 'os')}/${textAt(entry, 'platform', 'architecture')}`)
