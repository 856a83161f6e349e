/** Whether a dependency is already deployed, and from which commit. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { EnvironmentRecord } from '../../domain/environment/record.ts'
import { sourceText } from '../../domain/environment/source.ts'
import type { RepositoryDependency } from '../../domain/manifest/model.ts'
import { defined } from '../../domain/object/defined.ts'
import { repositoryIdentity } from '../../domain/text/public-url.ts'
import { visible } from '../../domain/text/visible.ts'
import type { GitTip } from '../../ports/git.ts'
import type { Target } from '../context/target.ts'
import { findRecord, readable, recordIn } from '../environment/find-record.ts'

/** Repositories being deployed further up the chain, one per line. */
export const CHAIN = 'DEVTOOL_DEPENDENCY_CHAIN'

/** Whether a dependency is being deployed further up the chain. */
export const above = (shell: ReadonlyMap<string, string>): ((dependency: RepositoryDependency) => boolean) => {
  const chain = new Set((shell.get(CHAIN) ?? '').split('\n').map(repositoryIdentity))
  return ({ repository }) => chain.has(repositoryIdentity(repository))
}

export type Standing =
  | { readonly _tag: 'Missing' }
  | { readonly _tag: 'Deployed'; readonly from: GitTip }
  | { readonly _tag: 'Foreign'; readonly from: string }

const standingIn = (record: EnvironmentRecord | undefined, { repository }: RepositoryDependency): Standing => {
  if (record === undefined) return { _tag: 'Missing' }
  const { branch, commit, folder, repository: from } = record.source
  const isOther =
    from === undefined ? folder !== undefined : repositoryIdentity(from) !== repositoryIdentity(repository)
  if (isOther) return { _tag: 'Foreign', from: sourceText(record.source) }
  return record.status === 'deployed' && from !== undefined
    ? { _tag: 'Deployed', from: defined({ branch, commit }) }
    : { _tag: 'Missing' }
}

/**
 * An environment with the dependency's name is that dependency only if it was deployed from the same repository,
 * whether that succeeded or not. Fails when the record cannot be read.
 */
export const standingOf = (target: Target, dependency: RepositoryDependency): TE.TaskEither<Diagnostic, Standing> =>
  pipe(
    findRecord(target, dependency.name),
    TE.flatMapEither(readable),
    TE.map((found) => standingIn(recordIn(found), dependency)),
  )

const digits = 7

/** `branch main, commit 1a2b3c4`; '' when nothing is known. */
export const showTip = ({ branch, commit }: GitTip): string =>
  [
    ...(branch === undefined || branch === '' ? [] : [`branch ${visible(branch)}`]),
    ...(commit === undefined ? [] : [`commit ${visible(commit.slice(0, digits))}`]),
  ].join(', ')
