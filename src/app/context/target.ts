/** A cluster, a namespace in it, and what the context says of both. */
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { Cluster } from '../../ports/cluster.ts'
import type { Settings } from '../project/settings.ts'

/** What flags and variables say. `kubeconfig`: a file in place of KUBECONFIG's. */
export type TargetOptions = {
  readonly context?: string
  readonly namespace?: string
  readonly kubeconfig?: string
  /** Answers yes to the question whether an unknown cluster may be changed. */
  readonly isYes: boolean
}

/** `settings` are those of the context: flags and variables win over them. `context` as it is named in the kubeconfig. */
export type Target = {
  readonly cluster: Cluster
  readonly context: string
  readonly namespace: string
  readonly settings: Partial<Settings>
  /** Also of the context: where images are built, and the registry of images as the cluster reaches it. */
  readonly builder?: string
  readonly pullRegistry?: string
  /** By a flag or a variable; else whoever asked is told which context it is. */
  readonly isNamed: boolean
  readonly findings: ReadonlyArray<Diagnostic>
}
