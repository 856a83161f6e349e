/**
 * Installs a platform, or upgrades one to this version: namespaces and permissions, the policies that confine it, then
 * its programs, which are deployed like any other environment.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as C from '../../domain/checked.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import { builderNamespace } from '../../domain/platform/manifests/builder.ts'
import { foundationFor } from '../../domain/platform/manifests/foundation.ts'
import { urlOf } from '../../domain/platform/manifests/installation.ts'
import { policiesFor } from '../../domain/platform/manifests/policies.ts'
import { SYSTEM_NAMESPACE } from '../../domain/platform/names.ts'
import { deployLocked } from '../deploy/deploy.ts'
import type { Lock } from '../environment/lock.ts'
import { answerAll, asFindings, type Result } from '../result.ts'
import { environmentsOf, keysFor } from './environments.ts'
import { withPlatformLock } from './locked.ts'
import { applyObjects, removeObjects, removeOwn } from './objects.ts'
import { outdated } from './outdated.ts'
import { enforce } from './policies.ts'
import { type CompleteRequest, type InstallPorts, type InstallRequest, withComplete } from './request.ts'

/** `fingerprint`: SHA-256 of the certificate of the platform's own authority. */
export type Installed = { readonly url: string; readonly namespace: string; readonly fingerprint?: string }

/** Runs under the lock. */
const carryOut = (
  ports: InstallPorts,
  request: CompleteRequest,
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
    (deployments: ReturnType<typeof environmentsOf>): TE.TaskEither<ReadonlyArray<Diagnostic>, Result<object>> =>
    async () => {
      const findings: Array<Diagnostic> = []
      for (const deployment of deployments) {
        const done = await deployLocked(ports, deployment, lock)()
        for (const found of done.findings) findings.push(found)
        if (C.hasErrors(findings)) return E.left(findings)
      }
      return E.right({ findings })
    }
  // The programs of the other version are gone by now.
  const cleared = pipe(
    outdated(writing, installation),
    TE.flatMap((own) => removeOwn(writing, own)),
  )
  return pipe(
    keysFor(ports, request),
    TE.tap(() => asFindings(prepared)),
    TE.flatMap(({ fingerprint, keys }) =>
      pipe(
        deployed(environmentsOf(request, keys)),
        TE.tap(() => asFindings(cleared)),
        TE.map(({ findings }) => ({
          findings,
          value: { url: urlOf(installation), namespace: SYSTEM_NAMESPACE, ...defined({ fingerprint }) },
        })),
      ),
    ),
  )
}

/** DT6301 to DT6304, and the findings of a deploy. */
export const install =
  (ports: InstallPorts) =>
  (request: InstallRequest): Promise<Result<Installed>> =>
    answerAll(
      withComplete(ports, request, (complete) =>
        withPlatformLock(ports, complete, (lock) => carryOut(ports, complete, lock)),
      ),
    )
