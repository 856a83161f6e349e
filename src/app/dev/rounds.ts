/**
 * Carries out what is planned from the cluster as it is: looks, plans and writes until nothing is left to do. A run that
 * was cut off is continued by the next one.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { failureDiagnostic, isAbsent, isForbidden } from '../../domain/cluster/failure.ts'
import type { ClusterObject, Observed } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { isDone, type Round, upKinds } from '../../domain/dev/round.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { type Backoff, pauseAfter } from '../../domain/time/backoff.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Target } from '../context/target.ts'
import { execute } from '../deploy/execute.ts'
import type { ServiceProgress } from '../deploy/service-progress.ts'
import { watchEnvironment } from '../watch/watch.ts'

/** `title`: of the step that shows what is written; without one nothing is shown. */
export type RoundsWorld = {
  readonly title?: string
  readonly ports: Pick<Ports, 'clock' | 'progress'>
  readonly target: Pick<Target, 'cluster' | 'namespace'>
  readonly signal: AbortSignal
}

const pauses: Backoff = { firstMs: 100, longestMs: 1000 }
/** Of rounds that somebody else's writes spoiled. */
const mostSpoiled = 10

/** Kinds that may not be read, or that the cluster does not have, are left out. */
export const observe = ({ signal, target: { cluster, namespace } }: RoundsWorld): TE.TaskEither<Diagnostic, Observed> =>
  pipe(
    TE.sequenceArray(
      upKinds.map((kind) =>
        pipe(
          cluster.list({ resource: resources[kind], namespace }, { signal }),
          TE.map(({ items }) => items),
          TE.orElse((failure) =>
            isForbidden(failure) || isAbsent(failure)
              ? TE.of<Diagnostic, ReadonlyArray<ClusterObject>>([])
              : TE.left(failureDiagnostic(failure)),
          ),
          TE.map((items) => [kind, new Map(items.map((live) => [live.metadata.name, live]))] as const),
        ),
      ),
    ),
    TE.map((found) => new Map<string, ReadonlyMap<string, ClusterObject>>(found)),
  )

type Findings = ReadonlyArray<Diagnostic>

/** `Spoiled`: somebody else wrote in between. */
type RoundEnd = { readonly _tag: 'Written' | 'Spoiled'; readonly findings: Findings }

const isSpoiled = (findings: Findings): boolean =>
  findings.length > 0 && findings.every(({ code }) => code === 'DT3103')

const interrupted = error('DT3121', 'interrupted before everything was done', {
  help: 'run the command again to continue, or `devtool down` to restore the workload',
})

/** One step for everything: which objects there are does not matter to the user. */
const shownAs = ({ ports: { clock, progress }, title }: RoundsWorld): ServiceProgress => {
  const nothing = (): void => {}
  const object: ServiceProgress['object'] = (name, state, detail) => {
    if (title === undefined || state === 'Failed') return
    progress.tell({ _tag: 'Step', id: title, title, state: 'Running', detail: `${name} ${detail}`, atMs: clock.now() })
  }
  return {
    applying: nothing,
    applied: nothing,
    unchanged: nothing,
    told: nothing,
    met: nothing,
    failed: nothing,
    skipRest: nothing,
    object,
  }
}

export const write = (
  world: RoundsWorld,
  { actions }: Round,
  observed: Observed,
): TE.TaskEither<Findings, RoundEnd> => {
  const { ports, signal, target } = world
  const { cluster, namespace } = target
  const { clock } = ports
  const writing = { cluster, clock, namespace, environment: '', force: false, isDryRun: false, signal }
  const watching = watchEnvironment({ clock, cluster }, { kinds: [], namespace }, signal)
  const context = { writing, watching, lock: { check: () => undefined }, progress: shownAs(world), failsFast: false }
  return pipe(
    TE.fromTask(() => execute(context, actions, { applied: [], observed, observedMs: clock.now() })),
    TE.flatMapEither(({ findings, isComplete }): E.Either<Findings, RoundEnd> => {
      if (isComplete) return E.right({ _tag: 'Written', findings })
      if (isSpoiled(findings)) return E.right({ _tag: 'Spoiled', findings })
      return E.left(findings.length === 0 ? [interrupted] : findings)
    }),
  )
}

/** The last plan, which has nothing left to do, and what the server warned of. */
export type RoundsDone<P> = { readonly plan: P; readonly findings: Findings }

export const inRounds =
  <P extends Round>(world: RoundsWorld, plan: (observed: Observed) => E.Either<Findings, P>) =>
  (): TE.TaskEither<Findings, RoundsDone<P>> => {
    const { ports, signal } = world
    const round = (spoiled: number, waited: number, told: Findings): TE.TaskEither<Findings, RoundsDone<P>> =>
      pipe(
        observe(world),
        TE.mapLeft((failure): Findings => [failure]),
        TE.bindTo('observed'),
        TE.bind('planned', ({ observed }) => TE.fromEither(plan(observed))),
        TE.flatMap(({ observed, planned }) => {
          if (isDone(planned)) return TE.of({ plan: planned, findings: told })
          const pause =
            (count: number): T.Task<void> =>
            () =>
              ports.clock.sleep(pauseAfter(pauses, count), signal)
          if (planned.actions.length === 0) {
            return pipe(
              TE.fromTask<void, Findings>(pause(waited)),
              TE.flatMap(() => (signal.aborted ? TE.left([interrupted]) : round(spoiled, waited + 1, told))),
            )
          }
          return pipe(
            write(world, planned, observed),
            TE.flatMap(({ _tag, findings }) => {
              if (_tag === 'Written') return round(spoiled, 0, [...told, ...findings])
              return spoiled === mostSpoiled
                ? TE.left(findings)
                : pipe(
                    TE.fromTask<void, Findings>(pause(spoiled)),
                    TE.flatMap(() => round(spoiled + 1, 0, told)),
                  )
            }),
          )
        }),
      )
    return round(0, 0, [])
  }
