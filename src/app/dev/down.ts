/** `down`: restores workloads as they were before `up`. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { RestoredList } from '../../domain/dev/listing.ts'
import { type DevAsker, mayEnd, ownershipOf } from '../../domain/dev/ownership.ts'
import { planDown } from '../../domain/dev/restore.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { Ports } from '../../ports/ports.ts'
import { answerAll, type Result } from '../result.ts'
import { holderOf, isRunningHere } from './activate.ts'
import { type ActiveDevs, type ActiveRequest, activeDevs, workloadIn } from './active.ts'
import type { FoundDev } from './records.ts'
import { inRounds } from './rounds.ts'

type DownPorts = Pick<Ports, 'clock' | 'files' | 'machine' | 'progress' | 'prompt' | 'thisProcess'>

/** `isAll`: every one of one's own, and with `takesOver` those of others. */
export type TakeDownRequest = ActiveRequest & {
  readonly isAll: boolean
  readonly takesOver: boolean
  readonly withVolumes: boolean
}

type Findings = ReadonlyArray<Diagnostic>

const askerOf = (
  ports: DownPorts,
  { signal, target }: TakeDownRequest,
): TE.TaskEither<Diagnostic, (found: FoundDev) => DevAsker> => {
  return pipe(
    holderOf(ports, target, '', signal),
    TE.map((me) => ({ record: { holder } }: FoundDev) => ({
      me,
      isRunning: isRunningHere(ports, holder),
      nowMs: ports.clock.wallMs(),
    })),
  )
}

/** Without a name and a project, the only one is not taken: it must be said which. */
const meant = ({ isAll }: TakeDownRequest, { active, all }: ActiveDevs): ReadonlyArray<FoundDev> =>
  isAll ? all : active

const restore = (
  ports: DownPorts,
  { signal, target, withVolumes }: TakeDownRequest,
  found: FoundDev,
): TE.TaskEither<Findings, Findings> =>
  pipe(
    inRounds({ ports, target, signal, title: found.record.dev }, (observed) =>
      E.right(planDown({ record: found.record, withVolumes }, observed)),
    )(),
    TE.map(({ findings }) => {
      const { dev } = found.record
      ports.progress.tell({
        _tag: 'Step',
        id: dev,
        title: dev,
        state: 'Done',
        detail: 'restored',
        atMs: ports.clock.now(),
      })
      return findings
    }),
  )

/** Finds DT5006, and what the cluster refuses. Nothing active is no error. */
export const takeDown =
  (ports: DownPorts) =>
  (request: TakeDownRequest): Promise<Result<RestoredList>> => {
    const { isAll, takesOver } = request
    const work: TE.TaskEither<Findings, Result<RestoredList>> = pipe(
      TE.Do,
      TE.apS('askers', askerOf(ports, request)),
      TE.apS('devs', activeDevs(ports)(request)),
      TE.mapLeft((found): Findings => [found]),
      TE.flatMap(({ askers, devs }) => {
        const chosen = meant(request, devs)
        const isForeign = (one: FoundDev): boolean => ownershipOf(one.record, askers(one))._tag === 'Foreign'
        const skipped = isAll && !takesOver ? chosen.filter(isForeign) : []
        const mains = chosen.filter((one) => !skipped.includes(one))
        const refused = mains.flatMap((one) =>
          E.match(
            (found: Diagnostic) => [found],
            () => [],
          )(mayEnd(one.record, askers(one), takesOver)),
        )
        if (refused.length > 0) return TE.left(refused)
        const ending = devs.every.filter(({ record }) => mains.some((one) => one.record.mirror === record.main))
        return pipe(
          ending,
          TE.traverseArray((one) => restore(ports, request, one)),
          TE.map((findings) => ({
            findings: findings.flat(),
            value: { restored: ending.map(workloadIn), kept: skipped.map(workloadIn) },
          })),
        )
      }),
    )
    return answerAll(work)
  }
