/** Deletes expired tokens and decisions about logins. Failed deletions are repeated the next time. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { isExpired } from '../../domain/platform/account.ts'
import { sweepApprovals } from './approvals.ts'
import { revokeAll, tokensOf } from './issuing.ts'
import type { PlatformWorld } from './world.ts'

export const sweep = (world: PlatformWorld): TE.TaskEither<Diagnostic, unknown> =>
  pipe(
    tokensOf(world),
    TE.flatMap((all) =>
      revokeAll(
        world,
        all.filter((token) => isExpired(token, world.clock.date())),
      ),
    ),
    TE.flatMap(() => sweepApprovals(world)),
  )
