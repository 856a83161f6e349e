/** The input of an installation, and the checks before it begins. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import type { PlatformInstallation } from '../../domain/platform/manifests/installation.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Target } from '../context/target.ts'
import { asFindings, type Result } from '../result.ts'
import { clientSecretOf } from './keys.ts'
import { kubernetesFor } from './kubernetes.ts'
import { preflight } from './preflight.ts'

export type InstallPorts = Pick<
  Ports,
  'certificates' | 'clock' | 'files' | 'machine' | 'network' | 'progress' | 'random'
>

type ToldInstallation = Omit<PlatformInstallation, 'image'>

/**
 * `secretFile`: the file with the secret of the OIDC client; without one, that of the existing installation is used.
 */
export type InstallRequest = {
  readonly target: Target
  readonly installation: ToldInstallation
  /** Builds the image of the programs, or finds it. */
  readonly imageFor: (installation: ToldInstallation) => TE.TaskEither<ReadonlyArray<Diagnostic>, string>
  readonly secretFile?: string
  readonly signal: AbortSignal
  readonly interrupted: AbortSignal
}

export type CompleteRequest = Omit<InstallRequest, 'installation'> & {
  readonly installation: PlatformInstallation
  /** The secret of the OIDC client. */
  readonly clientSecret: string
}

/** DT6303 and DT6304 before `use` begins; the findings of the preflight come first. */
export const withComplete = <A extends object>(
  ports: InstallPorts,
  request: InstallRequest,
  use: (complete: CompleteRequest) => TE.TaskEither<ReadonlyArray<Diagnostic>, Result<A>>,
): TE.TaskEither<ReadonlyArray<Diagnostic>, Result<A>> => {
  const { installation, target } = request
  const work = pipe(
    clientSecretOf(ports, request),
    TE.bindTo('clientSecret'),
    TE.bind('image', () => request.imageFor(installation)),
    TE.bind('kubernetes', () => kubernetesFor(ports, target.cluster, installation)),
    TE.flatMap(({ clientSecret, image, kubernetes }) =>
      use({ ...request, clientSecret, installation: { ...installation, image, ...defined({ kubernetes }) } }),
    ),
  )
  return pipe(
    preflight(ports, request),
    asFindings,
    TE.flatMap((found) =>
      pipe(
        work,
        TE.bimap(
          (more): ReadonlyArray<Diagnostic> => [...found, ...more],
          (done): Result<A> => ({ ...done, findings: [...found, ...done.findings] }),
        ),
      ),
    ),
  )
}
