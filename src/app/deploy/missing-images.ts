/**
 * Images of a plan that are gone from their registry. An image whose registry cannot be queried may still be available
 * to the cluster.
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { partition } from '../../domain/plan/action.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { isWorkload } from '../../domain/plan/versions.ts'
import { visible } from '../../domain/text/visible.ts'
import type { Ports } from '../../ports/ports.ts'
import { bounded } from '../concurrency/bounded.ts'
import { atMost } from '../concurrency/deadline.ts'

const mostAtOnce = 8
/** A registry that does not respond must not prevent going back. */
const answerMs = 10_000

const imagesOf = ({ actions }: Plan): ReadonlyArray<string> => {
  const workloads = partition(actions).Apply.flatMap(({ object }) => (isWorkload(object) ? [object] : []))
  // Jobs do not run again.
  const kept = workloads.filter(({ kind }) => kind !== 'Job')
  return [...new Set(kept.flatMap(({ spec }) => spec.template.spec.containers.map(({ image }) => image)))]
}

/** Finds DT3144. */
export const missingImages = async (
  { clock, registry }: Pick<Ports, 'clock' | 'registry'>,
  plan: Plan,
  signal: AbortSignal,
): Promise<ReadonlyArray<Diagnostic>> => {
  const ask = (image: string) =>
    atMost(clock, answerMs, (late) =>
      pipe(
        registry.digestOf(image, AbortSignal.any([signal, late])),
        TE.match(
          () => true,
          (digest) => digest !== undefined,
        ),
      )(),
    )
  const images = imagesOf(plan)
  const there = await bounded(images, ask, mostAtOnce)
  return images
    .filter((_, index) => there[index] === false)
    .map((image) =>
      error('DT3144', `the image ${visible(image)} is no longer in its registry`, {
        help: 'nothing was changed: push it again, or deploy the commit that it was built from',
      }),
    )
}
