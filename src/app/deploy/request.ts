/** The input of a deploy, and its state while it holds the lock. */
import type { Observed } from '../../domain/cluster/live.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { EnvironmentRecord, RecordedExternal } from '../../domain/environment/record.ts'
import type { RememberedSettings } from '../../domain/environment/remembered.ts'
import type { JobRule } from '../../domain/plan/jobs.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Ports } from '../../ports/ports.ts'
import type { CommandResults } from '../commands/manifest-commands.ts'
import type { Target } from '../context/target.ts'
import type { EarlyLook } from '../environment/early-look.ts'
import type { Lock } from '../environment/lock.ts'
import type { RecordStore } from '../environment/record-store.ts'
import type { Watching } from '../watch/watch.ts'

export type DeployPorts = Pick<Ports, 'clock' | 'machine' | 'progress'>

/**
 * `switchedOff`: services of the file outside the active profiles. `isPartial`: only some services were selected.
 * `made`: objects that commands of the manifest created before.
 */
export type DeployRequest = {
  readonly target: Target
  readonly plan: Plan
  readonly source: EnvironmentRecord['source']
  /** Settings that the next deploy uses as defaults. */
  readonly settings: RememberedSettings
  /** The parts of the manifest that a destroy without it needs. */
  readonly recorded: Required<Pick<EnvironmentRecord, 'dependencies' | 'destroyCommands'>>
  /** All services of the files, by object name. */
  readonly services: ReadonlyArray<string>
  /** Why this project must not deploy, given the record that is found under the lock. */
  readonly refusal: (previous: EnvironmentRecord | undefined) => Diagnostic | undefined
  /** Addresses outside of the cluster, which are only recorded. */
  readonly external: ReadonlyArray<RecordedExternal>
  readonly switchedOff: ReadonlySet<string>
  readonly isPartial: boolean
  readonly isWaiting: boolean
  /** Fails at the first restart of a container. */
  readonly failsFast: boolean
  readonly jobs: JobRule
  readonly force: boolean
  readonly breaksLock: boolean
  /** How long to wait for a live holder of the lock. */
  readonly lockWaitMs: number
  /** Ends the run: interrupted, or timed out. */
  readonly signal: AbortSignal
  /** The part of `signal` that is not a timeout. */
  readonly interrupted: AbortSignal
  readonly purpose: DeployPurpose
  /** When the deploy fails, the last successful deployment is applied again. */
  readonly isAtomic: boolean
  /** Objects read before the lock was taken. */
  readonly early?: EarlyLook | undefined
  /** Commands of the manifest, run under the lock before anything else. */
  readonly before?: (signal: AbortSignal) => Promise<CommandResults>
}

/**
 * Rollback: to the deployment of that number. Undo: removes the objects of a failed first deployment, and is not a
 * deployment itself.
 */
type DeployPurpose = { readonly _tag: 'Deploy' | 'Undo' } | { readonly _tag: 'Rollback'; readonly to: number }

/** `endpoints`: public addresses, if the deploy succeeded. */
export type Deployed = {
  readonly findings: ReadonlyArray<Diagnostic>
  readonly endpoints: ReadonlyArray<string>
  readonly record: EnvironmentRecord | undefined
}

/** `observedMs`: when `observed` was read. */
export type Run = DeployRequest & {
  readonly ports: DeployPorts
  readonly lock: Lock
  readonly recordStore: RecordStore
  readonly observed: Observed
  readonly observedMs: number
  readonly watching: Watching
}
