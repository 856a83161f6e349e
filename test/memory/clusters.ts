/** The port `Clusters` over in-memory clusters, by context name: for tests. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, error } from '../../src/domain/diagnostic/diagnostic.ts'
import type { Cluster } from '../../src/ports/cluster.ts'
import type { Clusters, Kubeconfig } from '../../src/ports/clusters.ts'

const path = '/home/dev/.kube/config'

/** The first context is the current one; without any there is no kubeconfig. `select` changes the current one. */
export const memoryClusters = (
  contexts: ReadonlyMap<string, Cluster>,
  namespaces: ReadonlyMap<string, string> = new Map(),
): Clusters => {
  let current = [...contexts.keys()][0]
  const chosen = new Map(namespaces)

  const config = (file: string | undefined): Kubeconfig => ({
    files: [file ?? path],
    ...(current === undefined ? {} : { current }),
    contexts: [...contexts].map(([name, { server }]) => {
      const namespace = chosen.get(name)
      return { name, server, ...(namespace === undefined ? {} : { namespace }) }
    }),
  })

  const missing = (file: string | undefined): Diagnostic =>
    error('DT3008', `no kubeconfig found: ${file ?? path} does not exist`, {
      help: 'set KUBECONFIG, or pass a file with --kubeconfig',
    })

  const unknown = (file: string | undefined, name: string): Diagnostic =>
    error('DT3009', `the kubeconfig ${file ?? path} has no context "${name}"`, {
      help: `there are ${[...contexts.keys()].join(', ')}`,
    })

  return {
    kubeconfig: (file) => (contexts.size === 0 ? TE.left(missing(file)) : TE.fromIO(() => config(file))),
    connect: ({ context, file }) => {
      const cluster = contexts.get(context)
      if (contexts.size === 0) return TE.left(missing(file))
      return cluster === undefined ? TE.left(unknown(file, context)) : TE.right(cluster)
    },
    inCluster: () => TE.left(error('DT3008', 'this program does not run in a pod that has a service account')),
    withTokens: ({ server, token }, signal = new AbortController().signal) =>
      pipe(
        token(signal),
        TE.flatMap(() => {
          const cluster = [...contexts.values()].find((one) => one.server === server)
          return cluster === undefined ? TE.left(unknown(undefined, server)) : TE.right(cluster)
        }),
      ),
    add: ({ name, namespace }, file) =>
      TE.fromIO(() => {
        current = name
        chosen.set(name, namespace)
        return file ?? path
      }),
    select: ({ context, file, namespace }) => {
      if (!contexts.has(context)) return TE.left(contexts.size === 0 ? missing(file) : unknown(file, context))
      return TE.fromIO(() => {
        current = context
        if (namespace !== undefined) chosen.set(context, namespace)
        return file ?? path
      })
    },
  }
}
