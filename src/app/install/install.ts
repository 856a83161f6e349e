/**
 * Installs a platform, or brings one to this version: what it stands on, the policies that confine it, then its
 * programs, which are deployed like any other environment.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as C from '../../domain/checked.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { defined, ifDefined } from '../../domain/object/defined.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { BUILDER_SERVICE, builderNamespace, builderPlan } from '../../domain/platform/manifests/builder.ts'
import { foundationFor } from '../../domain/platform/manifests/foundation.ts'
import { type PlatformInstallation, urlOf } from '../../domain/platform/manifests/installation.ts'
import { policiesFor } from '../../domain/platform/manifests/policies.ts'
import { noKeys, type OwnKeys, type PlatformKeys, platformPlan } from '../../domain/platform/manifests/workloads.ts'
import { BUILDER_NAMESPACE, SYSTEM_NAMESPACE } from '../../domain/platform/names.ts'
import { encodeBase64Text } from '../../domain/text/base64.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Target } from '../context/target.ts'
import { deployLocked } from '../deploy/deploy.ts'
import type { DeployRequest } from '../deploy/request.ts'
import type { Lock } from '../environment/lock.ts'
import { answerAll, type Result } from '../result.ts'
import { certificateFor, type OwnCertificate, ofBuilder, ofPlatform } from './certificate.ts'
import { clientSecretOf, sessionKeyOf } from './keys.ts'
import { kubernetesFor } from './kubernetes.ts'
import { withPlatformLock } from './locked.ts'
import { applyObjects, removeObjects } from './objects.ts'
import { enforce } from './policies.ts'
import { preflight } from './preflight.ts'

export type InstallPorts = Pick<
  Ports,
  'certificates' | 'clock' | 'files' | 'machine' | 'network' | 'progress' | 'random'
>

type ToldInstallation = Omit<PlatformInstallation, 'image'>

/** `secretFile`: holds the secret of the OIDC client; without one, that of the installation that is there is used. */
export type InstallRequest = {
  readonly target: Target
  readonly installation: ToldInstallation
  /** Makes the image of the programs, or finds it. */
  readonly imageFor: (installation: ToldInstallation) => TE.TaskEither<ReadonlyArray<Diagnostic>, string>
  readonly secretFile?: string
  readonly signal: AbortSignal
  readonly interrupted: AbortSignal
}

type CompleteRequest = Omit<InstallRequest, 'installation'> & { readonly installation: PlatformInstallation }

/** `fingerprint`: SHA-256 of the certificate of the platform's own authority. */
export type Installed = { readonly url: string; readonly namespace: string; readonly fingerprint?: string }

const told = TE.mapLeft((found: Diagnostic): ReadonlyArray<Diagnostic> => [found])

const deploymentOf = (
  { interrupted, signal, target }: CompleteRequest,
  { namespace, plan, service }: { readonly namespace: string; readonly plan: Plan; readonly service: string },
): DeployRequest => ({
  target: { ...target, namespace },
  plan,
  source: {},
  settings: {},
  recorded: { dependencies: [], destroyCommands: [] },
  services: [service],
  refusal: () => undefined,
  external: [],
  switchedOff: new Set(),
  isPartial: false,
  isWaiting: true,
  failsFast: false,
  jobs: { _tag: 'Changed' },
  force: false,
  breaksLock: false,
  lockWaitMs: 0,
  signal,
  interrupted,
  purpose: { _tag: 'Deploy' },
  isAtomic: false,
})

/** As the data of Secrets. */
const encoded = ({ authority, server }: OwnCertificate): OwnKeys => ({
  authority: encodeBase64Text(authority.certificate),
  authorityKey: encodeBase64Text(authority.key),
  server: encodeBase64Text(server.certificate),
  serverKey: encodeBase64Text(server.key),
})

