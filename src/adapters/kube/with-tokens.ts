/** A cluster without a kubeconfig: a platform gives its address, and its users get tokens for it. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { readMoment } from '../../domain/text/moment.ts'
import { publicUrl } from '../../domain/text/public-url.ts'
import type { Clusters } from '../../ports/clusters.ts'
import type { ClusterAccess } from './access.ts'
import { type KubeWorld, type OpenedUpstream, openTarget, serverOf } from './open.ts'
import type { PluginCredential } from './plugin.ts'

type TokenAccess = Parameters<Clusters['withTokens']>[0]

const never = (): AbortSignal => new AbortController().signal

const accessTo = (
  { env, interruption, isTerminal, say, store }: KubeWorld,
  { authority, name, server }: TokenAccess,
  credentials: ClusterAccess['credentials'],
): ClusterAccess | undefined => {
  const url = serverOf(server)
  const trusted = authority === '' ? {} : { 'certificate-authority-data': Buffer.from(authority).toString('base64') }
  return (
    url && {
      server: url,
      cluster: { server, ...trusted },
      user: {},
      file: name,
      env,
      isTerminal,
      interruption,
      say,
      store,
      credentials,
    }
  )
}

/** The first token is requested here, so that its failure is reported as such. */
export const openWithTokens = (
  world: KubeWorld,
  given: TokenAccess,
  signal: AbortSignal = never(),
): TE.TaskEither<Diagnostic, OpenedUpstream> => {
  const { name, server, token } = given
  const asked = (ended: AbortSignal): TE.TaskEither<Diagnostic, PluginCredential> =>
    pipe(
      token(ended),
      TE.map((credential) => ({
        token: credential.token,
        expiresMs: (readMoment(credential.expires)?.seconds ?? 0) * 1000,
      })),
    )
  return pipe(
    asked(signal),
    TE.flatMap((first) => {
      let unused: PluginCredential | undefined = first
      const credentials = (ended: AbortSignal): TE.TaskEither<string, PluginCredential> => {
        const kept = unused
        unused = undefined
        return kept === undefined
          ? pipe(
              asked(ended),
              TE.mapLeft(({ message }) => message),
            )
          : TE.of(kept)
      }
      const target = accessTo(world, given, credentials)
      if (target === undefined) {
        return TE.left(error('DT3008', `the cluster of ${name} has no valid address: "${publicUrl(server)}"`))
      }
      return openTarget(world, target, name, { help: `they are given by the platform ${name}`, signal })
    }),
  )
}
