/** `context` and what is below it: choosing, listing, showing and forgetting contexts. No cluster is asked. */
import * as E from 'fp-ts/lib/Either.js'
import { type ContextList, type ContextRecord, contextRecord } from '../../domain/context/record.ts'
import { resolveContext, resolveNamespace } from '../../domain/context/resolve.ts'
import {
  contextName,
  type Fields,
  isPlatformUrl,
  printStore,
  readStore,
  STORE,
  type Store,
  storedContext,
  withContext,
  withCurrent,
  withoutContext,
} from '../../domain/context/store.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { closest } from '../../domain/text/suggest.ts'
import type { Kubeconfig } from '../../ports/clusters.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Result } from '../result.ts'
import { loadStore, type Variables } from './locate.ts'

type ContextPorts = Pick<Ports, 'clusters' | 'home' | 'prompt'>

/** Where contexts are looked for. `context` and `namespace` are flags. */
export type Look = {
  readonly context?: string | undefined
  readonly namespace?: string | undefined
  readonly kubeconfig?: string | undefined
  readonly env: Variables
}

/** Both sources of contexts. Without a kubeconfig, `problem` says why. */
type Known = { readonly store: Store; readonly kubeconfig: Kubeconfig; readonly problem?: Diagnostic }

const known = async (
  ports: Pick<Ports, 'clusters' | 'home'>,
  file: string | undefined,
): Promise<E.Either<Diagnostic, Known>> => {
  const store = await loadStore(ports)
  if (E.isLeft(store)) return store
  const kubeconfig = await ports.clusters.kubeconfig(file)()
  if (E.isRight(kubeconfig)) return E.right({ store: store.right, kubeconfig: kubeconfig.right })
  return E.right({ store: store.right, kubeconfig: { files: [], contexts: [] }, problem: kubeconfig.left })
}

/** Those of the kubeconfig in its order, then those that only the store has. */
const namesOf = ({ kubeconfig, store }: Known): ReadonlyArray<string> => [
  ...new Set([...kubeconfig.contexts, ...store.contexts].map(({ name }) => name)),
]

/** The names of all contexts; none when they cannot be read. */
export const knownContexts = async (ports: Pick<Ports, 'clusters' | 'home'>): Promise<ReadonlyArray<string>> => {
  const read = await known(ports, undefined)
  return E.isLeft(read) ? [] : namesOf(read.right)
}

const currentOf = ({ kubeconfig, store }: Known, { context, env, kubeconfig: file }: Look) =>
  resolveContext(
    { flag: context, variable: env['DEVTOOL_CONTEXT'], hasFile: file !== undefined },
    store,
    kubeconfig.current,
  )

const recordOf = (found: Known, name: string, look: Look, isCurrent: boolean): ContextRecord => {
  const stored = storedContext(found.store, name)
  const context = found.kubeconfig.contexts.find((one) => one.name === name)
  const { env, namespace: flag } = look
  const named = isCurrent ? { flag, variable: env['DEVTOOL_NAMESPACE'] } : {}
  const kind = isPlatformUrl(name) ? 'platform' : 'kubernetes'
  const hasToken = isCurrent && (env['DEVTOOL_TOKEN'] ?? '') !== ''
  return contextRecord(stored ?? { name, kind }, {
    namespace: resolveNamespace({ ...named, stored: stored?.namespace, kube: context?.namespace }),
    server: context?.server,
    hasToken,
  })
}

const unknown = (name: string, found: Known): Diagnostic => {
  const names = namesOf(found)
  const near = closest(name, names)
  const { files } = found.kubeconfig
  const where = files.length === 0 ? '' : ` (kubeconfig ${files.join(', ')})`
  return error('DT2108', `there is no context "${name}"${where}`, {
    help:
      near === undefined
        ? names.length === 0
          ? 'there are none: set KUBECONFIG, or name a kubeconfig with --kubeconfig'
          : `there are ${names.join(', ')}`
        : `did you mean "${near}"?`,
  })
}

const failed = (found: Diagnostic): Result<never> => ({ findings: [found] })

/** Finds what is wrong with the store or the kubeconfig; a missing one is no error beside stored contexts. */
export const listContexts =
  (ports: ContextPorts) =>
  async (look: Look): Promise<Result<ContextList>> => {
    const read = await known(ports, look.kubeconfig)
    if (E.isLeft(read)) return failed(read.left)
    const { problem } = read.right
    const names = namesOf(read.right)
    if (problem !== undefined && names.length === 0) return failed(problem)
    const current = currentOf(read.right, look)?.name
    const records = names.map((name) => recordOf(read.right, name, look, name === current))
    const findings: ReadonlyArray<Diagnostic> = problem === undefined ? [] : [{ ...problem, severity: 'warning' }]
    const contexts = records.map((record) => ({ ...record, isCurrent: record.name === current }))
    return { findings, value: { contexts } }
  }

/** The context in effect, or the one that is named. Finds DT2108. */
export const currentContext =
  (ports: ContextPorts) =>
  async (look: Look): Promise<Result<ContextRecord>> => {
    const read = await known(ports, look.kubeconfig)
    if (E.isLeft(read)) return failed(read.left)
    const current = currentOf(read.right, look)
    const { kubeconfig, problem } = read.right
    if (current === undefined) {
      const none = `no context is selected, and the kubeconfig ${kubeconfig.files.join(', ')} has no current context`
      return failed(problem ?? error('DT2108', none, { help: 'select one with `devtool context use`' }))
    }
    if (!namesOf(read.right).includes(current.name)) return failed(problem ?? unknown(current.name, read.right))
    return { findings: [], value: recordOf(read.right, current.name, look, true) }
  }

