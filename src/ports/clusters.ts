/** The clusters in the kubeconfig, and the one that this program runs in. */
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'
import type { Cluster } from './cluster.ts'

type KubeContext = { readonly name: string; readonly namespace?: string; readonly server?: string }

/** `files`: those that were read, in merge order (KUBECONFIG, else ~/.kube/config). */
export type Kubeconfig = {
  readonly files: ReadonlyArray<string>
  readonly current?: string
  readonly contexts: ReadonlyArray<KubeContext>
}

/** `file`: used instead of KUBECONFIG. */
type Choice = { readonly file?: string; readonly context: string }

/** `name`: for messages. `authority`: PEM, or '' for those of the system. `expires`: as the server writes it. */
type TokenAccess = {
  readonly name: string
  readonly server: string
  readonly authority: string
  readonly token: (signal: AbortSignal) => TaskEither<Diagnostic, { readonly token: string; readonly expires: string }>
}

/** An entry for a cluster that is not in the kubeconfig yet: `command` prints tokens for it. */
type KubeconfigEntryFor = {
  readonly name: string
  readonly server: string
  readonly authority: string
  readonly namespace: string
  readonly command: ReadonlyArray<string>
}

export type Clusters = {
  /** In a pod, a missing or empty kubeconfig counts as one context: the cluster and service account of the pod. */
  readonly kubeconfig: (file?: string) => TaskEither<Diagnostic, Kubeconfig>
  /** Obtains credentials, which the signal aborts, and sends no other request yet. */
  readonly connect: (choice: Choice, signal?: AbortSignal) => TaskEither<Diagnostic, Cluster>
  /**
   * With the service account of the pod that this program runs in, regardless of kubeconfigs. `namespace`: that of the
   * pod.
   */
  readonly inCluster: () => TaskEither<Diagnostic, { readonly cluster: Cluster; readonly namespace: string }>
  /**
   * Sets current-context and the namespace of that context; nothing else in the file changes. Returns the path of the
   * file.
   */
  readonly select: (choice: Choice & { readonly namespace?: string }) => TaskEither<Diagnostic, string>
  /** Requests a token at once, and again before it expires. */
  readonly withTokens: (access: TokenAccess, signal?: AbortSignal) => TaskEither<Diagnostic, Cluster>
  /**
   * Adds a cluster, a user and a context of that name to the kubeconfig, or replaces them, and makes the context
   * current. Returns the path of the file.
   */
  readonly add: (entry: KubeconfigEntryFor, file?: string) => TaskEither<Diagnostic, string>
}
