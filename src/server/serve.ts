/** The API server: watches the access of users, answers requests, and stops without losing any. */
import type { ServedRequest } from '../adapters/api-server/app.ts'
import { apiApp } from '../adapters/api-server/app.ts'
import { type ClusterPage, listenForCluster, listenForUsers } from '../adapters/api-server/listen.ts'
import { eventStreams } from '../adapters/api-server/streams.ts'
import type { WebFiles } from '../adapters/api-server/web-files.ts'
import { answering } from '../app/platform/answer.ts'
import { answeringPages } from '../app/platform/pages.ts'
import { unbindExceeding } from '../app/platform/scoped-accounts.ts'
import { sweep } from '../app/platform/sweep.ts'
import { watchAccess } from '../app/platform/watching.ts'
import type { BuilderAccess } from '../app/platform/world.ts'
import { accessState } from '../domain/platform/access.ts'
import type { PlatformSettings } from '../domain/platform/settings.ts'
import type { Clock } from '../ports/clock.ts'
import type { Cluster } from '../ports/cluster.ts'
import type { IdentityIssuer } from '../ports/identity.ts'
import type { Random } from '../ports/random.ts'
import type { Sealing } from '../ports/sealing.ts'
import { requestMetrics } from './metrics.ts'

/** `write`: writes a line to the log. `ports`: 0 for any. */
export type ApiOptions = {
  readonly cluster: Cluster
  readonly clock: Clock
  readonly random: Random
  readonly settings: PlatformSettings
  readonly sealing: Sealing
  /** The web pages. */
  readonly web: WebFiles
  readonly builder?: BuilderAccess | undefined
  /** `failed`: why the issuer did not answer, for the log. */
  readonly identity: (failed: (cause: unknown) => void) => IdentityIssuer
  readonly ports: { readonly users: number; readonly cluster: number }
  readonly write: (line: string) => void
}

export type RunningApi = {
  readonly port: number
  readonly clusterPort: number
  /** `drainMs`: how long requests are still accepted, until none are sent any more. */
  readonly stop: (drainMs: number) => Promise<void>
}

/** How long the remaining requests may take at the end. */
const LAST_MS = 20_000

/** How often expired objects are deleted. */
const SWEEP_MS = 600_000

/** How often tokens lose what their users have lost, if a replica ended before it could see to that. */
const EXCEEDING_MS = 5000

/** Who did what, and with which result, but never the content. */
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
  const { builder, sealing } = options
  const world = { cluster, clock, random, access, settings, sealing, identity, builder, note }
  const answer = answering(world)
  const streams = eventStreams({ clock, failed: (cause) => note('defect', String(cause)) })
  const app = apiApp({
    answer,
    streams,
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
    failed: (id, cause) =>
      cause instanceof Error ? note('defect', `${id} ${cause.stack ?? ''}`) : note('cluster', `${id} ${String(cause)}`),
  })
  const users = await listenForUsers(app, ports.users)
  const page = (path: string): ReturnType<ClusterPage> => {
    if (path === '/livez') return { isWell: true, text: 'ok\n' }
    if (path === '/readyz') return { isWell: isReady, text: isReady ? 'ok\n' : 'not ready\n' }
    return path === '/metrics' ? { isWell: true, text: metrics.text() } : undefined
  }
  const probes = await listenForCluster(page, ports.cluster).catch(async (cause: unknown) => {
    // A program with only one of its ports must end, so that it is restarted.
    await users.close()
    throw cause
  })
  // It is not ready before the access of users is known.
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
  // An incomplete list would show tokens without users.
  const lowered = clock.every(EXCEEDING_MS, () => void (isReady && unbindExceeding(world)()))
  return {
    port: users.port,
    clusterPort: probes.port,
    stop: async (drainMs) => {
      isReady = false
      await clock.sleep(drainMs)
      stopped.abort()
      swept()
      lowered()
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
