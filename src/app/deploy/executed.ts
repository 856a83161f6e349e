/** The result of carrying out actions. */
import type { ClusterObject } from '../../domain/cluster/live.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { KubeObject } from '../../domain/k8s/types.ts'
import type { Cause } from '../../domain/why/cause.ts'
import type { AwaitedObject } from '../../domain/why/waiting.ts'

/** A service whose condition was not met, and why. */
export type Stuck = { readonly wanted: AwaitedObject; readonly causes: ReadonlyArray<Cause> }

/**
 * `written`: objects that were applied or already as wanted, as the server returned them. `isComplete`: all actions
 * succeeded.
 */
export type Executed = {
  readonly written: ReadonlyArray<{
    readonly object: KubeObject
    readonly live: ClusterObject
    readonly isNew: boolean
  }>
  readonly stuck: ReadonlyArray<Stuck>
  /** The waits that the signal interrupted, with their last state. */
  readonly pending: ReadonlyArray<{ readonly name: string; readonly detail: string; readonly wanted?: AwaitedObject }>
  readonly findings: ReadonlyArray<Diagnostic>
  readonly isComplete: boolean
}

export const nothingDone: Executed = { written: [], stuck: [], pending: [], findings: [], isComplete: true }

export const both = (a: Executed, b: Executed): Executed => ({
  written: [...a.written, ...b.written],
  stuck: [...a.stuck, ...b.stuck],
  pending: [...a.pending, ...b.pending],
  findings: [...a.findings, ...b.findings],
  isComplete: a.isComplete && b.isComplete,
})
