/** `status`: the development containers of a project, and how they are. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import { type DevStatusList, statusOf } from '../../domain/dev/listing.ts'
import type { Ports } from '../../ports/ports.ts'
import { answer, type Result } from '../result.ts'
import { type ActiveRequest, activeDevs, notActive } from './active.ts'
import { type FoundDev, podsOf } from './records.ts'

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
            podsOf(request.target, found.record, request.signal),
            TE.mapBoth(failureDiagnostic, (pods) => statusOf(found.record, pods)),
          ),
        )(active),
      ),
      TE.map((devs) => ({ findings: [], value: { namespace, devs } })),
    )
    return answer(work)
  }
