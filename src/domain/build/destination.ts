/** Where images go: to a registry, or into the Docker daemon and from there into a local cluster. */
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import type { Image } from './image.ts'
import type { LocalCluster } from './local-cluster.ts'
import { repositoryOf } from './names.ts'

/** Daemon without `cluster`: only this machine needs the images. */
export type Destination = { readonly _tag: 'Registry' } | { readonly _tag: 'Daemon'; readonly cluster?: LocalCluster }

/** The destination for a deploy. An explicitly named registry is used, whatever the cluster. */
export const destinationOf = (
  registry: string | undefined,
  cluster: LocalCluster | undefined,
  isDocker: boolean,
): Destination =>
  registry === undefined && cluster !== undefined && isDocker ? { _tag: 'Daemon', cluster } : { _tag: 'Registry' }

/** `web:1.0` would be pushed to Docker Hub's official images, where nobody has permission. */
const hasNoOwner = (name: string): boolean => !repositoryOf(name).includes('/')

const help = 'name one with --registry, DEVTOOL_REGISTRY or `devtool context use NAME --registry HOST`'

/** DT4022 for each image that cannot be pushed anywhere. */
export const unpushable = (
  images: ReadonlyArray<Image>,
  { _tag }: Destination,
  registry: string | undefined,
): ReadonlyArray<Diagnostic> => {
  if (_tag === 'Daemon') return []
  return images.flatMap((image) => {
    const [name] = image.images
    if (name === undefined && registry !== undefined) return []
    if (name !== undefined && !hasNoOwner(name.value)) return []
    const what =
      name === undefined ? `the image of ${image.name} has no name` : `"${name.value}" does not name a registry`
    const place = name ?? image
    return [error('DT4022', `${what}, and no registry is set to push it to`, { at: place.at, path: place.path, help })]
  })
}

/** The same image, under the address at which the cluster reaches the registry. */
export const pulledAs = (reference: string, registry: string, pullRegistry: string): string =>
  reference.startsWith(`${registry}/`) ? `${pullRegistry}${reference.slice(registry.length)}` : reference