const hasUser = (url: string): boolean => /^https?:\/\/[^/]*@/i.test(url)

/** What is missing before a platform can be the context. The token is no part of the URL, which is shown. */
const platformFault = (name: string, found: Known, fields: Fields, env: Variables): Diagnostic | undefined => {
  if (hasUser(name))
    return error('DT2001', 'the URL of a platform must not contain a user or password', {
      help: 'give a token with --token',
    })
  const hasToken = [fields.token, env['DEVTOOL_TOKEN'], storedContext(found.store, name)?.token].some(Boolean)
  if (hasToken) return undefined
  return error(
    'DT2107',
    `not logged in to ${name}: logging in with a browser needs the platform, which this version does not support`,
    {
      help: 'give an API token of the platform with --token or DEVTOOL_TOKEN, or select a context of the kubeconfig',
    },
  )
}

const OTHER = 'a platform, by its URL'

const choose = async (ports: ContextPorts, found: Known, look: Look): Promise<E.Either<Diagnostic, string>> => {
  const current = currentOf(found, look)?.name
  const names = namesOf(found)
  const sorted = [...names.filter((name) => name === current), ...names.filter((name) => name !== current)]
  const choices = sorted.map((name) => ({ value: name, text: name === current ? `${name} *` : name }))
  const question = { text: 'which context?', flag: '`devtool context use NAME`' }
  const answer = await ports.prompt.choose(question, [...choices, { value: OTHER, text: OTHER }])()
  if (E.isLeft(answer) || answer.right !== OTHER) return answer
  return ports.prompt.ask({ text: 'URL of the platform', flag: '`devtool context use URL --token TOKEN`' })()
}

const hostOf = (record: ContextRecord): string => record.server ?? record.name

/**
 * Makes a context the current one and remembers what was given of it. Without a name it asks. Finds DT2107 (a platform that
 * nobody is logged in to), DT2108 and what the folder of devtool finds.
 */
export const useContext =
  (ports: ContextPorts) =>
  async (
    given: { readonly name?: string | undefined; readonly fields: Fields },
    look: Look,
  ): Promise<Result<never>> => {
    const read = await known(ports, look.kubeconfig)
    if (E.isLeft(read)) return failed(read.left)
    const found = read.right
    const chosen = given.name === undefined ? await choose(ports, found, look) : E.right(given.name)
    if (E.isLeft(chosen)) return failed(chosen.left)
    const name = contextName(chosen.right)
    const isUrl = isPlatformUrl(name)
    const fault = isUrl ? platformFault(name, found, given.fields, look.env) : undefined
    if (fault !== undefined) return failed(fault)
    if (!isUrl && !found.kubeconfig.contexts.some((context) => context.name === name)) {
      return failed(found.problem ?? unknown(name, found))
    }
    const written = await changeStore(ports, (store) => withCurrent(withContext(store, name, given.fields), name))
    if (E.isLeft(written)) return failed(written.left)
    const record = recordOf({ ...found, store: written.right }, name, look, false)
    return {
      findings: [],
      said: [`using ${name}: namespace ${record.namespace} at ${hostOf(record)}`, ...overruled(look.env)],
    }
  }

/** Variables win over what was just chosen, which would be a riddle. */
const overruled = (env: Variables): ReadonlyArray<string> =>
  ['DEVTOOL_CONTEXT', 'DEVTOOL_NAMESPACE'].flatMap((name) =>
    (env[name] ?? '') === '' ? [] : [`${name} is set and takes precedence`],
  )

/** The store as it is afterwards. */
export const changeStore = async (
  { home }: Pick<Ports, 'home'>,
  change: (store: Store) => Store,
): Promise<E.Either<Diagnostic, Store>> => {
  let after: Store | undefined
  const written = await home.change(STORE, (text) => {
    const store = readStore(home.where(STORE), text)
    if (E.isLeft(store)) return store
    after = change(store.right)
    return E.right(printStore(after))
  })()
  if (E.isLeft(written)) return written
  return after === undefined ? E.left(error('DT9001', 'nothing was changed')) : E.right(after)
}

/** Finds DT2108: also for a context that only the kubeconfig has, which is not ours to delete. */
export const deleteContext =
  (ports: ContextPorts) =>
  async (text: string, look: Look): Promise<Result<never>> => {
    const name = contextName(text)
    const read = await known(ports, look.kubeconfig)
    if (E.isLeft(read)) return failed(read.left)
    if (!withoutContext(read.right.store, name).isFound) {
      const isForeign = read.right.kubeconfig.contexts.some((context) => context.name === name)
      const foreign = error(
        'DT2108',
        `context "${name}" exists only in the kubeconfig, which devtool does not change`,
        {
          help: `\`kubectl config delete-context ${name}\` deletes it there`,
        },
      )
      return failed(isForeign ? foreign : unknown(name, read.right))
    }
    const written = await changeStore(ports, (store) => withoutContext(store, name).store)
    if (E.isLeft(written)) return failed(written.left)
    const stays = read.right.kubeconfig.contexts.some((context) => context.name === name)
    return {
      findings: [],
      said: [`deleted the stored settings of ${name}${stays ? '; the kubeconfig still has it' : ''}`],
    }
  }
