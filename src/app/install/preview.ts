/**
 * `platform install --diff`: what an installation would change, according to the API server's dry run. Nothing is
 * written.
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as C from '../../domain/checked.ts'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import type { Json } from '../../domain/cluster/json.ts'
import { type ClusterObject, isLive } from '../../domain/cluster/live.ts'
import { type ObjectKey, resources } from '../../domain/cluster/resources.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { partition } from '../../domain/plan/action.ts'
import type { ChangeRow } from '../../domain/plan/change-list.ts'
import { diffAgainst } from '../../domain/plan/live-diff.ts'
import { builderNamespace } from '../../domain/platform/manifests/builder.ts'
import { foundationFor } from '../../domain/platform/manifests/foundation.ts'
import { bindingsOf, policiesFor } from '../../domain/platform/manifests/policies.ts'
import { readInstallation } from '../../domain/platform/manifests/read-installation.ts'
import type { PlatformObject } from '../../domain/platform/manifests/types.ts'
import { printJsonLine } from '../../domain/print/json.ts'
import { bodyOf, MANAGER } from '../actions/apply.ts'
import { differs, rowOf } from '../deploy/changes.ts'
import type { DeployRequest } from '../deploy/request.ts'
import { type Preview, type Previewed, previewDeploy } from '../deploy/server-dry-run.ts'
import { answerAll, asFindings, failed, type Result } from '../result.ts'
import { environmentsOf, keysFor } from './environments.ts'
import { findInstalled } from './found.ts'
import { keyOf, keyOfOwn, nameIn, ownLive, type Reads } from './objects.ts'
import { outdated } from './outdated.ts'
import { oldPolicies } from './policies.ts'
import { type CompleteRequest, type InstallPorts, type InstallRequest, withComplete } from './request.ts'

const shown = (name: string, live: ClusterObject | undefined, wouldBe: Json): Preview => {
  const diff = isLive(wouldBe) ? diffAgainst({ name, origins: [], to: 'installed' }, live, wouldBe) : ''
  return { name, what: live === undefined ? 'Create' : diff === '' ? 'Same' : 'Change', diff }
}

const deleted = (key: ObjectKey, because: string): Preview => {
  const name = nameIn(key)
  return { name, what: 'Delete', because, diff: `--- live/${name}\n+++ /dev/null\n` }
}

/** New objects are not tried: their namespace may not exist yet. */
const previewObject =
  (reading: Reads) =>
  (object: PlatformObject): TE.TaskEither<Diagnostic, Preview> => {
    const { cluster, signal } = reading
    const [key, body] = [keyOf(object), printJsonLine(object)]
    const options = { manager: MANAGER, force: true, isDryRun: true, signal }
    return pipe(
      ownLive(reading, object),
      TE.flatMap((live) =>
        live === undefined
          ? TE.right(shown(nameIn(key), undefined, JSON.parse(body)))
          : TE.bimap(failureDiagnostic, ({ object: applied }: { readonly object: ClusterObject }) =>
              shown(nameIn(key), live, applied),
            )(cluster.apply(key, body, options)),
      ),
    )
  }

const isThere = ({ cluster, signal }: Reads, name: string): TE.TaskEither<Diagnostic, boolean> =>
  TE.bimap(
    failureDiagnostic,
    (live) => live !== undefined,
  )(cluster.get({ resource: resources.Namespace, name }, signal))

const allNew = ({ plan, target: { namespace } }: DeployRequest): ReadonlyArray<Preview> =>
  partition(plan.actions).Apply.map(({ object }) => {
    const { kind, metadata } = object
    return shown(`${namespace}/${kind}/${metadata.name}`, undefined, JSON.parse(bodyOf(object)))
  })

const previewEnvironment =
  (ports: InstallPorts, reading: Reads) =>
  (deployment: DeployRequest): TE.TaskEither<ReadonlyArray<Diagnostic>, Previewed> => {
    const { namespace } = deployment.target
    return pipe(
      isThere(reading, namespace),
      asFindings,
      TE.flatMapTask(
        (isThereNow): T.Task<Previewed> =>
          isThereNow ? () => previewDeploy(ports)(deployment) : T.of({ findings: [], previews: allNew(deployment) }),
      ),
      TE.filterOrElse(
        ({ findings }) => !C.hasErrors(findings),
        ({ findings }) => findings,
      ),
    )
  }

const previewed = (
  ports: InstallPorts,
  request: CompleteRequest,
): TE.TaskEither<ReadonlyArray<Diagnostic>, Previewed> => {
  const { installation, signal, target } = request
  const reading = { cluster: target.cluster, signal }
  const policies = policiesFor(installation.domain)
  const beneath = [...foundationFor(installation), ...policies, ...bindingsOf(policies, 'Deny')]
  const removed = pipe(
    installation.builder === undefined ? ownLive(reading, builderNamespace) : TE.right(undefined),
    TE.map((live) => (live === undefined ? [] : [deleted(keyOf(builderNamespace), 'no builder is wanted')])),
    TE.bindTo('builder'),
    TE.bind('old', () => oldPolicies(reading, policies)),
    TE.bind('others', () => outdated(reading, installation)),
    TE.map(({ builder, old, others }) => [
      ...builder,
      ...[...old, ...others].map((own) => deleted(keyOfOwn(own), 'this version has no such object')),
    ]),
  )
  return pipe(
    keysFor(ports, request),
    TE.bindTo('found'),
    TE.bind('objects', () => asFindings(TE.traverseSeqArray(previewObject(reading))(beneath))),
    TE.bind('programs', ({ found: { keys } }) =>
      TE.traverseSeqArray(previewEnvironment(ports, reading))(environmentsOf(request, keys)),
    ),
    TE.bind('removed', () => asFindings(removed)),
    TE.map(({ objects, programs, removed: gone }) => ({
      findings: programs.flatMap(({ findings }) => findings),
      previews: [...objects, ...programs.flatMap(({ previews }) => previews), ...gone],
    })),
  )
}

type Changes = { readonly changes: ReadonlyArray<ChangeRow> }

/** DT3140 when anything would change. */
export const previewInstall =
  (ports: InstallPorts) =>
  (request: InstallRequest, command: string): Promise<Result<Changes>> =>
    answerAll(
      withComplete(ports, request, (complete) =>
        pipe(
          previewed(ports, complete),
          TE.map(({ findings, previews }) => {
            const value = { changes: previews.map(rowOf) }
            const about = {
              what: 'the cluster differs from this installation',
              help: `\`${command}\` applies the changes`,
            }
            return { findings: [...findings, ...differs(value, about)], value }
          }),
        ),
      ),
    )

/** Like {@link previewInstall}, with the settings of the existing installation. DT6306 when there is none. */
export const previewUpgrade =
  (ports: InstallPorts) =>
  (request: Omit<InstallRequest, 'installation'>): ReturnType<ReturnType<typeof previewInstall>> =>
    pipe(
      findInstalled(request.target.cluster, request.signal),
      TE.matchE(
        (found) => T.of<Result<Changes>>(failed(found)),
        (objects) => () =>
          previewInstall(ports)({ ...request, installation: readInstallation(objects) }, 'devtool platform upgrade'),
      ),
    )()
