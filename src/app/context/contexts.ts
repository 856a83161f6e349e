/** `context` and its subcommands: choosing, listing, showing and deleting contexts. Only platforms are contacted. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Task } from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type ContextList, type ContextRecord, contextRecord } from '../../domain/context/record.ts'
import { resolveContext, resolveNamespace, variableToken } from '../../domain/context/resolve.ts'
import {
  type ContextFields,
  contextName,
  insecureUrl,
  isInsecureUrl,
  isPlatformUrl,
  printStore,
  readStore,
  STORE,
  type Store,
  storedContext,
  withContext,
  withCurrent,
} from '../../domain/context/store.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import { suggestion } from '../../domain/text/suggest.ts'
import type { Kubeconfig } from '../../ports/clusters.ts'
import type { Ports } from '../../ports/ports.ts'
import { revokeOwn } from '../login/revoke.ts'
import type { LoginPorts } from '../login/session.ts'
import { answer, failed, type Result } from '../result.ts'
import { loadStore, type ShellVariables } from './locate.ts'
import { type Entered, enterPlatform } from './platform-login.ts'

export type ContextPorts = Pick<Ports, 'clusters' | 'home' | 'prompt'>

/** The input of the search. `context` and `namespace` are flags. */
export type ContextQuery = {
  readonly context?: string | undefined
  readonly namespace?: string | undefined
  readonly kubeconfig?: string | undefined
  readonly env: ShellVariables
}

/** Both sources of contexts. Without a kubeconfig, `problem` says why. */
type ContextSources = { readonly store: Store; readonly kubeconfig: Kubeconfig; readonly problem?: Diagnostic }

const readKubeconfig = (
  { clusters }: Pick<Ports, 'clusters'>,
  file: string | undefined,
): Task<Pick<ContextSources, 'kubeconfig' | 'problem'>> =>
  pipe(
    clusters.kubeconfig(file),
    TE.matchW(
      (problem) => ({ kubeconfig: { files: [], contexts: [] }, problem }),
      (kubeconfig) => ({ kubeconfig }),
    ),
  )

export const known = (
  ports: Pick<Ports, 'clusters' | 'home'>,
  file: string | undefined,
): TE.TaskEither<Diagnostic, ContextSources> =>
  pipe(
    loadStore(ports),
    TE.bindTo('store'),
    TE.bind('kube', () => TE.fromTask(readKubeconfig(ports, file))),
    TE.map(({ kube, store }) => ({ store, ...kube })),
  )

/** Those of the kubeconfig in its order, then those that exist only in the store. */
const namesOf = ({ kubeconfig, store }: ContextSources): ReadonlyArray<string> => [
  ...new Set([...kubeconfig.contexts, ...store.contexts].map(({ name }) => name)),
]

/** The names of all contexts; none when they cannot be read. */
export const knownContexts = (ports: Pick<Ports, 'clusters' | 'home'>): Promise<ReadonlyArray<string>> => {
  const names = pipe(
    known(ports, undefined),
    TE.match((): ReadonlyArray<string> => [], namesOf),
  )
  return names()
}

const currentOf = ({ kubeconfig, store }: ContextSources, { context, env, kubeconfig: file }: ContextQuery) =>
  resolveContext(
    { flag: context, variable: env['DEVTOOL_CONTEXT'], hasFile: file !== undefined },
    store,
    kubeconfig.current,
  )

const recordOf = (found: ContextSources, name: string, look: ContextQuery, isCurrent: boolean): ContextRecord => {
  const stored = storedContext(found.store, name)
  const context = found.kubeconfig.contexts.find((one) => one.name === name)
  const { env, namespace: flag } = look
  const named = isCurrent ? { flag, variable: env['DEVTOOL_NAMESPACE'] } : {}
  const kind = isPlatformUrl(name) ? 'platform' : 'kubernetes'
  const hasToken = isCurrent && variableToken(env, { url: name, isNamed: look.context !== undefined }) !== undefined
  return contextRecord(stored ?? { name, kind }, {
    namespace: resolveNamespace({
      ...named,
      stored: stored?.namespace,
      kube: context?.namespace,
      ...(kind === 'platform' ? { fallback: '' } : {}),
    }),
    server: context?.server,
    hasToken,
  })
}

