/** The port `Cluster` with a server that only answers that the namespace exists. */
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
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
