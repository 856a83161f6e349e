/** The port `Cluster` over objects in memory, for tests. It passes the contract tests of the real one. */
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ApiRequest, Failure } from '../../src/domain/cluster/failure.ts'
import { at, isObject, type JsonObject, numberAt, textAt } from '../../src/domain/cluster/json.ts'
import type { ClusterObject } from '../../src/domain/cluster/live.ts'
import { type ObjectKey, resources, showKey } from '../../src/domain/cluster/resources.ts'
import type { Diagnostic } from '../../src/domain/diagnostic/diagnostic.ts'
import { showMoment } from '../../src/domain/text/moment.ts'
import type { Account, Cluster, Listing, Page, PortState, Selection } from '../../src/ports/cluster.ts'
import { logOf, type MemoryLogs, memoryLogs, type SaidLines } from './logs.ts'
import { type MemoryPods, memoryPods } from './pods.ts'
import { type ScriptedFailure, scriptOf } from './script.ts'
import { type Change, memoryStore, resourceOf, type Store } from './store.ts'
import { isSelected, metadataOnly, type Watch, watchStore } from './watches.ts'
import { applyIn, createIn, mergeIn, notFound, notFoundFailure, removeIn, replaceIn } from './writes.ts'

/**
 * `refused`: ports on which nothing listens; `open`: by pod, the only ones on which something does. `said`: logs. `denied`: what reviews deny, as `verb resource`.
 */
export type MemoryClusterOptions = {
  readonly server?: string
  readonly objects?: ReadonlyArray<JsonObject>
  readonly failures?: ReadonlyArray<ScriptedFailure>
  readonly refused?: ReadonlyArray<number>
  readonly open?: Readonly<Record<string, ReadonlyArray<number>>>
  readonly said?: ReadonlyArray<SaidLines>
  readonly denied?: ReadonlyArray<string>
  readonly warnings?: ReadonlyArray<Diagnostic>
  readonly date?: () => string
}

/** For tests: changes that the code under test did not make. */
export type MemoryCluster = Cluster &
  MemoryLogs &
  MemoryPods & {
    readonly fail: (failure: ScriptedFailure) => void
    /** All requests, in order. */
    readonly asked: () => ReadonlyArray<ApiRequest>
    /** Writes as controllers do: creates or replaces unconditionally, including the status. */
    readonly put: (object: JsonObject) => ClusterObject
    readonly take: (kind: string, name: string, namespace?: string) => void
    readonly onChange: (listener: (change: Change) => void) => () => void
    /** Expires all versions so far. */
    readonly forget: () => void
    /** Closes all watches, as a server does after some minutes. */
    readonly closeWatches: () => void
    readonly breakWatches: (failure: (asked: ApiRequest) => Failure) => void
    readonly bookmark: () => void
    /** The users that were impersonated, in order. */
    readonly accounts: () => ReadonlyArray<Account>
  }

const keyOf = (object: JsonObject): ObjectKey => {
  const resource = resourceOf(object)
  const namespace = resource.isNamespaced ? (textAt(object, 'metadata', 'namespace') ?? 'default') : undefined
  return { resource, name: textAt(object, 'metadata', 'name') ?? '', ...(namespace === undefined ? {} : { namespace }) }
}

const putIn =
  (store: Store) =>
  (object: JsonObject): ClusterObject => {
    const key = keyOf(object)
    const { namespace } = key
    const home: ObjectKey = { resource: resources.Namespace, name: namespace ?? '' }
    if (namespace !== undefined && store.get(home) === undefined) store.put(home, { metadata: { name: namespace } }, [])
    return store.put(key, object, store.get(key)?.owners ?? [])
  }

