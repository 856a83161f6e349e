/** The clusters that the kubeconfig knows, and the one that this program runs in. */
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'
import type { Cluster } from './cluster.ts'

type KubeContext = { readonly name: string; readonly namespace?: string; readonly server?: string }

/** `files` were read, in the order in which they are merged (KUBECONFIG, else ~/.kube/config). */
export type Kubeconfig = {
  readonly files: ReadonlyArray<string>
  readonly current?: string
  readonly contexts: ReadonlyArray<KubeContext>
}

/** `file`: in place of what KUBECONFIG names. */
type Choice = { readonly file?: string; readonly context: string }

export type Clusters = {
  /** In a pod, a kubeconfig that is missing or empty has one context: the cluster and the account of the pod. */
  readonly kubeconfig: (file?: string) => TaskEither<Diagnostic, Kubeconfig>
  /** Asks the cluster nothing yet. */
  readonly connect: (choice: Choice) => TaskEither<Diagnostic, Cluster>
  /** As the account of the pod that this program runs in, whatever a kubeconfig says. `namespace`: of that pod. */
  readonly inCluster: () => TaskEither<Diagnostic, { readonly cluster: Cluster; readonly namespace: string }>
  /** Sets current-context, and the namespace of that context: nothing else of the file changes. Tells which file it was. */
  readonly select: (choice: Choice & { readonly namespace?: string }) => TaskEither<Diagnostic, string>
}
