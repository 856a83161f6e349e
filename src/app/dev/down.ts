/** `down`: restores workloads as they were before `up`. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { RestoredList } from '../../domain/dev/listing.ts'
import { type DevAsker, mayEnd, ownershipOf } from '../../domain/dev/ownership.ts'
import type { DevRecord } from '../../domain/dev/record.ts'
import { planDown } from '../../domain/dev/restore.ts'
import { restoringRights } from '../../domain/dev/rights.ts'
import { sshNameOf } from '../../domain/dev/ssh-config.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { Ports } from '../../ports/ports.ts'
import { answerAll, type Result } from '../result.ts'
import { allowed, askingAs, isRunningHere } from './activate.ts'
import { type ActiveDevs, type ActiveRequest, activeDevs, isMain, workloadIn } from './active.ts'
import { deleteLeftClaims, forgetBases } from './left-claims.ts'
import type { FoundDev } from './records.ts'
import { inRounds } from './rounds.ts'
import { removeSshAddress } from './ssh-address.ts'

type DownPorts = Pick<
  Ports,
  'clock' | 'files' | 'home' | 'machine' | 'plainFolders' | 'progress' | 'prompt' | 'thisProcess'
>

/** `isAll`: all of the user's own; with `takesOver` also those of others. `sshFolder`: ~/.ssh. */
export type TakeDownRequest = ActiveRequest & {
  readonly isAll: boolean
  readonly takesOver: boolean
  readonly withVolumes: boolean
  readonly sshFolder: string | undefined
}

type Findings = ReadonlyArray<Diagnostic>

const askerOf = (
  ports: DownPorts,
  { signal, target }: TakeDownRequest,
): TE.TaskEither<Diagnostic, (found: FoundDev) => DevAsker> => {
  return pipe(
    askingAs(ports, target, '', signal),
    TE.map(({ clock, me }) => ({ record: { holder } }: FoundDev) => ({
      me,
      isRunning: isRunningHere(ports, holder),
      nowMs: clock.wallMs(),
    })),
  )
}

/** Without a name and a project, a single one is not chosen automatically: it has to be named. */
const meant = ({ isAll }: TakeDownRequest, { active, all }: ActiveDevs): ReadonlyArray<FoundDev> =>
  isAll ? all : active

/** Removes the SSH address, if this machine has one: the workload may have been developed on another. */
const forgetAddress = (
  ports: DownPorts,
  { sshFolder, target: { namespace } }: TakeDownRequest,
  { record }: FoundDev,
): T.Task<Findings> =>
  sshFolder === undefined
    ? T.of([])
    : pipe(
        removeSshAddress(ports)(sshFolder, sshNameOf(record, namespace)),
        TE.match(
          (found) => [found],
          () => [],
        ),
      )

/** How long a background session may take to notice that its record is gone, and to end its command. */
const longestEndMs = 20_000
const endPollMs = 50

/** Waits for the end of the session, after which its local ports are free and its local command has ended. */
const sessionEnded =
  ({ progress, ...ports }: DownPorts, { holder }: DevRecord, title: string, signal: AbortSignal): T.Task<void> =>
  async () => {
    const { clock } = ports
    const isRunning = (): boolean => isRunningHere(ports, holder)
    if (holder.isDetached !== true || !isRunning()) return
    const detail = `waiting for its session in the background to end, process ${holder.pid}`
    progress.tell({ _tag: 'Step', id: title, title, state: 'Running', detail, atMs: clock.now() })
    const untilMs = clock.now() + longestEndMs
    while (isRunning() && clock.now() < untilMs && !signal.aborted) await clock.sleep(endPollMs, signal)
    if (isRunning()) progress.tell({ _tag: 'Said', text: `${title}: process ${holder.pid} has not ended yet` })
  }

const restore = (ports: DownPorts, request: TakeDownRequest, found: FoundDev): TE.TaskEither<Findings, Findings> => {
  const { signal, target, withVolumes } = request
  const { record } = found
  const { dev, workload } = record
  const what = `${workload.kind}/${workload.name}`
  const title = isMain(found) ? dev : workload.name
  return pipe(
    inRounds({ ports, target, signal }, { title, doing: () => `restoring ${what}` }, (observed) =>
      E.right(planDown({ record, withVolumes }, observed)),
    )(),
    TE.bindTo('done'),
    TE.tapTask(() => sessionEnded(ports, record, title, signal)),
    TE.bind('forgotten', () => TE.fromTask(forgetAddress(ports, request, found))),
    TE.bind('bases', () => TE.fromTask(withVolumes ? forgetBases(ports, request, dev) : T.of([]))),
    TE.map(({ bases, done: { findings }, forgotten }) => {
      const step = { id: title, title, atMs: ports.clock.now() }
      ports.progress.tell({ _tag: 'Step', ...step, state: 'Done', detail: `${what} is restored` })
      return [...findings, ...forgotten, ...bases]
    }),
  )
}

/** Finds DT5006, and refusals of the cluster. It is no error when nothing is active. */
export const takeDown =
  (ports: DownPorts) =>
  (request: TakeDownRequest): Promise<Result<RestoredList>> => {
    const { isAll, takesOver, withVolumes } = request
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
        const needed = restoringRights(
          ending.map(({ record }) => record),
          withVolumes,
        )
        return pipe(
          allowed(request.target, needed, request.signal),
          TE.flatMap(() =>
            pipe(
              ending,
              TE.traverseArray((one) => restore(ports, request, one)),
            ),
          ),
          TE.bindTo('findings'),
          TE.bind('left', () =>
            withVolumes ? deleteLeftClaims(ports, request, devs) : TE.of({ claims: [], findings: [] }),
          ),
          TE.map(({ findings, left }) => ({
            findings: [...findings.flat(), ...left.findings],
            value: {
              claims: left.claims,
              restored: ending.map(workloadIn),
              kept: skipped.map(workloadIn),
              others: devs.all.filter((one) => !chosen.includes(one)).map(workloadIn),
            },
          })),
        )
      }),
    )
    return answerAll(work)
  }
