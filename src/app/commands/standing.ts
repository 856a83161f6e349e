/** Whether a dependency is deployed already, and from what. */
import * as E from 'fp-ts/lib/Either.js'
import type { RepositoryDependency } from '../../domain/manifest/model.ts'
import { defined } from '../../domain/object/defined.ts'
import { repositoryIdentity } from '../../domain/text/public-url.ts'
import { visible } from '../../domain/text/visible.ts'
import type { GitTip } from '../../ports/git.ts'
import type { Target } from '../context/target.ts'
import { findRecord, recordIn } from '../environment/find-record.ts'

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

/** An environment with the dependency's name is that dependency only if it was deployed from the same repository. */
export const standingOf = async (target: Target, { name, repository }: RepositoryDependency): Promise<Standing> => {
  const found = await findRecord(target, name)()
  const record = E.isRight(found) ? recordIn(found.right) : undefined
  const from = record?.source.repository
  if (record?.status !== 'deployed' || from === undefined) return { _tag: 'Missing' }
  if (repositoryIdentity(from) !== repositoryIdentity(repository)) return { _tag: 'Foreign', from }
  const { branch, commit } = record.source
  return { _tag: 'Deployed', from: defined({ branch, commit }) }
}

const digits = 7

/** `branch main, commit 1a2b3c4`; '' when nothing is known. */
export const showTip = ({ branch, commit }: GitTip): string =>
  [
    ...(branch === undefined || branch === '' ? [] : [`branch ${visible(branch)}`]),
    ...(commit === undefined ? [] : [`commit ${visible(commit.slice(0, digits))}`]),
  ].join(', ')
