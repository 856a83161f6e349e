/** `context use URL`: logs in to a platform, and chooses a namespace there. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { variableToken } from '../../domain/context/resolve.ts'
import type { ContextFields, StoredContext } from '../../domain/context/store.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import type { PlatformLogin } from '../../ports/platforms.ts'
import { allNamespaces, askNamespace } from '../login/namespaces.ts'
import { type LoggedIn, type LoginPorts, loggedIn } from '../login/session.ts'
import type { ShellVariables } from './locate.ts'

/** `fields`: those of the flags. `isNamed`: by the command line. `isAgain`: logs in even if there is a login. */
export type PlatformEntry = {
  readonly url: string
  readonly isNamed: boolean
  readonly stored: StoredContext | undefined
  readonly fields: ContextFields
  readonly env: ShellVariables
  readonly isAgain?: boolean
}

/** The name, if the user has access. Administrators may use namespaces without being members. */
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

/** `undefined`: without a terminal, nobody can be asked. */
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

/** A token from a variable is not stored: the variable will be there next time. */
const fieldsOf = (
  { fields, stored }: PlatformEntry,
  { isNew, login }: LoggedIn,
  ofVariable: string | undefined,
  namespace: string | undefined,
): ContextFields => {
  const { authority, token } = login
  const isOfVariable = !fields.token && ofVariable !== undefined
  const isKept = token === stored?.token
  return {
    ...fields,
    ...defined({ authority, namespace, token: isOfVariable ? undefined : token }),
    ...(isOfVariable || isKept ? {} : { tokenFrom: isNew ? 'login' : '' }),
    ...(namespace === undefined ? { namespace: '' } : {}),
  }
}

/** `isNew`: the token was created now. `findings`: why no namespace was chosen. */
export type Entered = {
  readonly fields: ContextFields
  readonly isNew: boolean
  readonly findings: ReadonlyArray<Diagnostic>
}

type Choice = { readonly namespace: string | undefined; readonly findings: ReadonlyArray<Diagnostic> }

/** A new login is kept, even if a later step fails. */
const kept =
  ({ stored }: PlatformEntry, { isNew, login }: LoggedIn) =>
  (failure: Diagnostic): TE.TaskEither<Diagnostic, Choice> =>
    isNew
      ? TE.right({
          namespace: stored?.namespace,
          findings: [
            {
              ...failure,
              help: `you are logged in to ${login.url}: choose or create a namespace with \`devtool namespace\``,
            },
          ],
        })
      : TE.left(failure)

/** The settings to store. A token with the scope of one namespace may not list others. */
export const enterPlatform =
  (ports: LoginPorts) =>
  (entry: PlatformEntry, signal: AbortSignal): TE.TaskEither<Diagnostic, Entered> => {
    const { env, fields, isAgain = false, isNamed, stored, url } = entry
    const ofVariable = variableToken(env, { url, isNamed })
    const request = {
      url,
      given: fields.token || ofVariable,
      stored: stored?.token,
      authority: stored?.authority,
      isAgain,
    }
    const scoped = ({ me }: LoggedIn): string | undefined => /^namespace:(.*)/.exec(me.scope)?.[1]
    const choose = (session: LoggedIn): TE.TaskEither<Diagnostic, Choice> => {
      const own = scoped(session)
      return pipe(
        own === undefined ? chosen(ports, entry, session.login, signal) : TE.of(own),
        TE.map((namespace): Choice => ({ namespace, findings: [] })),
        TE.orElse(kept(entry, session)),
      )
    }
    return pipe(
      loggedIn(ports)(request, signal),
      TE.bindTo('session'),
      TE.bind('choice', ({ session }) => choose(session)),
      TE.map(({ choice: { findings, namespace }, session }) => ({
        fields: fieldsOf(entry, session, ofVariable, namespace),
        isNew: session.isNew,
        findings,
      })),
    )
  }
