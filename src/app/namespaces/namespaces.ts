/** Creating, listing and deleting namespaces of a platform. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { storedContext, withContext } from '../../domain/context/store.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { NamespaceList } from '../../domain/platform/listings.ts'
import { pauseAfter } from '../../domain/time/backoff.ts'
import type { PlatformLogin } from '../../ports/platforms.ts'
import type { Ports } from '../../ports/ports.ts'
import { changeStore } from '../context/contexts.ts'
import { loadStore, type ShellVariables } from '../context/locate.ts'
import type { NamespaceUsed } from '../context/namespaces.ts'
import { noNamespace, noneChosen } from '../context/platform-login.ts'
import { type PlatformOnly, type PlatformPlace, platformOf } from '../context/platform-of.ts'
import type { TargetOptions } from '../context/target.ts'
import { allNamespaces, checkedName } from '../login/namespaces.ts'
import { answer, type Result } from '../result.ts'

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
          namespaces: namespaces.map(({ kind, name, role, status }) => ({
            name,
            status,
            role,
            kind,
            isCurrent: name === namespace,
          })),
        })),
      ),
    )

const pauses = { firstMs: 500, longestMs: 5000 }

/** Waits until the namespace does not exist any more. */
const gone =
  (
    { clock, platforms }: TeamPorts,
    platform: PlatformLogin,
    name: string,
    signal: AbortSignal,
  ): TE.TaskEither<Diagnostic, void> =>
  async () => {
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      const found = await platforms.send(platform, 'getNamespace', { params: { namespace: name } }, signal)()
      if (found._tag === 'Left') return found.left.code === 'DT6004' ? E.right(undefined) : found
      await clock.sleep(pauseAfter(pauses, attempt), signal)
    }
    return E.left(
      error('DT3007', `the namespace ${name} is still being deleted`, { help: 'it goes on without this command' }),
    )
  }

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

/** Deletes a namespace, and waits until it is gone. */
export const deleteNamespace =
  (ports: TeamPorts) =>
  (name: string, call: TeamCall): Promise<Result<NamespaceDeleted>> =>
    onPlatform(
      ports,
      call,
    )((place) =>
      pipe(
        ports.platforms.send(place.platform, 'deleteNamespace', { params: { namespace: name } }, call.signal),
        TE.mapLeft((failure) => (failure.code === 'DT6004' ? noNamespace(place.context, name) : failure)),
        TE.tap(() => gone(ports, place.platform, name, call.signal)),
        TE.tap(() => forget(ports, place, name)),
        TE.map(() => ({ namespace: name, context: place.context })),
      ),
    )
