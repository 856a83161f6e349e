/**
 * Runs plans that are made from the current state of the cluster: observes, plans and writes until nothing is left to
 * do. The next run continues one that was interrupted.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, failureDiagnostic, isAbsent, isForbidden } from '../../domain/cluster/failure.ts'
import type { ClusterObject, Observed } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { type ApplicationName, applicationsIn, withApplications } from '../../domain/dev/argo.ts'
import { isDone, type Round, upKinds } from '../../domain/dev/round.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { listed } from '../../domain/text/listed.ts'
import { type Backoff, pauseAfter } from '../../domain/time/backoff.ts'
import type { Ports } from '../../ports/ports.ts'
import { bounded } from '../concurrency/bounded.ts'
import type { Target } from '../context/target.ts'
import { execute } from '../deploy/execute.ts'
import type { ServiceProgress } from '../deploy/service-progress.ts'
import type { Lock } from '../environment/lock.ts'
import { watchEnvironment } from '../watch/watch.ts'

/** `lock`: without which nothing is written. */
export type RoundsWorld = {
  readonly ports: Pick<Ports, 'clock' | 'progress'>
  readonly target: Pick<Target, 'cluster' | 'namespace'>
  readonly signal: AbortSignal
  readonly lock?: Pick<Lock, 'check'>
}

const unlocked: Pick<Lock, 'check'> = { check: () => Promise.resolve(undefined) }

const pauses: Backoff = { firstMs: 100, longestMs: 1000 }
/** How many rounds in a row may be lost to writes of others. */
const mostSpoiled = 10
/** More rounds in a row that write are those of somebody who undoes each: they are slowed down. */
const usualWrites = 10
/** A namespace may have the workloads of many applications. */
const mostAtOnce = 4

/** `undefined` when it may not be read, and when the cluster does not have it. */
const ifReadable = <A>(read: TE.TaskEither<Failure, A>): TE.TaskEither<Diagnostic, A | undefined> =>
  pipe(
    read,
    TE.orElse(
      (failure: Failure): TE.TaskEither<Diagnostic, A | undefined> =>
        isForbidden(failure) || isAbsent(failure) ? TE.of(undefined) : TE.left(failureDiagnostic(failure)),
    ),
  )

/** Applications of Argo CD are in other namespaces. */
const lookForApplications =
  ({ signal, target: { cluster } }: Pick<RoundsWorld, 'signal' | 'target'>) =>
  (observed: Observed): TE.TaskEither<Diagnostic, Observed> => {
    const read = (key: ApplicationName): TE.TaskEither<Diagnostic, ClusterObject | undefined> =>
      ifReadable(cluster.get({ resource: resources.Application, ...key }, signal))
    return pipe(
      () => bounded(applicationsIn(observed), (key) => read(key)(), mostAtOnce),
      T.map(E.sequenceArray),
      TE.map((lives) =>
        withApplications(
          observed,
          lives.flatMap((live) => live ?? []),
        ),
      ),
    )
  }

/** Kinds that cannot be read are left out. */
export const observe = (world: Pick<RoundsWorld, 'signal' | 'target'>): TE.TaskEither<Diagnostic, Observed> => {
  const { signal, target } = world
  const { cluster, namespace } = target
  return pipe(
    TE.sequenceArray(
      upKinds.map((kind) =>
        pipe(
          cluster.list({ resource: resources[kind], namespace }, { signal }),
          TE.map(({ items }) => [kind, new Map(items.map((live) => [live.metadata.name, live]))] as const),
          ifReadable,
        ),
      ),
    ),
    TE.map((found) => new Map<string, ReadonlyMap<string, ClusterObject>>(found.flatMap((one) => (one ? [one] : [])))),
    TE.flatMap(lookForApplications(world)),
  )
}

type Findings = ReadonlyArray<Diagnostic>

/** `Spoiled`: somebody else wrote in between. */
export type RoundEnd = { readonly _tag: 'Written' | 'Spoiled'; readonly findings: Findings }

const isSpoiled = (findings: Findings): boolean =>
  findings.length > 0 && findings.every(({ code }) => code === 'DT3103')

export const interrupted = error('DT3121', 'interrupted before everything was done', {
  help: 'run the command again to continue, or `devtool down` to restore the workload',
})

const nothing = (): void => {}

/** The progress shows the purpose of the rounds, not single objects. */
const unseen: ServiceProgress = {
  applying: nothing,
  applied: nothing,
  unchanged: nothing,
  told: nothing,
  met: nothing,
  failed: nothing,
  skipRest: nothing,
  object: nothing,
}

