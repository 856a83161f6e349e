/** How users reach the API server, as far as the installer knows: the platform's own pods use another address. */
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import { isPublicAddress, type PlatformInstallation } from '../../domain/platform/manifests/installation.ts'
import { decodeBase64 } from '../../domain/text/base64.ts'
import type { Cluster } from '../../ports/cluster.ts'
import type { Ports } from '../../ports/ports.ts'
import { readText } from './text-file.ts'

/** A kubeconfig holds the certificates, or names a file; without either, those of this machine are used. */
const pemOf = (
  ports: Pick<Ports, 'files'>,
  authority: string | undefined,
): TE.TaskEither<ReadonlyArray<Diagnostic>, string | undefined> => {
  if (authority === undefined) return TE.right(undefined)
  const pem = new TextDecoder().decode(decodeBase64(authority))
  return pem.includes('-----BEGIN CERTIFICATE-----') ? TE.right(pem) : readText(ports, authority)
}

/** The address in the kubeconfig, unless a flag gives another, or only this machine can reach it. */
export const kubernetesFor = (
  ports: Pick<Ports, 'files'>,
  { authority, server: own }: Pick<Cluster, 'authority' | 'server'>,
  { kubernetes }: Pick<PlatformInstallation, 'kubernetes'>,
): TE.TaskEither<ReadonlyArray<Diagnostic>, PlatformInstallation['kubernetes']> => {
  if (kubernetes?.authority !== undefined) return TE.right(kubernetes)
  const server = kubernetes?.server ?? (isPublicAddress(own) ? own : undefined)
  if (server === undefined) return TE.right(undefined)
  return TE.map((pem: string | undefined) => ({ server, ...defined({ authority: pem }) }))(pemOf(ports, authority))
}
