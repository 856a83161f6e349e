/** From kubeconfig files to requests: the server of a context, and the credentials for it. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { textAt } from '../../domain/cluster/json.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { publicUrl } from '../../domain/text/public-url.ts'
import { suggestion } from '../../domain/text/suggest.ts'
import type { FileWriter } from '../../ports/files.ts'
import type { Home } from '../../ports/home.ts'
import type { Trace } from '../http/trace.ts'
import { accessOf, type ClusterAccess } from './access.ts'
import type { Pauses } from './api/retry.ts'
import { tracedTransport } from './api/traced-transport.ts'
import { type Access, type ApiTransport, openTransport } from './api/transport.ts'
import { type KubeconfigOptions, type MergedKubeconfig, withPaths } from './kubeconfig.ts'

/**
 * `isTerminal`: a credential plugin may ask questions. `say`: tells the user what is waited for. `trace`: gets a line
 * for each request. `store`: devtool's own folder.
 */
export type KubeWorld = KubeconfigOptions &
  Pauses & {
    readonly writer: FileWriter
    readonly store: Home
    readonly isTerminal: boolean
    readonly say: (text: string) => void
    readonly trace?: Trace
  }

export const unknownContext = ({ contexts, files }: MergedKubeconfig, name: string): Diagnostic => {
  const names = contexts.map((context) => context.name)
  return error('DT3009', `the kubeconfig ${files.join(', ')} has no context "${name}"`, {
    help: suggestion(name, names, 'it has none'),
  })
}

export const serverOf = (text: string): URL | undefined => {
  try {
    const url = new URL(text.includes('://') ? text : `https://${text}`)
    return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined
  } catch {
    return undefined
  }
}

const targetOf = (
  merged: MergedKubeconfig,
  name: string,
  { env, interruption, isTerminal, say, store }: KubeWorld,
): E.Either<Diagnostic, ClusterAccess> => {
  const context = merged.contexts.find((entry) => entry.name === name)
  if (context === undefined) return E.left(unknownContext(merged, name))
  const [clusterName, userName] = [textAt(context.value, 'cluster') ?? '', textAt(context.value, 'user') ?? '']
  const cluster = merged.clusters.find((entry) => entry.name === clusterName)
  if (cluster === undefined) {
    return E.left(
      error('DT3009', `context "${name}" of ${context.file} names a cluster "${clusterName}" that is not defined`),
    )
  }
  const address = textAt(cluster.value, 'server') ?? ''
  const server = serverOf(address)
  if (server === undefined) {
    return E.left(
      error(
        'DT3008',
        `cluster "${clusterName}" of kubeconfig ${cluster.file} has no valid server: "${publicUrl(address)}"`,
      ),
    )
  }
  const user = merged.users.find((entry) => entry.name === userName)
  if (user === undefined && userName !== '') {
    return E.left(
      error('DT3009', `context "${name}" of ${context.file} names a user "${userName}" that is not defined`),
    )
  }
  return E.right({
    server,
    cluster: withPaths(cluster, ['certificate-authority']),
    user: user === undefined ? {} : withPaths(user, ['client-certificate', 'client-key', 'tokenFile']),
    file: user?.file ?? context.file,
    env,
    isTerminal,
    interruption,
    say,
    store,
  })
}

export type OpenedUpstream = { readonly upstream: ApiTransport; readonly target: ClusterAccess }

/** While `grant` is obtained, the signal closes the access, which ends it. */
const untilEnded =
  ({ close, grant }: Access, signal: AbortSignal | undefined): Access['grant'] =>
  async () => {
    signal?.addEventListener('abort', close, { once: true })
    if (signal?.aborted === true) close()
    try {
      return await grant()
    } finally {
      signal?.removeEventListener('abort', close)
    }
  }

const transportOf = (access: Access, { clock, trace }: KubeWorld): ApiTransport => {
  const transport = openTransport(access)
  return trace === undefined ? transport : tracedTransport(transport, { clock, trace })
}

/** `help`: where the credentials come from. */
export const openTarget = (
  world: KubeWorld,
  target: ClusterAccess,
  context: string,
  { help, signal }: { readonly help: string; readonly signal?: AbortSignal | undefined },
): TE.TaskEither<Diagnostic, OpenedUpstream> => {
  const access = accessOf(target, world.clock)
  const denied = (cause: string): Diagnostic => {
    if (signal?.aborted === true) return error('DT3007', `getting credentials for context "${context}" was interrupted`)
    return error('DT3010', `cannot get credentials for context "${context}": ${cause}`, { help })
  }
  return pipe(
    untilEnded(access, signal),
    TE.bimap(denied, () => ({ upstream: transportOf(access, world), target })),
  )
}

/** Fails with what `Clusters.connect` fails with. */
export const openUpstream = (
  world: KubeWorld,
  merged: MergedKubeconfig,
  context: string,
  signal?: AbortSignal,
): TE.TaskEither<Diagnostic, OpenedUpstream> =>
  pipe(
    TE.fromIOEither(() => targetOf(merged, context, world)),
    TE.flatMap((target) =>
      openTarget(world, target, context, { help: `they are defined in kubeconfig ${target.file}`, signal }),
    ),
  )
