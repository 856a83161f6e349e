/** `status`: the development containers of a project, and their state. */
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { type DevConnection, type DevStatusList, isUncertain, statusOf } from '../../domain/dev/listing.ts'
import type { DevRecord } from '../../domain/dev/record.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import { showDeletions } from '../../domain/sync/notice.ts'
import { placesOf, type StoredFolder } from '../../domain/sync/stored-folder.ts'
import type { StoredPages } from '../../domain/sync/stored-status.ts'
import type { Ports } from '../../ports/ports.ts'
import { atMost } from '../concurrency/deadline.ts'
import type { Target } from '../context/target.ts'
import { answer, type Result } from '../result.ts'
import { storedStatus } from '../sync/answer.ts'
import { storedFolders } from '../sync/kept.ts'
import { isRunningHere } from './activate.ts'
import { type ActiveRequest, activeDevs, notActive } from './active.ts'
import { type FoundDev, podsOf } from './records.ts'

const sessionOf = (ports: Pick<Ports, 'machine' | 'thisProcess'>, { holder }: DevRecord): DevConnection => {
  if (holder.machine !== ports.machine.host) return 'elsewhere'
  if (!isRunningHere(ports, holder)) return 'none'
  return holder.isDetached === true ? 'background' : 'terminal'
}

type SyncedFolderStatus = DevStatusList['devs'][number]['folders'][number]

const infoOf = (pages: StoredPages | undefined): SyncedFolderStatus['info'] =>
  pages && { local: pages.here, remote: pages.there, username: pages.user, password: pages.password }

/** `withInfo`: with the addresses of the pages of both ends, and the password for them. */
type StatusRequest = ActiveRequest & { readonly withInfo: boolean }

/** The folders of this machine, while they are synchronised. */
const foldersOf = (
  { home }: Pick<Ports, 'home'>,
  { target: { context, namespace }, withInfo }: StatusRequest,
  { dev }: DevRecord,
): T.Task<ReadonlyArray<SyncedFolderStatus>> =>
  pipe(
    storedFolders({ home }),
    T.flatMap((all) =>
      T.traverseArray(([key, folder]: readonly [string, StoredFolder]) =>
        pipe(
          storedStatus({ home })(key),
          T.map((status) => {
            if (status === undefined) return []
            const { conflicts, pages, percent, question, troubles } = status
            const asked = question === undefined ? undefined : showDeletions(question)
            return [
              {
                ...placesOf(folder),
                percent,
                conflicts,
                problems: troubles,
                ...defined({ question: asked, info: withInfo ? infoOf(pages) : undefined }),
              },
            ]
          }),
        ),
      )(all.filter(([, one]) => one.dev === dev && one.namespace === namespace && one.context === context)),
    ),
    T.map((found) => found.flat()),
  )

const answerMs = 2000

/** Whether the agent of the pod responds, which may be before the cluster knows that its container runs. */
const answers = async (
  { clock }: Pick<Ports, 'clock'>,
  { cluster, namespace }: Target,
  pod: string,
  port: number,
): Promise<boolean> => {
  const key = { resource: resources.Pod, namespace, name: pod }
  const state = await atMost(clock, answerMs, (late) => cluster.probePort(key, port, late)())
  return state?._tag === 'Right' && state.right === 'Open'
}

type PodStatus = ReturnType<typeof statusOf>

const podStatus = (
  ports: Pick<Ports, 'clock'>,
  { signal, target }: StatusRequest,
  record: DevRecord,
): TE.TaskEither<Diagnostic, PodStatus> =>
  pipe(
    podsOf(target, record, signal),
    TE.mapLeft(failureDiagnostic),
    TE.flatMapTask((pods) => async () => {
      const status = statusOf(record, pods)
      const isThere = isUncertain(status) && (await answers(ports, target, status.pod, record.port))
      return isThere ? statusOf(record, pods, true) : status
    }),
  )

/** Finds DT5053. */
export const devStatus =
  (ports: Pick<Ports, 'clock' | 'files' | 'home' | 'machine' | 'thisProcess'>) =>
  (request: StatusRequest): Promise<Result<DevStatusList>> => {
    const { namespace } = request.target
    const work = pipe(
      activeDevs(ports)(request),
      TE.filterOrElse(
        ({ active }) => active.length > 0,
        ({ all }) => notActive(request, all),
      ),
      TE.flatMap(({ active }) =>
        TE.traverseArray((found: FoundDev) =>
          pipe(
            podStatus(ports, request, found.record),
            TE.flatMapTask((status) => {
              const session = sessionOf(ports, found.record)
              const isHere = session === 'terminal' || session === 'background'
              return pipe(
                isHere ? foldersOf(ports, request, found.record) : T.of([]),
                T.map((folders) => ({ ...status, session, folders })),
              )
            }),
          ),
        )(active),
      ),
      TE.map((devs) => ({ findings: [], value: { namespace, devs } })),
    )
    return answer(work)
  }
