/** `status`: the development containers of a project, and how they are. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import type { ClusterObject } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { type DevStatusList, statusOf } from '../../domain/dev/listing.ts'
import { mirrorSelector } from '../../domain/dev/names.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { Ports } from '../../ports/ports.ts'
import { answer, type Result } from '../result.ts'
import { type ActiveRequest, activeDevs, notActive } from './active.ts'
import type { FoundDev } from './records.ts'

const podsOf = (
  { signal, target: { cluster, namespace } }: ActiveRequest,
  { record }: FoundDev,
): TE.TaskEither<Diagnostic, ReadonlyArray<ClusterObject>> =>
  pipe(
    cluster.list({ resource: resources.Pod, namespace, labels: mirrorSelector(record.mirror) }, { signal }),
    TE.mapBoth(failureDiagnostic, ({ items }) => items),
  )

/** Finds DT5053. */
export const devStatus =
  (ports: Pick<Ports, 'files'>) =>
  (request: ActiveRequest): Promise<Result<DevStatusList>> => {
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
            podsOf(request, found),
            TE.map((pods) => statusOf(found.record, pods)),
          ),
        )(active),
      ),
      TE.map((devs) => ({ findings: [], value: { namespace, devs } })),
    )
    return answer(work)
  }
