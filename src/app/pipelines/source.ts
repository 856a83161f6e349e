/** The default source of a pipeline or a preview: the repository of this folder. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import { httpsAddress, repositoryIdentity } from '../../domain/text/public-url.ts'
import { visible } from '../../domain/text/visible.ts'
import type { Ports } from '../../ports/ports.ts'

/**
 * `hasCurrentBranch`: the default is the branch that is checked out here; otherwise the repository's default branch.
 */
export type WantedSource = {
  readonly cwd: string
  readonly repository?: string | undefined
  readonly branch?: string | undefined
  readonly hasCurrentBranch: boolean
}

export type CloneSource = { readonly repository: string; readonly branch?: string }

const help = 'name it with --repository https://HOST/PATH'

const none = (message: string): E.Either<Diagnostic, never> => E.left(error('DT2112', message, { help }))

const address = (repository: string): E.Either<Diagnostic, string> => {
  const found = httpsAddress(repository)
  return found === undefined ? none(`the platform clones by HTTPS only, not ${visible(repository)}`) : E.right(found)
}

/** Fails with DT2112. */
export const sourceOf =
  ({ git }: Pick<Ports, 'git'>) =>
  ({ branch, cwd, hasCurrentBranch, repository }: WantedSource): TE.TaskEither<Diagnostic, CloneSource> =>
  async () => {
    const head = repository === undefined || (hasCurrentBranch && branch === undefined) ? await git.head(cwd) : {}
    const given = repository ?? head.repository
    if (given === undefined) {
      if (head.refused !== undefined) return none(`git says nothing of the repository here: ${visible(head.refused)}`)
      return none(
        head.gitFolder === undefined
          ? 'this folder is in no git repository'
          : 'the git repository of this folder has no remote',
      )
    }
    const isHere = head.repository !== undefined && repositoryIdentity(head.repository) === repositoryIdentity(given)
    const current = hasCurrentBranch && isHere ? head.branch : undefined
    return E.map((found: string) => ({ repository: found, ...defined({ branch: branch ?? current }) }))(address(given))
  }

/** What only this clone has of the branch that is deployed; for people. */
const onlyHere = async (git: Ports['git'], { branch, cwd, repository }: WantedSource): Promise<string | undefined> => {
  const head = await git.head(cwd)
  if (head.branch === undefined || head.repository === undefined) return undefined
  const isHere = repository === undefined || repositoryIdentity(head.repository) === repositoryIdentity(repository)
  if (!isHere || (branch !== undefined && branch !== head.branch)) return undefined
  const commits = await git.unpushed(cwd)
  if (commits === undefined || commits === 0) return undefined
  const name = visible(head.branch)
  if (commits === 'All') return `branch ${name} was`
  return commits === 1 ? `1 commit of branch ${name} was` : `${commits} commits of branch ${name} were`
}

/** Says before that what was not pushed is not deployed. Fails with DT2112. */
export const pushedSource = (
  { git }: Pick<Ports, 'git'>,
  wanted: WantedSource,
  say: (text: string) => Promise<unknown>,
): TE.TaskEither<Diagnostic, CloneSource> =>
  pipe(
    sourceOf({ git })(wanted),
    TE.tap(() =>
      TE.fromTask(async () => {
        const only = await onlyHere(git, wanted)
        if (only !== undefined) await say(`${only} not pushed: the platform deploys what its git server has`)
      }),
    ),
  )
