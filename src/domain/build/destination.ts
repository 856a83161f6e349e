/** Where images go: to a registry, or into an image store on this machine. */
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import type { Image } from './image.ts'
import type { LocalCluster } from './local-cluster.ts'
import { repositoryOf } from './names.ts'

/** `cluster`: the images are needed there, too. */
export type Destination =
  | { readonly output: 'Push' | 'Load' }
  | { readonly output: 'Store'; readonly cluster?: LocalCluster }

/** The destination for a deploy. An explicitly named registry is used, whatever the cluster. */
export const destinationOf = (
  registry: string | undefined,
  cluster: LocalCluster | undefined,
  isDocker: boolean,
): Destination =>
  registry === undefined && cluster !== undefined && isDocker ? { output: 'Store', cluster } : { output: 'Push' }

/** `web:1.0` would be pushed to Docker Hub's official images, where nobody has permission. */
const hasNoOwner = (name: string): boolean => !repositoryOf(name).includes('/')

const help = 'name one with --registry, DEVTOOL_REGISTRY or `devtool context use NAME --registry HOST`'
const helpInRun =
  'name one for all with `devtool platform install --registry HOST`, or for the namespace with `devtool variable set DEVTOOL_REGISTRY HOST`'

/** DT4022 for each image that cannot be pushed anywhere. `isInRun`: of a command in a run on the platform. */
export const unpushable = (
  images: ReadonlyArray<Image>,
  { output }: Destination,
  registry: string | undefined,
  isInRun: boolean,
): ReadonlyArray<Diagnostic> => {
  if (output !== 'Push') return []
  return images.flatMap((image) => {
    const [name] = image.images
    if (name === undefined && registry !== undefined) return []
    if (name !== undefined && !hasNoOwner(name.value)) return []
    const what =
      name === undefined ? `the image of ${image.name} has no name` : `"${name.value}" does not name a registry`
    const place = name ?? image
    const message = `${what}, and no registry is set to push it to`
    return [error('DT4022', message, { at: place.at, path: place.path, help: isInRun ? helpInRun : help })]
  })
}

/** The same image, under the address at which the cluster reaches the registry. */
export const pulledAs = (reference: string, registry: string, pullRegistry: string): string =>
  reference.startsWith(`${registry}/`) ? `${pullRegistry}${reference.slice(registry.length)}` : reference
