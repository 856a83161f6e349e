/**
 * Removes a platform: first the permissions of its programs, so that they cannot do anything that its policies would
 * refuse, then the policies, then the programs. Users and their namespaces are kept for another installation.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { TENANT_SELECTOR } from '../../domain/platform/access.ts'
import { builderNamespace } from '../../domain/platform/manifests/builder.ts'
import { scopedNamespace, systemNamespace } from '../../domain/platform/manifests/namespaces.ts'
import { BUILDER_NAMESPACE, SCOPED_NAMESPACE, SYSTEM_NAMESPACE } from '../../domain/platform/names.ts'
import type { Ports } from '../../ports/ports.ts'
import { askYes } from '../ask-yes.ts'
import type { Target } from '../context/target.ts'
import { answerAll, asFindings, type Result } from '../result.ts'
import { notInstalled } from './found.ts'
import { withPlatformLock } from './locked.ts'
import { removeObjects, type Writes } from './objects.ts'
import { removeRights } from './outdated.ts'
import { removePolicies } from './policies.ts'

/** `isConfirmed`: skips the question. */
export type UninstallRequest = {
  readonly target: Target
  readonly isConfirmed: boolean
  readonly signal: AbortSignal
}

/** `namespaces`: of users, which are kept. */
export type Uninstalled = { readonly namespaces: number }

type UninstallPorts = Pick<Ports, 'clock' | 'machine' | 'progress' | 'prompt'>

const LOOK_MS = 1000

const told = TE.mapLeft(failureDiagnostic)
const namespace = (name: string) => ({ resource: resources.Namespace, name })
const system = namespace(SYSTEM_NAMESPACE)

const unfinished = (name: string): Diagnostic =>
  error('DT3121', `namespace ${name} is still being deleted`, {
    help: 'the cluster goes on by itself: look with `kubectl get namespaces`',
  })

/** Waits until the objects are gone, or the run ends. */
const untilGone =
  (
    { clock }: UninstallPorts,
    { signal, target: { cluster } }: UninstallRequest,
    name: string,
  ): TE.TaskEither<Diagnostic, void> =>
  async () => {
    while (!signal.aborted) {
      const found = await told(cluster.get(namespace(name), signal))()
      if (found._tag === 'Left') return found
      if (found.right === undefined) return E.right(undefined)
      await clock.sleep(LOOK_MS, signal)
    }
    return E.left(unfinished(name))
  }

/** DT6306 when there is none. */
export const uninstall =
  (ports: UninstallPorts) =>
  (request: UninstallRequest): Promise<Result<Uninstalled>> => {
    const { signal, target } = request
    const { cluster } = target
    const say = (text: string): TE.TaskEither<Diagnostic, void> =>
      TE.fromIO(() => ports.progress.tell({ _tag: 'Said', text }))
    const emptied = (writes: Writes): TE.TaskEither<Diagnostic, void> =>
      pipe(
        say('removing the rights of its programs, then its policies'),
        TE.flatMap(() => removeRights(writes)),
        TE.flatMap(() => removePolicies(writes)),
        TE.tap(() => say(`deleting namespace ${SYSTEM_NAMESPACE}`)),
        TE.flatMap(() => removeObjects(writes, [builderNamespace, scopedNamespace, systemNamespace])),
      )
    const there = pipe(
      told(cluster.get(system, signal)),
      TE.filterOrElse(
        (live) => live !== undefined,
        () => notInstalled,
      ),
    )
    const counted = TE.map(({ items }: { readonly items: ReadonlyArray<unknown> }) => items.length)(
      told(cluster.list({ resource: resources.Namespace, labels: TENANT_SELECTOR }, { signal })),
    )
    const text = `remove the platform from ${cluster.server}: its programs, policies and certificate?`
    const confirmed = request.isConfirmed ? TE.right(true) : askYes(ports.prompt, { text, flag: '--yes', signal })
    const work = pipe(
      asFindings(there),
      TE.flatMap(() => asFindings(confirmed)),
      TE.flatMap(() => withPlatformLock(ports, request, (lock) => asFindings(emptied({ cluster, lock, signal })))),
      TE.flatMap(() => asFindings(untilGone(ports, request, BUILDER_NAMESPACE))),
      TE.flatMap(() => asFindings(untilGone(ports, request, SCOPED_NAMESPACE))),
      TE.flatMap(() => asFindings(untilGone(ports, request, SYSTEM_NAMESPACE))),
      TE.flatMap(() => asFindings(counted)),
      TE.map((namespaces) => ({ findings: [], value: { namespaces } })),
    )
    return answerAll(work)
  }
