/** The default source of a pipeline or a preview: the repository of this folder. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import { httpsAddress, repositoryIdentity } from '../../domain/text/public-url.ts'
import { visible } from '../../domain/text/visible.ts'
import type { GitTip } from '../../ports/git.ts'
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

type Head = Awaited<ReturnType<Ports['git']['head']>>
/** `head`: what is checked out here, if it is of this repository and was looked at. */
type Found = { readonly source: CloneSource; readonly head: Head | undefined }

const found =
  (git: Ports['git']) =>
  ({ branch, cwd, hasCurrentBranch, repository }: WantedSource): TE.TaskEither<Diagnostic, Found> =>
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
    return E.map(
      (known: string): Found => ({
        source: { repository: known, ...defined({ branch: branch ?? current }) },
        head: isHere ? head : undefined,
      }),
    )(address(given))
  }

/** Fails with DT2112. */
export const sourceOf =
  ({ git }: Pick<Ports, 'git'>) =>
  (wanted: WantedSource): TE.TaskEither<Diagnostic, CloneSource> =>
    pipe(
      found(git)(wanted),
      TE.map(({ source }) => source),
    )

/** How long the git server may take to say what it has. */
const answerMs = 5_000

const short = (commit: string): string => visible(commit.slice(0, 12))

/** How what is deployed differs from what is checked out here; for people. */
const differing = ({ head, source }: Found, { branch = source.branch, commit }: GitTip): string | undefined => {
  const { branch: own, commit: here } = head ?? {}
  if (own === undefined || here === undefined || branch === undefined || commit === here) return undefined
  const name = `branch ${visible(branch)}`
  if (branch !== own) return `${name} is deployed, not ${visible(own)}: --branch names another`
  if (commit === undefined) return `${name} was not pushed: the platform deploys what its git server has`
  return `${name} is deployed as its git server has it, at ${short(commit)}: ${short(here)} is checked out here`
}

/** Nothing when the git server does not say what it has. */
const sayDiffering = (
  { clock, git }: Pick<Ports, 'clock' | 'git'>,
  one: Found,
  { say, signal }: SayCall,
): T.Task<unknown> => {
  const { head, source } = one
  const isOther = source.branch !== undefined && source.branch !== head?.branch
  if (head === undefined || isOther) return T.of(undefined)
  return pipe(
    // By HTTPS, as the platform clones: for SSH, a passphrase might be asked for.
    git.tip(source.repository, source.branch, AbortSignal.any([signal, clock.timeout(answerMs)])),
    TE.map((tip) => differing(one, tip)),
    TE.matchE(
      () => T.of(undefined),
      (text) => (text === undefined ? T.of(undefined) : () => say(text)),
    ),
  )
}

type SayCall = { readonly say: (text: string) => Promise<unknown>; readonly signal: AbortSignal }

/** Says first how what is deployed differs from what is checked out here. Fails with DT2112. */
export const saidSource = (
  ports: Pick<Ports, 'clock' | 'git'>,
  wanted: WantedSource,
  call: SayCall,
): TE.TaskEither<Diagnostic, CloneSource> =>
  pipe(
    found(ports.git)(wanted),
    TE.tapTask((one) => sayDiffering(ports, one, call)),
    TE.map(({ source }) => source),
  )
