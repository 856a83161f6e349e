/** `deploy --dependencies`: asks before a dependency is replaced by another branch or commit. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { RepositoryDependency } from '../../domain/manifest/model.ts'
import { leftsOf } from '../../domain/object/lefts.ts'
import { placeOf } from '../../domain/text/source.ts'
import type { GitTip } from '../../ports/git.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Target } from '../context/target.ts'
import { above, showTip, standingOf } from './standing.ts'

type Replacement = { readonly dependency: RepositoryDependency; readonly from: GitTip; readonly to: GitTip }

type ReplacementWorld = Pick<Ports, 'git' | 'prompt'>

/** Tags are not compared by branch. */
const isSame = (from: GitTip, to: GitTip): boolean =>
  from.commit !== undefined && from.commit === to.commit && (from.branch ?? to.branch) === (to.branch ?? from.branch)

const nothing: TE.TaskEither<Diagnostic, Replacement | undefined> = TE.right(undefined)

/** Right without a value: nothing is replaced. */
const replacementOf =
  ({ git }: ReplacementWorld, { shell, signal, target }: ReplacementPlace) =>
  (dependency: RepositoryDependency): TE.TaskEither<Diagnostic, Replacement | undefined> => {
    const { at, branch, repository } = dependency
    const comparedWith = (from: GitTip) =>
      pipe(
        git.tip(repository, branch?.value, signal),
        TE.bimap(
          (why) => ({ ...why, at: placeOf(at) }),
          (to) => (isSame(from, to) ? undefined : { dependency, from, to }),
        ),
      )
    if (above(shell)(dependency)) return nothing
    return pipe(
      standingOf(target, dependency),
      TE.flatMap((standing) => (standing._tag === 'Deployed' ? comparedWith(standing.from) : nothing)),
    )
  }

type ReplacementPlace = {
  readonly target: Target
  readonly shell: ReadonlyMap<string, string>
  readonly signal: AbortSignal
}

const questionFor = ({ dependency: { name }, from, to }: Replacement): string =>
  `replace the dependency ${name}, deployed from ${showTip(from) || 'an unknown commit'}, by ${showTip(to) || 'its newest commit'}?`

/** Nothing is changed unless every answer is yes. Finds DT2101, DT3150, DT3154. */
export const confirmReplacements = async (
  world: ReplacementWorld,
  dependencies: ReadonlyArray<RepositoryDependency>,
  place: ReplacementPlace,
): Promise<ReadonlyArray<Diagnostic>> => {
  const looked = await Promise.all(dependencies.map((one) => replacementOf(world, place)(one)()))
  const unknown = leftsOf(looked)
  if (unknown.length > 0) return unknown
  for (const replacement of looked.flatMap((one) => (E.isRight(one) && one.right !== undefined ? [one.right] : []))) {
    const answer = await world.prompt.confirm({ text: questionFor(replacement), flag: '--yes' })()
    if (E.isLeft(answer)) return [answer.left]
    if (!answer.right) {
      const { at, name } = replacement.dependency
      return [
        error('DT3154', `the dependency "${name}" was not replaced, and nothing was deployed`, {
          at,
          help: 'without --dependencies, it is left as it is',
        }),
      ]
    }
  }
  return []
}
