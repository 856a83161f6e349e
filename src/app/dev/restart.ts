/** `restart`: replaces the pods of a development container, and those of its services. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, failureDiagnostic } from '../../domain/cluster/failure.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { restarted } from '../../domain/dev/follow.ts'
import type { RestartedList } from '../../domain/dev/listing.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { Ports } from '../../ports/ports.ts'
import { answerAll, type Result } from '../result.ts'
import { type ActiveRequest, activeDevs, notActive, oneActive, workloadIn } from './active.ts'
import { type FoundDev, podsOf } from './records.ts'
import { observe, type RoundEnd, type RoundsWorld, unspoiled, write } from './rounds.ts'

type RestartPorts = Pick<Ports, 'clock' | 'files' | 'progress' | 'prompt'>

type Findings = ReadonlyArray<Diagnostic>

const told = (failure: Failure): Findings => [failureDiagnostic(failure)]

const deletePods = ({ signal, target }: RoundsWorld, record: FoundDev['record']): TE.TaskEither<Findings, void> =>
  pipe(
    podsOf(target, record, signal),
    TE.flatMap(
      TE.traverseArray(({ metadata: { name, uid } }) => {
        const key = { resource: resources.Pod, namespace: target.namespace, name }
        return target.cluster.remove(key, { uid, propagation: 'Background', signal })
      }),
    ),
    TE.mapBoth(told, () => undefined),
  )

/** Applies the current definition of the workload, which replaces the pods if it has changed; otherwise deletes them. */
export const restartMirror = (world: RoundsWorld, record: FoundDev['record']): TE.TaskEither<Findings, void> => {
  const attempt = pipe(
    observe(world),
    TE.mapLeft((found): Findings => [found]),
    TE.flatMap((observed) => {
      const actions = restarted(record, observed)
      return actions.length === 0
        ? TE.map((): RoundEnd => ({ _tag: 'Written', findings: [] }))(deletePods(world, record))
        : write(world, { actions, waitsFor: [] }, observed)
    }),
  )
  return unspoiled(world, attempt)
}

/** Whether there is one to restart. Finds DT5053. */
export const isRestartable =
  (ports: Pick<Ports, 'files'>) =>
  (request: ActiveRequest): TE.TaskEither<Findings, unknown> =>
    pipe(
      activeDevs(ports)(request),
      TE.filterOrElse(
        ({ active }) => active.length > 0,
        ({ all }) => notActive(request, all),
      ),
      TE.mapLeft((found): Findings => [found]),
    )

/** Finds DT5050 and DT5053. */
export const restartDev =
  (ports: RestartPorts) =>
  (request: ActiveRequest): Promise<Result<RestartedList>> => {
    const { signal, target } = request
    const work: TE.TaskEither<Findings, Result<RestartedList>> = pipe(
      oneActive(ports)(request),
      TE.mapLeft((found): Findings => [found]),
      TE.map(({ every, found }) => every.filter(({ record }) => record.main === found.record.mirror)),
      TE.tap(TE.traverseArray(({ record }) => restartMirror({ ports, target, signal }, record))),
      TE.map((devs) => ({ findings: [], value: { restarted: devs.map(workloadIn) } })),
    )
    return answerAll(work)
  }
