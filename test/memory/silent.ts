/** The port `Cluster` with a server that only answers that the namespace exists. */
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Failure } from '../../src/domain/cluster/failure.ts'
import type { Cluster } from '../../src/ports/cluster.ts'
import { memoryCluster } from './cluster.ts'

const asked = { verb: 'get', what: 'anything' }

const unanswered =
  (signal?: AbortSignal): TaskEither<Failure, never> =>
  () =>
    new Promise((resolve) => {
      const end = (): void => resolve(E.left({ _tag: 'Aborted', asked }))
      if (signal?.aborted === true) end()
      else signal?.addEventListener('abort', end)
    })

export const silentCluster = (namespace: string): Cluster => {
  const cluster = memoryCluster({ objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }] })
  return {
    ...cluster,
    get: (key, signal) => (key.name === namespace ? cluster.get(key, signal) : unanswered(signal)),
    list: (_selection, options) => unanswered(options?.signal),
    version: unanswered,
  }
}

const requests = ['get', 'list', 'page', 'apply', 'create', 'replace', 'merge', 'remove'] as const

/** The signal is an argument itself or in the options. */
const signalIn = (given: ReadonlyArray<unknown>): AbortSignal | undefined => {
  for (const one of given) {
    if (one instanceof AbortSignal) return one
    if (typeof one === 'object' && one !== null && 'signal' in one && one.signal instanceof AbortSignal)
      return one.signal
  }
  return undefined
}

/** Without a signal the client itself gives up. */
const unansweredIn = (given: ReadonlyArray<unknown>): TaskEither<Failure, never> => {
  const signal = signalIn(given)
  const lost: Failure = { _tag: 'Unreachable', asked, server: 'test', cause: 'no answer', mayHaveHappened: true }
  return signal === undefined ? TE.left(lost) : unanswered(signal)
}

/** Answers this many requests, then none. `count`: how many there were. */
export const silentAfter = (cluster: Cluster, answered: number): { readonly cluster: Cluster; count: () => number } => {
  let count = 0
  const wrapped = requests.map((name) => [
    name,
    (...given: ReadonlyArray<unknown>): TaskEither<Failure, unknown> =>
      () => {
        count += 1
        if (count > answered) return unansweredIn(given)()
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the arguments are passed on as they came
        return (cluster[name] as (...args: ReadonlyArray<unknown>) => TaskEither<Failure, unknown>)(...given)()
      },
  ])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each function has the type of the one it wraps
  return { cluster: { ...cluster, ...Object.fromEntries(wrapped) } as Cluster, count: () => count }
}
