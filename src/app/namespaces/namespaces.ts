/** Creating, listing and deleting namespaces of a platform. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { storedContext, withContext } from '../../domain/context/store.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import type { NamespaceList } from '../../domain/platform/listings.ts'
import type { Ports } from '../../ports/ports.ts'
import { changeStore } from '../context/contexts.ts'
import { loadStore, type ShellVariables } from '../context/locate.ts'
import type { NamespaceUsed } from '../context/namespaces.ts'
import { noNamespace, noneChosen } from '../context/platform-login.ts'
import { type PlatformOnly, type PlatformPlace, platformOf } from '../context/platform-of.ts'
import type { TargetOptions } from '../context/target.ts'
import { allNamespaces, checkedName } from '../login/namespaces.ts'
import { answer, type Result } from '../result.ts'
import { untilGone } from './until-gone.ts'

export type TeamPorts = Pick<Ports, 'clock' | 'clusters' | 'home' | 'platforms'>

/** The input of each of these commands. */
export type TeamCall = {
  readonly only: PlatformOnly
  readonly reach: TargetOptions
  readonly env: ShellVariables
  readonly signal: AbortSignal
}

/** Runs `work` on the platform of the context. */
export const onPlatform =
  (ports: TeamPorts, { env, only, reach }: TeamCall) =>
  <A extends object>(work: (place: PlatformPlace) => TE.TaskEither<Diagnostic, A>): Promise<Result<A>> => {
    const done = pipe(
      platformOf(ports)(only, reach, env),
      TE.flatMap(work),
      TE.map((value) => ({ findings: [], value })),
    )
    return answer(done)
  }

/** Runs `work` in the namespace of the context. Fails with DT2109 when none is selected. */
export const inNamespace =
  (ports: TeamPorts, call: TeamCall) =>
  <A extends object>(work: (place: PlatformPlace) => TE.TaskEither<Diagnostic, A>): Promise<Result<A>> =>
    onPlatform(ports, call)((place) => (place.namespace === '' ? TE.left(noneChosen(place.context)) : work(place)))

const use = (
  ports: TeamPorts,
  context: string,
  namespace: string,
  env: ShellVariables,
): TE.TaskEither<Diagnostic, NamespaceUsed> =>
  pipe(
    changeStore(ports, (store) => withContext(store, context, { namespace })),
    TE.map(() => {
      const variable = env['DEVTOOL_NAMESPACE'] ?? ''
      return { context, namespace, overriding: variable === '' || variable === namespace ? [] : ['DEVTOOL_NAMESPACE'] }
    }),
  )

/** Creates a namespace, and makes it that of the context. */
export const createNamespace =
  (ports: TeamPorts) =>
  (name: string, call: TeamCall): Promise<Result<NamespaceUsed>> =>
    onPlatform(
      ports,
      call,
    )(({ context, platform }) =>
      pipe(
        TE.fromEither(checkedName(name)),
        TE.flatMap(() => ports.platforms.send(platform, 'createNamespace', { body: { name } }, call.signal)),
        TE.flatMap((created) => use(ports, context, created.name, call.env)),
      ),
    )

export const listNamespaces =
  (ports: TeamPorts) =>
  (call: TeamCall): Promise<Result<NamespaceList>> =>
    onPlatform(
      ports,
      call,
    )(({ namespace, platform }) =>
      pipe(
        allNamespaces(ports)(platform, call.signal),
        TE.map((namespaces) => ({
          namespaces: namespaces.map(({ failure, isAsleep, kind, name, role, status }) => ({
            name,
            status,
            role,
            kind,
            isCurrent: name === namespace,
            ...defined({ failure, isAsleep }),
          })),
        })),
      ),
    )

/** Removes a deleted namespace from the context. */
const forget = (ports: TeamPorts, { context }: PlatformPlace, name: string): TE.TaskEither<Diagnostic, void> =>
  pipe(
    loadStore(ports),
    TE.flatMap((store) =>
      storedContext(store, context)?.namespace === name
        ? changeStore(ports, (now) => withContext(now, context, { namespace: '' }))
        : TE.of(store),
    ),
    TE.map(() => undefined),
  )

export type NamespaceDeleted = { readonly namespace: string; readonly context: string }

/** Deletes a namespace, and waits until it is gone. `isForced`: without its destroy commands. */
export const deleteNamespace =
  (ports: TeamPorts) =>
  (name: string, isForced: boolean, call: TeamCall): Promise<Result<NamespaceDeleted>> =>
    onPlatform(
      ports,
      call,
    )((place) => {
      const { platforms } = ports
      const { context, platform } = place
      const params = { namespace: name }
      const read = () => platforms.send(platform, 'getNamespace', { params }, call.signal)
      const deleted = { what: `namespace ${name}`, logs: `devtool pipeline list --namespace ${name}` }
      return pipe(
        platforms.send(platform, 'deleteNamespace', { params, query: { force: isForced } }, call.signal),
        TE.mapLeft((failure) => (failure.code === 'DT6004' ? noNamespace(context, name) : failure)),
        TE.tap(() => untilGone(ports, deleted, read, call.signal)),
        TE.tap(() => forget(ports, place, name)),
        TE.map(() => ({ namespace: name, context })),
      )
    })
