/**
 * Installs a platform, or brings one to this version: what it stands on, the policies that confine it, then its
 * programs, which are deployed like any other environment.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as C from '../../domain/checked.ts'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import { textAt } from '../../domain/cluster/json.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { type FileContent, textContent } from '../../domain/compose/file-content.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { foundation } from '../../domain/platform/manifests/foundation.ts'
import {
  OIDC_SECRET,
  PLATFORM_ENVIRONMENT,
  type PlatformInstallation,
  SESSION_SECRET,
  urlOf,
} from '../../domain/platform/manifests/installation.ts'
import { systemNamespace } from '../../domain/platform/manifests/namespaces.ts'
import { policiesFor } from '../../domain/platform/manifests/policies.ts'
import { type PlatformKeys, platformPlan } from '../../domain/platform/manifests/workloads.ts'
import { SYSTEM_NAMESPACE } from '../../domain/platform/names.ts'
import { encodeBase64, encodeBase64Text } from '../../domain/text/base64.ts'
import type { Ports } from '../../ports/ports.ts'
import { atMost, leavingMs } from '../concurrency/deadline.ts'
import { withResource } from '../concurrency/resource.ts'
import { missingRights } from '../context/rights.ts'
import type { Target } from '../context/target.ts'
import { deployLocked } from '../deploy/deploy.ts'
import type { DeployRequest } from '../deploy/request.ts'
import { acquire, type Lock } from '../environment/lock.ts'
import { answerAll, type Result } from '../result.ts'
import { applyObjects } from './objects.ts'
import { enforce } from './policies.ts'

export type InstallPorts = Pick<Ports, 'clock' | 'files' | 'machine' | 'progress' | 'random'>

/** `secretFile`: holds the secret of the OIDC client; without one, that of the installation that is there is used. */
export type InstallRequest = {
  readonly target: Target
  readonly installation: PlatformInstallation
  readonly secretFile?: string
  readonly signal: AbortSignal
  readonly interrupted: AbortSignal
}

export type Installed = { readonly url: string; readonly namespace: string }

const told = TE.mapLeft((found: Diagnostic): ReadonlyArray<Diagnostic> => [found])

const unsuitable = (message: string, help: string): Diagnostic => error('DT6303', message, { help })

const OLDEST_MINOR = 30

/** DT6303 before anything is written. */
const suitable = ({ cluster }: Target, signal: AbortSignal): TE.TaskEither<Diagnostic, void> => {
  const everything = { group: '*', resource: '*', verb: '*' }
  const version = pipe(
    TE.mapLeft(failureDiagnostic)(cluster.version(signal)),
    TE.filterOrElse(
      (text) => Number(/^v?1\.(\d+)/.exec(text)?.[1] ?? 0) >= OLDEST_MINOR,
      (text) => unsuitable(`the cluster runs Kubernetes ${text}`, `the platform needs 1.${OLDEST_MINOR} or later`),
    ),
  )
  const rights = pipe(
    TE.mapLeft(failureDiagnostic)(missingRights({ cluster, namespace: '' }, [everything], signal)),
    TE.filterOrElse(
      (missing) => missing.length === 0,
      () => unsuitable('you are not an administrator of this cluster', 'use a context with the role cluster-admin'),
    ),
  )
  return pipe(
    version,
    TE.flatMap(() => rights),
    TE.map(() => undefined),
  )
}

const secretIn = ({ files }: InstallPorts, path: string): TE.TaskEither<ReadonlyArray<Diagnostic>, string> =>
  pipe(
    TE.fromTask<FileContent, ReadonlyArray<Diagnostic>>(files.read(path, {})),
    TE.flatMapEither((content) => {
      const read = textContent(path, content, undefined)
      const text = C.valueOf(read)?.trim() ?? ''
      if (C.hasErrors(C.findings(read))) return E.left(C.findings(read))
      return text === ''
        ? E.left([
            error('DT6304', `--oidc-secret: ${path} is empty`, { help: 'write the secret of the OIDC client into it' }),
          ])
        : E.right(encodeBase64Text(text))
    }),
  )

const keptIn = (
  { signal, target: { cluster } }: InstallRequest,
  name: string,
  key: string,
): TE.TaskEither<ReadonlyArray<Diagnostic>, string | undefined> =>
  pipe(
    TE.mapLeft(failureDiagnostic)(
      cluster.get({ resource: resources.Secret, namespace: SYSTEM_NAMESPACE, name }, signal),
    ),
    TE.mapBoth(
      (failure) => [failure],
      (live) => textAt(live, 'data', key),
    ),
  )

