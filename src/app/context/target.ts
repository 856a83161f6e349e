/** A cluster, a namespace in it, and the settings of the context for both. */
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { Cluster } from '../../ports/cluster.ts'
import type { PlatformLogin } from '../../ports/platforms.ts'
import type { Settings } from '../project/settings.ts'

/** The choices made by flags and variables. `kubeconfig`: a file used instead of KUBECONFIG's. */
export type TargetOptions = {
  readonly context?: string
  readonly namespace?: string
  readonly kubeconfig?: string
  /** Confirms in advance that an unknown cluster may be changed. */
  readonly isYes: boolean
}

/**
 * `settings`: those of the context; flags and variables take precedence. `context`: its name in the kubeconfig, or a
 * URL.
 */
export type Target = {
  readonly cluster: Cluster
  readonly context: string
  readonly namespace: string
  readonly settings: Partial<Settings>
  /**
   * Further settings of the context: where images are built, the registry as the cluster reaches it, and what the agent
   * of development containers is installed from.
   */
  readonly builder?: string
  readonly pullRegistry?: string
  readonly agentImage?: string
  /** Set for a context that is a platform. */
  readonly platform?: PlatformLogin
  /** The platform's variables, for commands that read a project. */
  readonly variables?: ReadonlyMap<string, string>
  /**
   * For commands that the namespace stays awake for: once they hold the lock of an environment, or have recorded a
   * development container, they undo a sleep that began meanwhile. Whether there was one.
   */
  readonly keptAwake?: (signal: AbortSignal) => TE.TaskEither<ReadonlyArray<Diagnostic>, boolean>
  /** Whether a flag or variable chose it; else the command prints which context it uses. */
  readonly isNamed: boolean
  /** Whether it is also the current context of the kubeconfig. */
  readonly isCurrent?: boolean
  readonly findings: ReadonlyArray<Diagnostic>
}