export const unknown = (name: string, found: ContextSources): Diagnostic => {
  const names = namesOf(found)
  const { files } = found.kubeconfig
  const where = files.length === 0 ? '' : ` (kubeconfig ${files.join(', ')})`
  return error('DT2108', `there is no context "${name}"${where}`, {
    help: suggestion(name, names, 'there are none: set KUBECONFIG, or name a kubeconfig with --kubeconfig'),
  })
}

const listOf = (found: ContextSources, look: ContextQuery): Result<ContextList> => {
  const { problem } = found
  const names = namesOf(found)
  if (problem !== undefined && names.length === 0) return failed(problem)
  const current = currentOf(found, look)?.name
  const records = names.map((name) => recordOf(found, name, look, name === current))
  // Users of a platform need no kubeconfig.
  const isNeeded = problem?.code !== 'DT3008' || !found.store.contexts.some(({ kind }) => kind === 'platform')
  const findings: ReadonlyArray<Diagnostic> =
    problem === undefined || !isNeeded ? [] : [{ ...problem, severity: 'warning' }]
  const contexts = records.map((record) => ({ ...record, isCurrent: record.name === current }))
  return { findings, value: { contexts } }
}

const answerKnown = <A extends object>(
  ports: ContextPorts,
  look: ContextQuery,
  of: (found: ContextSources, look: ContextQuery) => Result<A>,
): Promise<Result<A>> => {
  const work = pipe(
    known(ports, look.kubeconfig),
    TE.map((found) => of(found, look)),
  )
  return answer(work)
}

/** Finds errors in the store or the kubeconfig; a missing kubeconfig is no error when there are stored contexts. */
export const listContexts =
  (ports: ContextPorts) =>
  (look: ContextQuery): Promise<Result<ContextList>> =>
    answerKnown(ports, look, listOf)

const currentRecord = (found: ContextSources, look: ContextQuery): Result<ContextRecord> => {
  const current = currentOf(found, look)
  const { kubeconfig, problem } = found
  if (current === undefined) {
    const none = `no context is selected, and the kubeconfig ${kubeconfig.files.join(', ')} has no current context`
    return failed(problem ?? error('DT2108', none, { help: 'select one with `devtool context use`' }))
  }
  if (!namesOf(found).includes(current.name)) return failed(problem ?? unknown(current.name, found))
  return { findings: [], value: recordOf(found, current.name, look, true) }
}

/** The current context, or the named one. Finds DT2108. */
export const currentContext =
  (ports: ContextPorts) =>
  (look: ContextQuery): Promise<Result<ContextRecord>> =>
    answerKnown(ports, look, currentRecord)

const hasUser = (url: string): boolean => /^https?:\/\/[^/]*@/i.test(url)

/** A URL is shown, so it must not contain a token. */
const userInUrl = error('DT2001', 'the URL of a platform must not contain a user or password', {
  help: 'give a token with --token',
})

const OTHER = 'a platform, by its URL'

const choose = (ports: ContextPorts, found: ContextSources, look: ContextQuery): TE.TaskEither<Diagnostic, string> => {
  const current = currentOf(found, look)?.name
  const names = namesOf(found)
  const sorted = [...names.filter((name) => name === current), ...names.filter((name) => name !== current)]
  const choices = sorted.map((name) => ({ value: name, text: name === current ? `${name} *` : name }))
  const question = { text: 'which context?', flag: '`devtool context use NAME`' }
  const askUrl = ports.prompt.ask({ text: 'URL of the platform', flag: '`devtool context use URL --token TOKEN`' })
  return pipe(
    ports.prompt.choose(question, [...choices, { value: OTHER, text: OTHER }]),
    TE.flatMap((answered) => (answered === OTHER ? askUrl : TE.of(answered))),
  )
}

export const isInKubeconfig = ({ kubeconfig }: ContextSources, name: string): boolean =>
  kubeconfig.contexts.some((context) => context.name === name)

/** `isAgain`: logs in to a platform even if there is a login. `isNamed`: whether the command line names the context. */
type NewContext = {
  readonly name?: string | undefined
  readonly fields: ContextFields
  readonly isAgain?: boolean
  readonly isNamed?: boolean
}

