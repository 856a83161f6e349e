/** Pushes an image for a platform that no node of the tests has, through the API of a registry. */
import { createHash } from 'node:crypto'

const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
const bytesOf = (json: object): Uint8Array<ArrayBuffer> => new TextEncoder().encode(JSON.stringify(json))

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json'
const INDEX = 'application/vnd.oci.image.index.v1+json'

type Descriptor = { readonly digest: string; readonly size: number; readonly mediaType: string }

const accepted = async (answer: Response): Promise<void> => {
  if (answer.status !== 201) throw new Error(`the registry answered ${answer.status} ${await answer.text()}`)
}

const putBlob = async (repository: string, json: object, mediaType: string): Promise<Descriptor> => {
  const bytes = bytesOf(json)
  const digest = digestOf(bytes)
  const begun = await fetch(`${repository}/blobs/uploads/`, { method: 'POST' })
  const place = new URL(begun.headers.get('location') ?? '', repository)
  place.searchParams.set('digest', digest)
  const type = { 'content-type': 'application/octet-stream' }
  await accepted(await fetch(place, { method: 'PUT', body: bytes, headers: type }))
  return { digest, size: bytes.length, mediaType }
}

const putManifest = async (repository: string, mediaType: string, json: object, tag?: string): Promise<Descriptor> => {
  const bytes = bytesOf({ schemaVersion: 2, mediaType, ...json })
  const digest = digestOf(bytes)
  const headers = { 'content-type': mediaType }
  await accepted(await fetch(`${repository}/manifests/${tag ?? digest}`, { method: 'PUT', body: bytes, headers }))
  return { digest, size: bytes.length, mediaType }
}

/** False if no registry answers at this address (`http://10.0.0.1:5000`). */
export const pushForeignImage = async (registry: string, name: string, tag: string): Promise<boolean> => {
  const answers = await fetch(`${registry}/v2/`, { signal: AbortSignal.timeout(2000) }).then(
    ({ ok }) => ok,
    () => false,
  )
  if (!answers) return false
  const repository = `${registry}/v2/${name}`
  const platform = { architecture: 's390x', os: 'linux' }
  const config = { ...platform, rootfs: { type: 'layers', diff_ids: [] } }
  const described = await putBlob(repository, config, 'application/vnd.oci.image.config.v1+json')
  const manifest = await putManifest(repository, MANIFEST, { config: described, layers: [] })
  await putManifest(repository, INDEX, { manifests: [{ ...manifest, platform }] }, tag)
  return true
}
