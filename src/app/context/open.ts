/**
 * The cluster of a context: that of the kubeconfig, or the cluster of a platform, which gives its users tokens for it.
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import type { Cluster } from '../../ports/cluster.ts'
import type { PlatformLogin } from '../../ports/platforms.ts'
import type { Ports } from '../../ports/ports.ts'
import type { LocatedTarget } from './locate.ts'
import type { TargetOptions } from './target.ts'

type OpenPorts = Pick<Ports, 'clusters' | 'platforms'>

/** A token ends with the login, and after an hour; the next one is requested before that. */
const behind = (
  { clusters, platforms }: OpenPorts,
  login: PlatformLogin,
  signal: AbortSignal,
): TE.TaskEither<Diagnostic, Cluster> => {
  const token = (ended: AbortSignal) => platforms.send(login, 'createCredential', {}, ended)
  return pipe(
    platforms.send(login, 'cluster', {}, signal),
    TE.flatMap(({ authority, server }) => clusters.withTokens({ name: login.url, server, authority, token }, signal)),
  )
}

export const openCluster =
  (ports: OpenPorts) =>
  (
    { kubeconfig }: Pick<TargetOptions, 'kubeconfig'>,
    { context, platform }: Pick<LocatedTarget, 'context' | 'platform'>,
    signal: AbortSignal = new AbortController().signal,
  ): TE.TaskEither<Diagnostic, Cluster> =>
    platform === undefined
      ? ports.clusters.connect({ context, ...defined({ file: kubeconfig }) }, signal)
      : behind(ports, platform, signal)