/** That of the file, or of the installation that is there. */
const clientSecretOf = (
  ports: InstallPorts,
  request: InstallRequest,
): TE.TaskEither<ReadonlyArray<Diagnostic>, string> =>
  request.secretFile === undefined
    ? pipe(
        keptIn(request, OIDC_SECRET, 'client-secret'),
        TE.flatMapEither(
          E.fromNullable([
            error('DT6304', 'the first installation needs the secret of the OIDC client', {
              help: 'write it to a file and name that with --oidc-secret FILE',
            }),
          ]),
        ),
      )
    : secretIn(ports, request.secretFile)

/** It stays what it is: with another one everybody would have to log in again. */
const sessionKeyOf = (
  { random }: InstallPorts,
  request: InstallRequest,
): TE.TaskEither<ReadonlyArray<Diagnostic>, string> =>
  pipe(
    keptIn(request, SESSION_SECRET, 'key'),
    // The file holds the key as base64, which the Secret encodes once more.
    TE.map((there) => there ?? encodeBase64Text(encodeBase64(random.bytes(32)))),
  )

const deploymentOf = (
  { installation, interrupted, signal, target }: InstallRequest,
  keys: PlatformKeys,
): DeployRequest => ({
  target: { ...target, namespace: SYSTEM_NAMESPACE },
  plan: platformPlan({ ...installation, server: target.cluster.server }, keys),
  source: {},
  settings: {},
  recorded: { dependencies: [], destroyCommands: [] },
  services: ['api'],
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

/** Nobody else installs, changes or destroys the platform meanwhile. The lock is kept in its namespace. */
const withLock = <A>(
  ports: InstallPorts,
  { signal, target }: InstallRequest,
  use: (lock: Lock) => TE.TaskEither<ReadonlyArray<Diagnostic>, A>,
): TE.TaskEither<ReadonlyArray<Diagnostic>, A> => {
  const unlocked = { cluster: target.cluster, signal, lock: { check: () => Promise.resolve(undefined) } }
  const place = { ...target, namespace: SYSTEM_NAMESPACE }
  const locking = { breaks: false, waitsMs: 0, signal }
  return withResource(
    told(
      pipe(
        applyObjects(unlocked, [systemNamespace]),
        TE.flatMap(() => acquire(ports)(place, PLATFORM_ENVIRONMENT, locking)),
      ),
    ),
    use,
    (lock) => () => atMost(ports.clock, leavingMs(signal), lock.release),
  )
}

/** DT6301 to DT6304, and what a deploy finds. */
export const install =
  (ports: InstallPorts) =>
  (request: InstallRequest): Promise<Result<Installed>> => {
    const { clock, progress } = ports
    const { installation, signal, target } = request
    const say = (text: string): TE.TaskEither<Diagnostic, void> =>
      TE.fromIO(() => progress.tell({ _tag: 'Said', text }))
    const deployed =
      (lock: Lock, keys: PlatformKeys): TE.TaskEither<ReadonlyArray<Diagnostic>, Result<Installed>> =>
      async () => {
        const { findings } = await deployLocked(ports, deploymentOf(request, keys), lock)()
        if (C.hasErrors(findings)) return E.left(findings)
        return E.right({ findings, value: { url: urlOf(installation), namespace: SYSTEM_NAMESPACE } })
      }
    const prepared = (lock: Lock): TE.TaskEither<Diagnostic, void> => {
      const writing = { cluster: target.cluster, clock, lock, signal }
      return pipe(
        say('creating namespaces, accounts and roles'),
        TE.tap(() => applyObjects(writing, foundation)),
        TE.tap(() => say('trying the admission policies')),
        TE.tap(() => enforce(writing, policiesFor(installation.domain))),
      )
    }
    const underLock =
      (clientSecret: string) =>
      (lock: Lock): TE.TaskEither<ReadonlyArray<Diagnostic>, Result<Installed>> =>
        pipe(
          sessionKeyOf(ports, request),
          TE.tap(() => told(prepared(lock))),
          TE.flatMap((sessionKey) => deployed(lock, { clientSecret, sessionKey })),
        )
    const work = pipe(
      told(suitable(target, signal)),
      TE.flatMap(() => clientSecretOf(ports, request)),
      TE.flatMap((clientSecret) => withLock(ports, request, underLock(clientSecret))),
    )
    return answerAll(work)
  }