const usableName =
  (found: ContextSources) =>
  (text: string): E.Either<Diagnostic, string> => {
    const name = contextName(text)
    if (isPlatformUrl(name)) {
      if (hasUser(name)) return E.left(userInUrl)
      return isInsecureUrl(name) ? E.left(insecureUrl(name)) : E.right(name)
    }
    return isInKubeconfig(found, name) ? E.right(name) : E.left(found.problem ?? unknown(name, found))
  }

/** `overriding`: variables that take precedence over the choice. */
export type ContextUsed = {
  readonly name: string
  readonly namespace: string
  readonly host: string
  readonly overriding: ReadonlyArray<string>
}

/**
 * Makes a context the current one and stores the settings given for it; for a platform, it also logs in. Without a
 * name, the user is asked. Finds DT2108, errors of devtool's own folder, and errors of the login.
 */
export const useContext =
  (ports: ContextPorts & LoginPorts) =>
  (given: NewContext, look: ContextQuery, signal: AbortSignal): Promise<Result<ContextUsed>> => {
    const { fields, isAgain = false, isNamed = given.name !== undefined } = given
    const nameOf = (found: ContextSources): TE.TaskEither<Diagnostic, string> =>
      pipe(
        given.name === undefined ? choose(ports, found, look) : TE.of(given.name),
        TE.flatMapEither(usableName(found)),
      )
    const enter = ({ store }: ContextSources, name: string): TE.TaskEither<Diagnostic, Entered> =>
      isPlatformUrl(name)
        ? enterPlatform(ports)(
            {
              url: name,
              isNamed,
              stored: storedContext(store, name),
              fields,
              env: look.env,
              isAgain,
            },
            signal,
          )
        : TE.of({ fields, isNew: false, findings: [] })
    const keep = (name: string, { fields: entered, isNew }: Entered): TE.TaskEither<Diagnostic, Store> =>
      pipe(
        changeStore(ports, (store) => withCurrent(withContext(store, name, entered), name)),
        // Revokes a token that was not stored, since nobody could use it.
        TE.tapError(() =>
          TE.fromTask(isNew ? revokeOwn(ports)({ name, kind: 'platform', ...entered }, signal) : async () => []),
        ),
      )
    const replaced = ({ store }: ContextSources, name: string, { isNew }: Entered) =>
      isNew ? revokeOwn(ports)(storedContext(store, name), signal) : async () => []
    const work = pipe(
      known(ports, look.kubeconfig),
      TE.bindTo('found'),
      TE.bind('name', ({ found }) => nameOf(found)),
      TE.bind('entered', ({ found, name }) => enter(found, name)),
      TE.bind('store', ({ entered, name }) => keep(name, entered)),
      TE.bind('revoked', ({ entered, found, name }) => TE.fromTask(replaced(found, name, entered))),
      TE.map(({ entered, found, name, revoked, store }) => {
        const { findings, value } = used(recordOf({ ...found, store }, name, look, false), look)
        const all = [...entered.findings, ...revoked, ...findings]
        return entered.findings.length > 0 ? { findings: all } : { findings: all, ...defined({ value }) }
      }),
    )
    return answer(work)
  }

const used = ({ name, namespace, server = name }: ContextRecord, { env }: ContextQuery): Result<ContextUsed> => {
  const overriding = ['DEVTOOL_CONTEXT', 'DEVTOOL_NAMESPACE'].filter((variable) => (env[variable] ?? '') !== '')
  return { findings: [], value: { name, namespace, host: server, overriding } }
}

/** The store after the change. */
export const changeStore = (
  { home }: Pick<Ports, 'home'>,
  change: (store: Store) => Store,
): TE.TaskEither<Diagnostic, Store> => {
  let after: Store | undefined
  const print = (store: Store): string => {
    after = change(store)
    return printStore(after)
  }
  return pipe(
    home.change(STORE, (text) => pipe(readStore(home.where(STORE), text), E.map(print))),
    TE.flatMapEither(() => E.fromNullable(error('DT9001', 'nothing was changed'))(after)),
  )
}
