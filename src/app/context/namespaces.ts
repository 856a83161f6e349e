/** `namespace`, `namespace use` and `kubeconfig`: the namespace that commands use in the current context. */

import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, failureDiagnostic, isForbidden } from '../../domain/cluster/failure.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { kubeContextOf, withContext } from '../../domain/context/store.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import type { Cluster } from '../../ports/cluster.ts'
import type { PlatformLogin } from '../../ports/platforms.ts'
import type { Ports } from '../../ports/ports.ts'
import { withResource } from '../concurrency/resource.ts'
import { allNamespaces, askNamespace } from '../login/namespaces.ts'
import { answer, type Result } from '../result.ts'
import { missingNamespace } from './connect.ts'
import { changeStore } from './contexts.ts'
import { type LocatedTarget, locate, type ShellVariables } from './locate.ts'
import { openCluster } from './open.ts'
import { checkedNamespace } from './platform-login.ts'
import type { TargetOptions } from './target.ts'

type NamespacePorts = Pick<Ports, 'clusters' | 'home' | 'platforms' | 'prompt'>

const notListed = (failure: Failure): Diagnostic => {
  const found = failureDiagnostic(failure)
  return isForbidden(failure) ? { ...found, help: 'name it: `devtool namespace use NAME`' } : found
}

const ask = (
  { prompt }: NamespacePorts,
  cluster: Cluster,
  { namespace }: LocatedTarget,
  signal: AbortSignal,
): TE.TaskEither<Diagnostic, string> => {
  const choose = (names: ReadonlyArray<string>) => {
    const sorted = [...names.filter((name) => name === namespace), ...names.filter((name) => name !== namespace)]
    const choices = sorted.map((name) => ({ value: name, text: name === namespace ? `${name} *` : name }))
    return prompt.choose({ text: 'which namespace?', flag: '`devtool namespace use NAME`' }, choices)
  }
  return pipe(
    cluster.list({ resource: resources.Namespace }, { isMetadataOnly: true, signal }),
    TE.mapLeft(notListed),
    TE.flatMap(({ items }) => choose(items.map(({ metadata }) => metadata.name))),
  )
}

const unchecked = (failure: Failure): ReadonlyArray<Diagnostic> => {
  if (isForbidden(failure)) return []
  const found = failureDiagnostic(failure)
  return [found.code === 'DT3007' ? found : { ...found, severity: 'warning' }]
}

/** A namespace can be chosen while the cluster cannot be reached; only one known to be missing is refused. */
const check = (
  cluster: Cluster,
  place: LocatedTarget,
  reach: TargetOptions,
  signal: AbortSignal,
): T.Task<ReadonlyArray<Diagnostic>> =>
  pipe(
    cluster.get({ resource: resources.Namespace, name: place.namespace }, signal),
    TE.match(unchecked, (found) => (found === undefined ? [missingNamespace(place, reach)] : [])),
  )

const isFatal = ({ severity }: Diagnostic): boolean => severity === 'error'

type Choice = { readonly namespace: string; readonly findings: ReadonlyArray<Diagnostic> }

/** On a platform, users see only their own namespaces, and can create one. */
const chooseOn = (
  ports: NamespacePorts,
  platform: PlatformLogin,
  name: string | undefined,
  { namespace: current }: LocatedTarget,
  signal: AbortSignal,
): TE.TaskEither<Diagnostic, Choice> => {
  const chosen = (namespace: string): Choice => ({ namespace, findings: [] })
  if (name === undefined) {
    return pipe(
      allNamespaces(ports)(platform, signal),
      TE.flatMap((all) => askNamespace(ports)(platform, all, current, signal)),
      TE.map(chosen),
    )
  }
  return pipe(checkedNamespace(ports, platform, name, signal), TE.map(chosen))
}

