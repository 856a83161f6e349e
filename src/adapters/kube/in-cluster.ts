/** The cluster in which this pod runs, as a kubeconfig with one context. */

import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { JsonObject } from '../../domain/cluster/json.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { readRegular } from '../paths/regular.ts'
import {
  type KubeconfigEntry,
  type KubeconfigOptions,
  type MergedKubeconfig,
  readFiles,
  readKubeconfig,
} from './kubeconfig.ts'

const usualFolder = '/var/run/secrets/kubernetes.io/serviceaccount'
const name = 'in-cluster'

const textOf = (path: string): string | undefined => {
  try {
    return readRegular(path).toString().trim()
  } catch {
    return undefined
  }
}

/**
 * `undefined` outside of a pod, and in one without a service account. The token is read again whenever it may have
 * changed.
 */
export const readInCluster = ({
  accountFolder = usualFolder,
  env,
}: KubeconfigOptions): MergedKubeconfig | undefined => {
  const [host, port] = [env['KUBERNETES_SERVICE_HOST'] ?? '', env['KUBERNETES_SERVICE_PORT'] ?? '']
  const file = join(accountFolder, 'token')
  if (host === '' || port === '' || textOf(file) === undefined) return undefined
  const entry = (value: JsonObject): ReadonlyArray<KubeconfigEntry> => [{ name, file, value }]
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`
  const namespace = textOf(join(accountFolder, 'namespace')) ?? 'default'
  return {
    files: [accountFolder],
    current: name,
    contexts: entry({ cluster: name, user: name, namespace }),
    clusters: entry({ server, 'certificate-authority': join(accountFolder, 'ca.crt') }),
    users: entry({ tokenFile: file }),
  }
}

/**
 * As in kubectl, the service account of the pod is used when no kubeconfig names a cluster, unless a kubeconfig was
 * requested.
 */
export const readContexts = (
  options: KubeconfigOptions,
  file: string | undefined,
): TE.TaskEither<Diagnostic, MergedKubeconfig> => {
  if (file !== undefined) return readKubeconfig(options, file)
  return pipe(
    readFiles(options, file),
    TE.flatMap(({ clusters, contexts }) => {
      const pod = clusters.length + contexts.length === 0 ? readInCluster(options) : undefined
      return pod === undefined ? readKubeconfig(options, file) : TE.right(pod)
    }),
  )
}
