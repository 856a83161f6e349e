/** Asks the API server which permissions the user lacks in the namespace. */
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Failure } from '../../domain/cluster/failure.ts'
import type { JsonObject } from '../../domain/cluster/json.ts'
import type { Resource } from '../../domain/cluster/resources.ts'
import { isAllowed, isGranted, type Right, reviewOf, rulesReviewOf } from '../../domain/cluster/rights.ts'
import { defined } from '../../domain/object/defined.ts'
import { bounded } from '../concurrency/bounded.ts'
import type { Target } from './target.ts'

const reviews: Resource = {
  group: 'authorization.k8s.io',
  version: 'v1',
  plural: 'selfsubjectaccessreviews',
  kind: 'SelfSubjectAccessReview',
  isNamespaced: false,
}

const rulesReviews: Resource = { ...reviews, plural: 'selfsubjectrulesreviews', kind: 'SelfSubjectRulesReview' }

/** A SelfSubjectRulesReview of the namespace. */
export const askRules = (
  { cluster, namespace }: Pick<Target, 'cluster' | 'namespace'>,
  signal?: AbortSignal,
): TaskEither<Failure, JsonObject> =>
  cluster.create({ resource: rulesReviews }, rulesReviewOf(namespace), { manager: 'devtool', ...defined({ signal }) })

/**
 * The permissions of `rights` that are denied. Those that the `rules` leave open are reviewed one by one. Fails when
 * the reviews cannot be created.
 */
export const missingRights =
  <R extends Right>(
    target: Pick<Target, 'cluster' | 'namespace'>,
    rights: ReadonlyArray<R>,
    signal?: AbortSignal,
    rules: TaskEither<Failure, JsonObject> = askRules(target, signal),
  ): TaskEither<Failure, ReadonlyArray<R>> =>
  async () => {
    const { cluster, namespace } = target
    const options = { manager: 'devtool', ...defined({ signal }) }
    const known = await rules()
    const isKnown = (right: R): boolean =>
      known._tag === 'Right' && right.namespace === undefined && isGranted(known.right, right)
    const open = rights.filter((right) => !isKnown(right))
    const answers = await bounded(open, async (right) => ({
      right,
      answer: await cluster.create({ resource: reviews }, reviewOf(right.namespace ?? namespace, right), options)(),
    }))
    const missing: Array<R> = []
    for (const { answer, right } of answers) {
      if (answer._tag === 'Left') return answer
      if (!isAllowed(answer.right)) missing.push(right)
    }
    return E.right(missing)
  }
