/**
 * Deletes expired tokens, what is left of tokens that do not exist, and decisions about logins. Failed deletions are
 * repeated the next time.
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { isExpired } from '../../domain/platform/account.ts'
import { sweepApprovals } from './approvals.ts'
import { revokeAll, tokensOf } from './issuing.ts'
import { unbindAll } from './members.ts'
import type { PlatformWorld } from './world.ts'

export const sweep = (world: PlatformWorld): TE.TaskEither<Diagnostic, unknown> => {
  // Before the tokens, so that each had its token when it was created.
  const bound = world.access.scoped()
  return pipe(
    tokensOf(world),
    TE.tap((all) =>
      revokeAll(
        world,
        all.filter((token) => isExpired(token, world.clock.date())),
      ),
    ),
    TE.flatMap((all) =>
      unbindAll(
        world,
        bound.filter(({ token }) => !all.some(({ id }) => id === token)),
      ),
    ),
    TE.flatMap(() => sweepApprovals(world)),
  )
}