export const write = (
  world: RoundsWorld,
  { actions }: Round,
  observed: Observed,
): TE.TaskEither<Findings, RoundEnd> => {
  const { lock = unlocked, ports, signal, target } = world
  const { cluster, namespace } = target
  const { clock } = ports
  const writing = { cluster, clock, namespace, environment: '', force: false, isDryRun: false, signal }
  const watching = watchEnvironment({ clock, cluster }, { kinds: [], namespace }, signal)
  const context = { writing, watching, lock, progress: unseen, failsFast: false }
  return pipe(
    TE.fromTask(() => execute(context, actions, { applied: [], observed, observedMs: clock.now() })),
    TE.flatMapEither(({ findings, isComplete }): E.Either<Findings, RoundEnd> => {
      if (isComplete) return E.right({ _tag: 'Written', findings })
      if (isSpoiled(findings)) return E.right({ _tag: 'Spoiled', findings })
      return E.left(findings.length === 0 ? [interrupted] : findings)
    }),
  )
}

/** The last plan, which has nothing left to do, and the server's warnings. */
export type RoundsDone<P> = { readonly plan: P; readonly findings: Findings }

/** Attempts it again while others write in between. */
export const unspoiled = (
  { ports, signal }: Pick<RoundsWorld, 'ports' | 'signal'>,
  attempt: TE.TaskEither<Findings, RoundEnd>,
): TE.TaskEither<Findings, void> => {
  const from = (spoiled: number): TE.TaskEither<Findings, void> =>
    pipe(
      attempt,
      TE.flatMap(({ _tag, findings }) => {
        if (_tag === 'Written') return TE.of(undefined)
        if (spoiled === mostSpoiled || signal.aborted) return TE.left(findings)
        return pipe(
          TE.fromTask<void, Findings>(() => ports.clock.sleep(pauseAfter(pauses, spoiled), signal)),
          TE.flatMap(() => from(spoiled + 1)),
        )
      }),
    )
  return from(0)
}

/** The step of the progress that the rounds are. `doing`, `waiting`: what one of them does, or waits for, in words. */
export type RoundsStep<P> = {
  readonly title: string
  readonly doing: (plan: P) => string | undefined
  readonly waiting?: (names: string) => string
}

const untilEnded = (names: string): string => `waiting for ${names} to end`

/** How many rounds were lost to writes of others, waited since the last write, and wrote. */
type Counts = { readonly spoiled: number; readonly waited: number; readonly written: number }

/** `first`: the observation for the first plan, if the caller has a recent one. */
export const inRounds =
  <P extends Round>(
    world: RoundsWorld,
    { doing, title, waiting = untilEnded }: RoundsStep<P>,
    plan: (observed: Observed) => E.Either<Findings, P>,
    first?: Observed,
  ) =>
  (): TE.TaskEither<Findings, RoundsDone<P>> => {
    const { ports, signal } = world
    const show = (planned: P): void => {
      const { waitsFor } = planned
      const detail = waitsFor.length > 0 ? waiting(listed(waitsFor)) : doing(planned)
      if (detail === undefined) return
      ports.progress.tell({ _tag: 'Step', id: title, title, state: 'Running', detail, atMs: ports.clock.now() })
    }
    const look = TE.mapLeft((failure: Diagnostic): Findings => [failure])(observe(world))
    const round = (
      { spoiled, waited, written }: Counts,
      told: Findings,
      looked: TE.TaskEither<Findings, Observed> = look,
    ): TE.TaskEither<Findings, RoundsDone<P>> =>
      pipe(
        looked,
        TE.bindTo('observed'),
        TE.bind('planned', ({ observed }) => TE.fromEither(plan(observed))),
        TE.flatMap(({ observed, planned }) => {
          if (isDone(planned)) return TE.of({ plan: planned, findings: told })
          show(planned)
          const pause =
            (count: number): T.Task<void> =>
            () =>
              ports.clock.sleep(pauseAfter(pauses, count), signal)
          const later = (
            count: number,
            next: TE.TaskEither<Findings, RoundsDone<P>>,
          ): TE.TaskEither<Findings, RoundsDone<P>> =>
            pipe(
              TE.fromTask<void, Findings>(pause(count)),
              TE.flatMap(() => (signal.aborted ? TE.left([interrupted]) : next)),
            )
          if (planned.actions.length === 0) {
            return later(waited, round({ spoiled, waited: waited + 1, written }, told))
          }
          return pipe(
            write(world, planned, observed),
            TE.flatMap(({ _tag, findings }) => {
              if (_tag === 'Written') {
                const next = round({ spoiled, waited: 0, written: written + 1 }, [...told, ...findings])
                return written < usualWrites ? next : later(written - usualWrites, next)
              }
              return spoiled === mostSpoiled
                ? TE.left(findings)
                : pipe(
                    TE.fromTask<void, Findings>(pause(spoiled)),
                    TE.flatMap(() => round({ spoiled: spoiled + 1, waited: 0, written }, told)),
                  )
            }),
          )
        }),
      )
    return round({ spoiled: 0, waited: 0, written: 0 }, [], first === undefined ? look : TE.of(first))
  }
