/** Local clusters, which need no registry: their tools load images from the Docker daemon. */
import { isIp, isIpv6 } from '../text/ip.ts'

/** `Shared`: runs containers in the Docker daemon itself, and so has its images already. */
export type LocalCluster =
  | { readonly _tag: 'Kind'; readonly name: string }
  | { readonly _tag: 'K3d'; readonly name: string }
  | { readonly _tag: 'Minikube'; readonly profile: string }
  | { readonly _tag: 'Shared' }

const privateAddress = /^(?:0\.0\.0\.0|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/
const privateIpv6 = /^(?:::1?$|f[cd])/i
const privateName = /^(?:[^.]+|.+\.(?:internal|local|localhost))$/

/**
 * A context can have any name: with the name of a local cluster but a remote server, images must not be loaded into the
 * local one.
 */
const isNear = (server: string): boolean => {
  const [, ipv6, name = ''] = /^https?:\/\/(?:\[([^\]]+)\]|([^:/?#@[\]]+))(?::\d+)?(?:\/.*)?$/.exec(server) ?? []
  if (ipv6 !== undefined) return isIpv6(ipv6) && privateIpv6.test(ipv6)
  return isIp(name) ? privateAddress.test(name) : privateName.test(name)
}

const sharing = /^(?:docker-desktop|docker-for-desktop|orbstack|rancher-desktop|colima(?:-.+)?)$/

/** By the name of the kubeconfig's context and the URL of its API server; `undefined`: not a local cluster. */
export const localCluster = (context: string, server: string): LocalCluster | undefined => {
  if (!isNear(server)) return undefined
  const [, tool, name = ''] = /^(kind|k3d)-(.+)$/.exec(context) ?? []
  if (tool === 'kind') return { _tag: 'Kind', name }
  if (tool === 'k3d') return { _tag: 'K3d', name }
  if (context === 'minikube') return { _tag: 'Minikube', profile: 'minikube' }
  return sharing.test(context) ? { _tag: 'Shared' } : undefined
}

/** Program and arguments; `undefined` when nothing has to be loaded. */
export const loadCommand = (
  cluster: LocalCluster,
  images: ReadonlyArray<string>,
): ReadonlyArray<string> | undefined => {
  if (images.length === 0) return undefined
  switch (cluster._tag) {
    case 'Kind':
      return ['kind', 'load', 'docker-image', ...images, '--name', cluster.name]
    case 'K3d':
      return ['k3d', 'image', 'import', ...images, '-c', cluster.name]
    case 'Minikube':
      return ['minikube', '-p', cluster.profile, 'image', 'load', ...images]
    case 'Shared':
      return undefined
  }
}
