/** Whether a project may deploy to an environment whose name another project may use already. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { noFiles } from '../../domain/compose/choose.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { EnvironmentRecord } from '../../domain/environment/record.ts'
import { judgeDeploy, type SourceClaim, type SourceVerdict } from '../../domain/environment/source.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Target } from '../context/target.ts'
import { changedVerdict, foreignText, questionOf, settled, sourceOf } from '../environment/claim.ts'
import { findRecord, type ReadableRecord, readable } from '../environment/find-record.ts'
import type { ProjectOptions } from '../project/choose.ts'
import type { Translation } from '../project/translation.ts'

/** `takesOver`: the environment belongs to this project from now on, wherever it was deployed from. */
type ClaimRequest = {
  readonly project: { readonly wanted: ProjectOptions }
  readonly target: Target
  readonly takesOver: boolean
}

/**
 * `verdict`: on the record that was `seen` before anything was done. `refusal`: on the record that is found under the
 * lock, which somebody else may have written meanwhile.
 */
export type DeployClaim = {
  readonly own: SourceClaim
  readonly seen: EnvironmentRecord | undefined
  readonly verdict: SourceVerdict
  readonly refusal: (previous: EnvironmentRecord | undefined) => Diagnostic | undefined
}

/** What the last deploy left. */
export const lastRecord = (
  name: string | undefined,
  target: Target,
  signal: AbortSignal,
): TE.TaskEither<Diagnostic, ReadableRecord | undefined> =>
  name === undefined ? TE.right(undefined) : pipe(findRecord(target, name, signal), TE.flatMapEither(readable))

/** Determines with git which source this project has. */
export const claimOf = async (
  ports: Pick<Ports, 'git' | 'machine'>,
  { project: { wanted }, takesOver, target }: ClaimRequest,
  seen: EnvironmentRecord | undefined,
  { chosen = noFiles, declared = [], isGuessed }: Translation,
  environment: string,
): Promise<DeployClaim> => {
  const source = await sourceOf(ports, wanted.cwd, chosen)
  const own = { source, services: declared }
  const isPartial = wanted.services.length > 0
  const question = questionOf({ environment, isGuessed, own, takesOver, target, wanted })
  const judge = (record: EnvironmentRecord | undefined): SourceVerdict =>
    judgeDeploy({ ...question(record), isPartial })
  const verdict = judge(seen)
  return { own, seen, verdict, refusal: (previous) => changedVerdict(verdict, judge(previous)) }
}

/** A dry run changes nothing, so it only reports that the environment belongs to another project. */
export const mayDeploy = (
  ports: Pick<Ports, 'progress' | 'prompt'>,
  isApplied: boolean,
  { own, seen, verdict }: DeployClaim,
): TE.TaskEither<Diagnostic, ReadonlyArray<Diagnostic>> => {
  if (isApplied) return settled(ports, verdict)
  const text = foreignText(seen, own.source)
  if (text !== undefined) ports.progress.tell({ _tag: 'Said', text })
  return TE.right([])
}
