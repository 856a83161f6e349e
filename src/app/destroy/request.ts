/** The input of `destroy`. */
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { CommandsInput, CommandsVerdict } from '../../domain/destroy/commands.ts'
import type { Options } from '../../domain/destroy/plan.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { EnvironmentRecord } from '../../domain/environment/record.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Target } from '../context/target.ts'
import type { FoundRecord } from '../environment/find-record.ts'

export type DestroyPorts = Pick<Ports, 'clock' | 'machine' | 'progress' | 'prompt'>

/**
 * The destroy commands of the manifest; `run`: under the lock, before anything is deleted. `judgeOther`: the verdict on
 * another environment, which `--all` destroys as well.
 */
export type DestroyCommands = {
  readonly judge: (record: CommandsInput['record'], isThere: boolean) => CommandsVerdict
  readonly judgeOther: (record: EnvironmentRecord | undefined) => CommandsVerdict
  readonly run: TE.TaskEither<ReadonlyArray<Diagnostic>, void>
}

/**
 * `warnings`: to be reported when it is destroyed. `refusal`: why the record that is found under the lock must not be
 * destroyed.
 */
export type Permission = {
  readonly warnings: ReadonlyArray<Diagnostic>
  readonly refusal: (record: EnvironmentRecord | undefined) => Diagnostic | undefined
}

export type Destruction = {
  readonly target: Target
  readonly environment: string
  readonly options: Options
  readonly isWaiting: boolean
  readonly isYes: boolean
  readonly isDryRun: boolean
  readonly breaksLock: boolean
  /** How long to wait for a live holder of a lock. */
  readonly lockWaitMs: number
  /** Ends the run: interrupted, or timed out (`reason` is `timeout`). */
  readonly signal: AbortSignal
  /** Whether it may be destroyed, given the record that was found first. */
  readonly allow: (found: FoundRecord) => TE.TaskEither<Diagnostic, Permission>
  readonly commands: DestroyCommands
  /** The environments that are destroyed in the same run. */
  readonly isTaken?: ReadonlySet<string>
}
