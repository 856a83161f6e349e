/** The log of a container as lines. */
import { pathOf } from '../../domain/cluster/resources.ts'
import type { Cluster } from '../../ports/cluster.ts'
import { askedFor, queryOf } from './api/paths.ts'
import { streamLines } from './api/stream.ts'
import type { ApiTransport } from './api/transport.ts'

const limitBytes = 64 * 1024
/** Existing lines come at once; a followed container may be silent forever. */
const idleMs = 30_000

const flag = (value: boolean | undefined): string | undefined => (value === true ? 'true' : undefined)

export const logging =
  (upstream: ApiTransport): Cluster['logs'] =>
  (key, options, signal) => {
    const query = queryOf({
      container: options.container,
      follow: flag(options.follow),
      previous: flag(options.isPrevious),
      sinceSeconds: options.sinceSeconds?.toString(),
      sinceTime: options.sinceTime,
      tailLines: options.tail?.toString(),
      timestamps: flag(options.timestamps),
    })
    return streamLines(
      upstream,
      {
        asked: askedFor('get the log of', key),
        path: `${pathOf(key)}/log${query}`,
        accept: '*/*',
        idleMs: options.follow ? 0 : idleMs,
        limitBytes,
        cut: '…',
      },
      signal,
    )
  }
