/** Reads what runs in a namespace, with the permissions of the user. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { clusterProblem } from '../../domain/platform/api/problem.ts'
import { accountOf } from '../../domain/platform/names.ts'
import { readNamespaceNow } from '../environment/namespace-now.ts'
import type { Handlers, PlatformWorld } from './world.ts'

export const serviceHandlers = ({ clock, cluster }: PlatformWorld): Handlers<'listServices'> => ({
  listServices: ({ caller: { user }, granted: { namespace } }) =>
    pipe(
      readNamespaceNow(cluster.as({ user: accountOf(user.id) }), namespace.name, clock.date()),
      TE.mapBoth(clusterProblem(`namespace ${namespace.name}`), ({ environments, skipped }) => ({
        environments,
        skipped,
      })),
    ),
})