const asksForAll = (verb: string, { namespace, resource }: Pick<Selection, 'namespace' | 'resource'>): ApiRequest => ({
  verb,
  what: resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`,
  ...(namespace === undefined ? {} : { namespace }),
})

const asksFor = (verb: string, key: ObjectKey): ApiRequest => ({
  verb,
  what: showKey(key),
  ...(key.namespace === undefined ? {} : { namespace: key.namespace }),
})

/** Reviews are answered, but not stored. */
const reviewed = (body: JsonObject, denied: ReadonlyArray<string>): JsonObject => {
  if (textAt(body, 'kind') === 'SelfSubjectRulesReview') {
    const all = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }
    return { ...body, status: { incomplete: denied.length > 0, resourceRules: denied.length > 0 ? [] : [all] } }
  }
  const about = at(body, 'spec', 'resourceAttributes')
  const question = `${textAt(about, 'verb') ?? ''} ${textAt(about, 'resource') ?? ''}`
  return { ...body, status: { allowed: !denied.includes(question) } }
}

/** Tokens are not stored either. All are issued at the same moment. */
const ISSUED_SECONDS = Date.parse('2026-11-21T10:00:00Z') / 1000

const issued = (account: string, body: JsonObject): JsonObject => {
  const seconds = ISSUED_SECONDS + (numberAt(body, 'spec', 'expirationSeconds') ?? 3600)
  return {
    ...body,
    status: { token: `token of ${account}`, expirationTimestamp: showMoment({ seconds, nanos: 0 }) },
  }
}

const generated = (store: Store, body: JsonObject): string =>
  textAt(body, 'metadata', 'name') ?? `${textAt(body, 'metadata', 'generateName') ?? ''}${store.version().toString(36)}`

type AnswerCall = <A>(
  asked: ApiRequest,
  signal: AbortSignal | undefined,
  answer: () => E.Either<Failure, A>,
) => TE.TaskEither<Failure, A>

const listed = (store: Store, selection: Selection, isMetadataOnly: boolean): ReadonlyArray<ClusterObject> => {
  const items = store.all(selection.resource, selection.namespace).filter((object) => isSelected(object, selection))
  return isMetadataOnly ? items.map(metadataOnly) : items
}

/** `next`: the version at the beginning of the list, and how much has been listed. */
const pageOf = (items: ReadonlyArray<ClusterObject>, version: string, from: number, limit: number): Page => {
  const [begun, until] = [version, from + limit]
  return {
    items: items.slice(from, until),
    version,
    ...(until < items.length ? { next: `${begun} ${until}` } : {}),
  }
}

const reading = (
  store: Store,
  answer: AnswerCall,
): Pick<Cluster, 'get' | 'list' | 'page' | 'resources' | 'version'> => ({
  get: (key, signal) => answer(asksFor('get', key), signal, () => E.right(store.get(key)?.object)),
  list: (selection, { isMetadataOnly = false, signal } = {}) =>
    answer(asksForAll('list', selection), signal, (): E.Either<Failure, Listing> => {
      return E.right({ items: listed(store, selection, isMetadataOnly), version: String(store.version()) })
    }),
  page: (selection, { isMetadataOnly = false, limit, next, signal }) => {
    const asked = asksForAll('list', selection)
    return answer(asked, signal, (): E.Either<Failure, Page> => {
      const [version = '', from = '0'] = next?.split(' ') ?? [String(store.version())]
      const oldest = store.changes()[0]?.version ?? store.version()
      if (Number(version) < oldest - 1) return E.left({ _tag: 'Gone', asked })
      return E.right(pageOf(listed(store, selection, isMetadataOnly), version, Number(from), limit))
    })
  },
  resources: (signal) =>
    answer({ verb: 'get', what: 'the list of resources' }, signal, () => E.right(Object.values(resources))),
  version: (signal) => answer({ verb: 'get', what: 'the version of the API server' }, signal, () => E.right('v1.34.2')),
})

const writing = (
  store: Store,
  answer: AnswerCall,
  denied: ReadonlyArray<string>,
): Pick<Cluster, 'apply' | 'create' | 'replace' | 'merge' | 'remove'> => ({
  apply: (key, body, options) => {
    const asked = asksFor('patch', key)
    return answer(asked, options.signal, () => applyIn(store, key, body, options, asked))
  },
  create: (selection, body, options) => {
    const asked = asksForAll('create', selection)
    return answer(asked, options.signal, (): E.Either<Failure, JsonObject> => {
      if (selection.resource.kind.endsWith('Review')) return E.right(reviewed(body, denied))
      if (selection.resource.kind === 'TokenRequest') return E.right(issued(selection.resource.plural, body))
      const key: ObjectKey = { ...selection, name: generated(store, body) }
      return createIn(store, key, body, options, asked)
    })
  },
  replace: (key, body, options) => {
    const asked = asksFor('update', key)
    return answer(asked, options.signal, () => replaceIn(store, key, body, options, asked))
  },
  merge: (key, body, options) => {
    const asked = asksFor('patch', key)
    return answer(asked, options.signal, () => mergeIn(store, key, body, options, asked))
  },
  remove: (key, options) => {
    const asked = asksFor('delete', key)
    return answer(asked, options.signal, () => removeIn(store, key, options, asked))
  },
})

const seeded = ({ date = () => '2026-11-21T10:00:00Z', objects = [] }: MemoryClusterOptions): Store => {
  const store = memoryStore(date)
  const put = putIn(store)
  const first = ['default', 'kube-system'].map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }))
  for (const object of [...first, ...objects]) put(isObject(object) ? object : {})
  return store
}

const answering =
  (script: ReturnType<typeof scriptOf>, questions: Array<ApiRequest>): AnswerCall =>
  (asked, signal, answer) =>
  async () => {
    questions.push(asked)
    await Promise.resolve()
    if (signal?.aborted === true) return E.left({ _tag: 'Aborted', asked })
    const met = script.next(asked)
    if (met === undefined) return answer()
    if (met.isDone) answer()
    return E.left(met.failure)
  }

export const memoryCluster = (options: MemoryClusterOptions = {}): MemoryCluster => {
  const { denied = [], failures = [], open, refused = [], said = [], server = 'https://test', warnings = [] } = options
  const store = seeded(options)
  const script = scriptOf(server, failures)
  const questions: Array<ApiRequest> = []
  const accounts: Array<Account> = []
  const watches = new Map<Watch, ApiRequest>()
  const answer = answering(script, questions)
  const logs = memoryLogs()
  for (const { container, isPrevious, lines, pod } of said) logs.say(pod, container, lines, isPrevious)
  const { control, pods } = memoryPods(server, ({ name, namespace }, asked) => {
    questions.push(asked)
    const key: ObjectKey = { resource: resources.Pod, namespace, name }
    return script.next(asked)?.failure ?? (store.get(key) === undefined ? notFoundFailure(asked, key) : undefined)
  })

  const watch: Cluster['watch'] = (selection, signal) => {
    const asked = asksForAll('watch', selection)
    questions.push(asked)
    return watchStore(store, watches, selection, { asked, failure: script.next(asked)?.failure }, signal)
  }

  const cluster: MemoryCluster = {
    server,
    warnings,
    ...reading(store, answer),
    ...writing(store, answer, denied),
    watch,
    logs: (key, about, signal) => {
      const asked = asksFor('get the log of', key)
      questions.push(asked)
      const missing = store.get(key) === undefined ? notFoundFailure(asked, key) : undefined
      return logOf(logs, key, about, signal, script.next(asked)?.failure ?? missing)
    },
    pods,
    probePort: (key, port, signal) => {
      const asked = asksFor('forward ports of', key)
      return answer(asked, signal, (): E.Either<Failure, PortState> => {
        if (store.get(key) === undefined) return notFound(asked, key)
        const isOpen = open?.[key.name]?.includes(port) ?? !refused.includes(port)
        return E.right(isOpen ? 'Open' : 'Refused')
      })
    },
    labelling: () => TE.right({ kubeconfig: '/memory/kubeconfig', created: () => [], close: () => Promise.resolve() }),
    close: () => {},
    ...logs,
    ...control,
    fail: script.add,
    asked: () => questions,
    put: putIn(store),
    take: (kind, name, namespace) => {
      const apiVersion = Object.values(resources).find((one) => one.kind === kind)
      if (apiVersion === undefined) return
      store.remove({ resource: apiVersion, name, ...(namespace === undefined ? {} : { namespace }) }, 'Background')
    },
    onChange: store.listen,
    forget: store.forget,
    closeWatches: () => {
      for (const one of watches.keys()) one.end()
    },
    breakWatches: (failure) => {
      for (const [one, asked] of watches) {
        one.push({ _tag: 'Failed', failure: failure(asked) })
        one.end()
      }
    },
    bookmark: () => {
      for (const one of watches.keys()) one.push({ _tag: 'Version', version: String(store.version()) })
    },
    as: (account) => {
      accounts.push(account)
      return { ...cluster, close: () => {} }
    },
    accounts: () => accounts,
  }
  return cluster
}
