/** The API server: watches who may see what, answers requests, and stops without losing any. */
import type { ServedRequest } from '../adapters/api-server/app.ts'
import { apiApp } from '../adapters/api-server/app.ts'
import { type ClusterPage, listenForCluster, listenForUsers } from '../adapters/api-server/listen.ts'
import { eventStreams } from '../adapters/api-server/streams.ts'
import type { WebFiles } from '../adapters/api-server/web-files.ts'
import { answering } from '../app/platform/answer.ts'
import { answeringPages } from '../app/platform/pages.ts'
import { sweep } from '../app/platform/sweep.ts'
import { watchAccess } from '../app/platform/watching.ts'
import { accessState } from '../domain/platform/access.ts'
import type { PlatformSettings } from '../domain/platform/settings.ts'
import type { Clock } from '../ports/clock.ts'
import type { Cluster } from '../ports/cluster.ts'
import type { IdentityIssuer } from '../ports/identity.ts'
import type { Random } from '../ports/random.ts'
import type { Sealing } from '../ports/sealing.ts'
import { requestMetrics } from './metrics.ts'

/** `write`: a line of the log. `ports`: 0 for any. */
export type ApiOptions = {
  readonly cluster: Cluster
  readonly clock: Clock
  readonly random: Random
  readonly settings: PlatformSettings
  readonly sealing: Sealing
  /** The pages. */
  readonly web: WebFiles
  /** `failed`: why the issuer could not be asked, for the log. */
  readonly identity: (failed: (cause: unknown) => void) => IdentityIssuer
  readonly ports: { readonly users: number; readonly cluster: number }
  readonly write: (line: string) => void
}

export type RunningApi = {
  readonly port: number
  readonly clusterPort: number
  /** `drainMs`: how long requests are still taken, until nobody sends any more. */
  readonly stop: (drainMs: number) => Promise<void>
}

/** How long the requests that have come may take at the end. */
const LAST_MS = 20_000

/** How often what has expired is deleted. */
const SWEEP_MS = 600_000

/** Who did what, and how it ended: never what was in it. */
const auditLine = (at: string, { ms, ...served }: ServedRequest): string =>
  JSON.stringify({ at, kind: 'request', ...served, ms })

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

export const serveApi = async (options: ApiOptions): Promise<RunningApi> => {
  const { clock, cluster, ports, random, settings, write } = options
  const stopped = new AbortController()
  const [access, metrics] = [accessState(), requestMetrics()]
  let isReady = false
  const note = (kind: string, text: string): void => write(JSON.stringify({ at: clock.date(), kind, text }))

  const identity = options.identity((cause) => note('issuer', String(cause)))
  const world = { cluster, clock, random, access, settings, sealing: options.sealing, identity }
  const answer = answering(world)
  const streams = eventStreams({ clock, failed: (cause) => note('defect', String(cause)) })
  const app = apiApp({
    streams,
    answer: (request) => async () => {
      const { answer: given, caller } = await answer(request)()
      return { user: caller?.user.id, answer: given }
    },
    page: answeringPages(world),
    web: options.web,
    url: settings.url,
    proxies: settings.proxies,
    now: clock.now,
    newId: () => hexOf(random.bytes(8)),
    served: (served) => {
      metrics.add(served)
      write(auditLine(clock.date(), served))
    },
    failed: (id, cause) => note('defect', `${id} ${cause instanceof Error ? (cause.stack ?? '') : String(cause)}`),
  })
  const users = await listenForUsers(app, ports.users)
  const page = (path: string): ReturnType<ClusterPage> => {
    if (path === '/livez') return { isWell: true, text: 'ok\n' }
    if (path === '/readyz') return { isWell: isReady, text: isReady ? 'ok\n' : 'not ready\n' }
    return path === '/metrics' ? { isWell: true, text: metrics.text() } : undefined
  }
  const probes = await listenForCluster(page, ports.cluster).catch(async (cause: unknown) => {
    // A program with one of its ports must end, so that it is started again.
    await users.close()
    throw cause
  })
  // It is not ready before it knows who may see what.
  const begin = async (): Promise<void> => {
    await watchAccess({ cluster, clock, signal: stopped.signal }, access, (kind, failure) => {
      if (failure !== undefined) note('watch', `${kind} ${failure._tag}`)
    })
    isReady = !stopped.signal.aborted
    if (settings.identity.isInsecure) note('warning', 'the issuer may be reached by plain HTTP: use it for trials only')
    note('start', `listening on port ${users.port}`)
  }
  void begin()
  const swept = clock.every(SWEEP_MS, () => void sweep(world)())
  return {
    port: users.port,
    clusterPort: probes.port,
    stop: async (drainMs) => {
      isReady = false
      await clock.sleep(drainMs)
      stopped.abort()
      swept()
      streams.end()
      const spare = clock.after(LAST_MS, users.cut)
      await users.close()
      spare()
      probes.cut()
      await probes.close()
      cluster.close()
      note('end', 'stopped')
    },
  }
}
