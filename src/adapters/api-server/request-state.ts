/** The known facts about a request while it is answered. */
import type { ServerResponse } from 'node:http'
import type { Context } from 'hono'
import type { RouteId } from '../../domain/platform/api/routes.ts'
import type { PageId } from '../../domain/platform/login/page-routes.ts'

/**
 * `route`: '' for a path that is no route; `page` and `asset`: what browsers show. `target`: its parameters. `user`:
 * who sent it, once that is known.
 */
export type Known = {
  readonly route: RouteId | PageId | 'page' | 'asset' | ''
  readonly target: Readonly<Record<string, string>>
  readonly user: string | undefined
}

export const nobody: Known = { route: '', target: {}, user: undefined }

/** Where a stream is written: bypasses the framework, which would keep each client in memory for longer. */
export type EventSink = Pick<ServerResponse, 'writeHead' | 'write' | 'end' | 'destroy' | 'on' | 'once' | 'off'>

export type RequestState = {
  Variables: { id: string; address: string; known: Known; code: string | undefined }
  Bindings: { address: string | undefined; outgoing: EventSink | undefined }
}
export type Call = Context<RequestState>
