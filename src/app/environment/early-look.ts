/** Objects of an environment, read while its project is still being translated, before its lock is taken. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Failure } from '../../domain/cluster/failure.ts'
import type { ClusterObject, Observed } from '../../domain/cluster/live.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Target } from '../context/target.ts'
import type { KnownRecord, ReadableRecord } from './find-record.ts'
import { type ContentKinds, contentKinds, type LookedFor, namespaceObjects } from './namespace-objects.ts'

/** `observedMs`: when reading began. */
export type Seen = { readonly observed: Observed; readonly observedMs: number }

/** After ten seconds, the observed objects may have changed. */
export const isFresh = (clock: Pick<Clock, 'now'>, observedMs: number): boolean => clock.now() - observedMs <= 10_000

/** `before`: the record as it was when reading began, at `beganMs`. */
export type EarlyLook = {
  readonly beganMs: number
  readonly before: KnownRecord
  readonly contents: ContentKinds
  readonly seen: TE.TaskEither<Failure, Seen>
}

export const look = (
  clock: Pick<Clock, 'now'>,
  target: Pick<Target, 'cluster' | 'namespace'>,
  about: LookedFor,
  signal: AbortSignal,
): TE.TaskEither<Failure, Seen> =>
  pipe(
    TE.fromIO(() => clock.now()),
    TE.bindTo('observedMs'),
    TE.bind('observed', () => namespaceObjects(target, about, signal)),
  )

/** Begins to read at once. Nothing is read early of an environment that a run may be changing. */
export const lookEarly = (
  clock: Pick<Clock, 'now'>,
  target: Pick<Target, 'cluster' | 'namespace'>,
  found: ReadableRecord | undefined,
  signal: AbortSignal,
): EarlyLook | undefined => {
  if (found?._tag !== 'Known' || found.record.status !== 'deployed') return undefined
  const { environment, inventory } = found.record
  const contents: ContentKinds = new Set(inventory.map(({ kind }) => kind))
  const beganMs = clock.now()
  const begun = look(clock, target, { environment, contents }, signal)()
  return { beganMs, before: found, contents, seen: () => begun }
}

/**
 * Whether the early look is still valid under the lock: `now` is the record as it was read again. It is the same object
 * unless another run wrote it, which every run does before its first change and at its end.
 */
export const holds = (
  clock: Pick<Clock, 'now'>,
  { beganMs, before, contents }: EarlyLook,
  now: ClusterObject | undefined,
  plan: Plan,
): boolean =>
  isFresh(clock, beganMs) && now === before.live && [...contentKinds(plan)].every((kind) => contents.has(kind))
