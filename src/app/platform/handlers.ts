/** The handlers of all routes. */
import * as TE from 'fp-ts/lib/TaskEither.js'
import { defined } from '../../domain/object/defined.ts'
import { OLDEST_CLIENT } from '../../domain/platform/client-version.ts'
import { showScope } from '../../domain/platform/scope.ts'
import { adminHandlers } from './admin.ts'
import { builderHandlers } from './builder.ts'
import { loginHandlers } from './login.ts'
import { memberHandlers } from './members.ts'
import { namespaceHandlers } from './namespaces.ts'
import { pipelineHandlers } from './pipelines.ts'
import { previewHandlers } from './previews.ts'
import { runLogHandlers } from './run-log.ts'
import { runHandlers } from './runs.ts'
import { serviceHandlers } from './services.ts'
import { sleepHandlers } from './sleep.ts'
import { tokenHandlers } from './tokens.ts'
import { userHandlers } from './users.ts'
import { variableHandlers } from './variables.ts'
import type { Handlers, PlatformWorld } from './world.ts'

export const handlersOf = (world: PlatformWorld): Handlers => {
  const { domain, kubernetes, registry, releases, version } = world.settings
  return {
    meta: () => TE.right({ version, oldestClient: OLDEST_CLIENT, domain, registry, ...defined({ releases }) }),
    me: ({ caller: { pass, user } }) =>
      TE.right({
        id: user.id,
        email: user.email,
        isAdmin: user.isAdmin,
        ...(pass._tag === 'Token'
          ? { scope: showScope(pass.token.scope), expires: pass.token.expires }
          : { scope: 'all', expires: pass.expires }),
      }),
    cluster: () => TE.right(kubernetes),
    ...loginHandlers(world),
    ...tokenHandlers(world),
    ...namespaceHandlers(world),
    ...memberHandlers(world),
    ...variableHandlers(world),
    ...pipelineHandlers(world),
    ...runHandlers(world),
    ...runLogHandlers(world),
    ...previewHandlers(world),
    ...userHandlers(world),
    ...serviceHandlers(world),
    ...sleepHandlers(world),
    ...builderHandlers(world),
    ...adminHandlers(world),
  }
}
