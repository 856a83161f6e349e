/** `context use URL`: a login at a platform, and a namespace there. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ContextFields, StoredContext } from '../../domain/context/store.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import type { PlatformLogin } from '../../ports/platforms.ts'
import { allNamespaces, askNamespace } from '../login/namespaces.ts'
import { type LoggedIn, type LoginPorts, loggedIn } from '../login/session.ts'
import type { ShellVariables } from './locate.ts'

/** `fields`: those of the flags. `isAgain`: asks for a login although there is one. */
export type PlatformEntry = {
  readonly url: string
  readonly stored: StoredContext | undefined
  readonly fields: ContextFields
  readonly env: ShellVariables
  readonly isAgain?: boolean
}

/** The name, if the user has access. Administrators may use what they are no members of. */
export const checkedNamespace = (
  { platforms }: Pick<LoginPorts, 'platforms'>,
  login: PlatformLogin,
  name: string,
  signal: AbortSignal,
): TE.TaskEither<Diagnostic, string> =>
  pipe(
    platforms.send(login, 'getNamespace', { params: { namespace: name } }, signal),
    TE.bimap(
      (failure) => (failure.code === 'DT6004' ? noNamespace(login.url, name) : failure),
      () => name,
    ),
  )

export const noNamespace = (url: string, name: string): Diagnostic =>
  error('DT2109', `the platform ${url} has no namespace "${name}" that is open to you`, {
    help: `create it with \`devtool namespace create ${name}\`, or choose another with \`devtool namespace\``,
  })

export const noneChosen = (url: string): Diagnostic =>
  error('DT2109', `no namespace of ${url} is selected`, {
    help: 'select one with `devtool namespace`, or create one with `devtool namespace create NAME`',
  })

/** `undefined`: there is nobody to ask. */
const chosen = (
  ports: LoginPorts,
  { fields, stored }: PlatformEntry,
  login: PlatformLogin,
  signal: AbortSignal,
): TE.TaskEither<Diagnostic, string | undefined> => {
  const wanted = fields.namespace
  if (wanted !== undefined && wanted !== '') return checkedNamespace(ports, login, wanted, signal)
  const ask = (all: Parameters<ReturnType<typeof askNamespace>>[1]): TE.TaskEither<Diagnostic, string | undefined> => {
    const [only, ...more] = all.filter(({ status }) => status === 'Active')
    if (all.some(({ name }) => name === stored?.namespace)) return TE.of(stored?.namespace)
    if (only !== undefined && more.length === 0) return TE.of(only.name)
    return pipe(
      askNamespace(ports)(login, all, undefined, signal),
      TE.orElse((failure) => (failure.code === 'DT2101' ? TE.of(undefined) : TE.left(failure))),
    )
  }
  return pipe(allNamespaces(ports)(login, signal), TE.flatMap(ask))
}

/** A token of a variable is not stored: it is there again next time. */
const fieldsOf = (
  { env, fields }: PlatformEntry,
  { login }: LoggedIn,
  namespace: string | undefined,
): ContextFields => {
  const isOfVariable = !fields.token && (env['DEVTOOL_TOKEN'] ?? '') !== ''
  const { authority, token } = login
  return {
    ...fields,
    ...defined({ authority, namespace, token: isOfVariable ? undefined : token }),
    ...(namespace === undefined ? { namespace: '' } : {}),
  }
}

/** What to store. A token with the scope of one namespace may not list others. */
export const enterPlatform =
  (ports: LoginPorts) =>
  (entry: PlatformEntry, signal: AbortSignal): TE.TaskEither<Diagnostic, ContextFields> => {
    const { env, fields, isAgain = false, stored, url } = entry
    const given = fields.token || env['DEVTOOL_TOKEN'] || undefined
    const request = { url, given, stored: stored?.token, authority: stored?.authority, isAgain }
    const scoped = ({ me }: LoggedIn): string | undefined => /^namespace:(.*)/.exec(me.scope)?.[1]
    return pipe(
      loggedIn(ports)(request, signal),
      TE.bindTo('session'),
      TE.bind('namespace', ({ session }) => {
        const own = scoped(session)
        return own === undefined
          ? chosen(ports, entry, session.login, signal)
          : TE.of<Diagnostic, string | undefined>(own)
      }),
      TE.map(({ namespace, session }) => fieldsOf(entry, session, namespace)),
    )
  }