/** What the installation consists of beside what they stand on, each an environment of its own. */
const environmentsOf = ({ installation }: CompleteRequest, keys: PlatformKeys) => [
  { namespace: SYSTEM_NAMESPACE, plan: platformPlan(installation, keys), service: 'api' },
  ...(installation.builder === undefined
    ? []
    : [
        {
          namespace: BUILDER_NAMESPACE,
          plan: builderPlan(installation.builder, keys.builder ?? noKeys),
          service: BUILDER_SERVICE,
        },
      ]),
]

/** Under the lock. */
const carryOut = (
  ports: InstallPorts,
  request: CompleteRequest,
  clientSecret: string,
  lock: Lock,
): TE.TaskEither<ReadonlyArray<Diagnostic>, Result<Installed>> => {
  const { clock, progress } = ports
  const { installation, signal, target } = request
  const say = (text: string): TE.TaskEither<Diagnostic, void> => TE.fromIO(() => progress.tell({ _tag: 'Said', text }))
  const writing = { cluster: target.cluster, clock, lock, signal }
  const prepared = pipe(
    say('creating namespaces, accounts and roles'),
    TE.tap(() => applyObjects(writing, foundationFor(installation))),
    TE.tap(() =>
      installation.builder === undefined ? removeObjects(writing, [builderNamespace]) : TE.right(undefined),
    ),
    TE.tap(() => say('trying the admission policies')),
    TE.tap(() => enforce(writing, policiesFor(installation.domain))),
  )
  const deployed =
    (
      keys: PlatformKeys,
      fingerprint: string | undefined,
    ): TE.TaskEither<ReadonlyArray<Diagnostic>, Result<Installed>> =>
    async () => {
      const findings: Array<Diagnostic> = []
      for (const environment of environmentsOf(request, keys)) {
        const done = await deployLocked(ports, deploymentOf(request, environment), lock)()
        for (const found of done.findings) findings.push(found)
        if (C.hasErrors(findings)) return E.left(findings)
      }
      return E.right({
        findings,
        value: { url: urlOf(installation), namespace: SYSTEM_NAMESPACE, ...defined({ fingerprint }) },
      })
    }
  return pipe(
    sessionKeyOf(ports, request),
    TE.bindTo('sessionKey'),
    TE.bind('own', () =>
      installation.tls._tag === 'SelfSigned'
        ? told(certificateFor(ports, request, ofPlatform(installation.domain)))
        : TE.right(undefined),
    ),
    TE.bind('builder', () =>
      installation.builder === undefined ? TE.right(undefined) : told(certificateFor(ports, request, ofBuilder)),
    ),
    TE.tap(() => told(prepared)),
    TE.flatMap(({ builder, own, sessionKey }) => {
      const certificates = { certificate: ifDefined(own, encoded), builder: ifDefined(builder, encoded) }
      return deployed({ clientSecret, sessionKey, ...defined(certificates) }, own?.fingerprint)
    }),
  )
}

/** DT6301 to DT6304, and what a deploy finds. */
export const install =
  (ports: InstallPorts) =>
  (request: InstallRequest): Promise<Result<Installed>> => {
    const { installation, target } = request
    const work = pipe(
      clientSecretOf(ports, request),
      TE.bindTo('clientSecret'),
      TE.bind('image', () => request.imageFor(installation)),
      TE.bind('kubernetes', () => kubernetesFor(ports, target.cluster, installation)),
      TE.flatMap(({ clientSecret, image, kubernetes }) => {
        const complete = { ...request, installation: { ...installation, image, ...defined({ kubernetes }) } }
        return withPlatformLock(ports, complete, (lock) => carryOut(ports, complete, clientSecret, lock))
      }),
    )
    const checked = pipe(
      told(preflight(ports, request)),
      TE.flatMapTask((found) =>
        T.map(({ findings, ...rest }: Result<Installed>) => ({ ...rest, findings: [...found, ...findings] }))(() =>
          answerAll(work),
        ),
      ),
    )
    return answerAll(checked)
  }