const choose = (
  ports: NamespacePorts,
  name: string | undefined,
  place: LocatedTarget,
  reach: TargetOptions,
  signal: AbortSignal,
): TE.TaskEither<Diagnostic, Choice> => {
  if (place.platform !== undefined) return chooseOn(ports, place.platform, name, place, signal)
  const chooseIn = (cluster: Cluster): TE.TaskEither<Diagnostic, Choice> => {
    const { warnings } = cluster
    return name === undefined
      ? pipe(
          ask(ports, cluster, place, signal),
          TE.map((namespace) => ({ namespace, findings: warnings })),
        )
      : pipe(
          TE.fromTask(check(cluster, place, reach, signal)),
          TE.map((found) => ({ namespace: name, findings: [...warnings, ...found] })),
        )
  }
  return withResource(openCluster(ports)(reach, place, signal), chooseIn, (cluster) => T.fromIO(() => cluster.close()))
}

/** `overriding`: variables that take precedence over the choice. */
export type NamespaceUsed = {
  readonly context: string
  readonly namespace: string
  readonly overriding: ReadonlyArray<string>
}

/** `path`: the file that was changed. */
export type KubeconfigUpdate = { readonly path: string; readonly context: string; readonly namespace: string }

const keep = (
  ports: NamespacePorts,
  { context }: LocatedTarget,
  { findings, namespace }: Choice,
  env: ShellVariables,
): T.Task<Result<NamespaceUsed>> => {
  if (findings.some(isFatal)) return T.of({ findings })
  const variable = env['DEVTOOL_NAMESPACE'] ?? ''
  const overriding = variable === '' || variable === namespace ? [] : ['DEVTOOL_NAMESPACE']
  return pipe(
    changeStore(ports, (store) => withContext(store, context, { namespace })),
    TE.match(
      (failure): Result<NamespaceUsed> => ({ findings: [...findings, failure] }),
      (): Result<NamespaceUsed> => ({ findings, value: { context, namespace, overriding } }),
    ),
  )
}

/**
 * Makes `name` the namespace of the current context; without a name, the user is asked. Finds DT2109, and warns when
 * the cluster could not be reached.
 */
export const useNamespace =
  (ports: NamespacePorts) =>
  (
    name: string | undefined,
    reach: TargetOptions,
    env: ShellVariables,
    signal: AbortSignal,
  ): Promise<Result<NamespaceUsed>> => {
    const work = pipe(
      locate(ports)(name === undefined ? reach : { ...reach, namespace: name }, env),
      TE.bindTo('place'),
      TE.bind('choice', ({ place }) => choose(ports, name, place, reach, signal)),
      TE.flatMapTask(({ choice, place }) => keep(ports, place, choice, env)),
    )
    return answer(work)
  }

/** `command`: the program, as kubectl has to start it. */
const addPlatform = (
  ports: NamespacePorts,
  { context, namespace }: LocatedTarget,
  platform: PlatformLogin,
  { command, file }: { readonly command: ReadonlyArray<string>; readonly file: string | undefined },
  signal: AbortSignal,
): TE.TaskEither<Diagnostic, KubeconfigUpdate> => {
  const name = kubeContextOf(context)
  const words = [...command, 'kubetoken', '--context', context]
  return pipe(
    ports.platforms.send(platform, 'cluster', {}, signal),
    TE.flatMap((cluster) => ports.clusters.add({ ...cluster, name, namespace, command: words }, file)),
    TE.map((path) => ({ path, context: name, namespace })),
  )
}

/**
 * Writes the current context and namespace to the kubeconfig. A platform is added with a command that prints tokens, so
 * that the file holds none.
 */
export const updateKubeconfig =
  (ports: NamespacePorts) =>
  (
    reach: TargetOptions,
    env: ShellVariables,
    command: ReadonlyArray<string>,
    signal: AbortSignal,
  ): Promise<Result<KubeconfigUpdate>> => {
    const file = reach.kubeconfig
    const update = (place: LocatedTarget): TE.TaskEither<Diagnostic, KubeconfigUpdate> => {
      const { context, namespace, platform } = place
      if (platform !== undefined) return addPlatform(ports, place, platform, { command, file }, signal)
      return pipe(
        ports.clusters.select({ context, namespace, ...defined({ file }) }),
        TE.map((path) => ({ path, context, namespace })),
      )
    }
    const work = pipe(
      locate(ports)(reach, env),
      TE.flatMap(update),
      TE.map((value) => ({ findings: [], value })),
    )
    return answer(work)
  }
