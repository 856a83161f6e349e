/** A platform with its built pages, a real issuer, and a cluster in memory with running services. */
import { readWebFiles } from '../../../src/adapters/api-server/web-files.ts'
import { oidcIdentity } from '../../../src/adapters/login/issuer.ts'
import { jweSealing } from '../../../src/adapters/login/sealing.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { RUN_CONTAINER, showRunLine } from '../../../src/domain/platform/run/log.ts'
import { type EndedStatus, recordObject } from '../../../src/domain/platform/run/record.ts'
import type { RunningApi } from '../../../src/server/serve.ts'
import { type MemoryCluster, memoryCluster } from '../../memory/cluster.ts'
import { freePort } from '../process/ports.ts'
import { startApi, untilReady } from './api.ts'
import { testIssuer } from './issuer.ts'
import { live, pagesObjects, putToSleep } from './pages-objects.ts'
import { settings } from './world.ts'

export type PagesPlatform = {
  readonly url: string
  readonly cluster: MemoryCluster
  /** Adds to the log of the run in progress. */
  readonly say: (lines: ReadonlyArray<string>) => void
  /** Ends the run in progress. */
  readonly end: (status?: EndedStatus) => void
  /** Ends all connections and accepts no new ones, until it is started again. */
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
  readonly close: () => Promise<void>
}

export const pagesPlatform = async (files: string): Promise<PagesPlatform> => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const redirect = `${url}/oidc/callback`
  const issuer = await testIssuer(redirect)
  const admission = { admins: ['root@example.com'], domains: ['example.com'], groups: [] }
  const cluster = memoryCluster({ objects: pagesObjects(issuer.issuer) })
  await putToSleep(cluster)
  const served = async (): Promise<RunningApi> => {
    const api = await startApi({
      cluster,
      settings: { ...settings, url, admission },
      sealing: jweSealing('key', systemClock),
      identity: (failed) => oidcIdentity({ ...issuer, isInsecure: true, redirect }, failed),
      web: readWebFiles(files),
      ports: { users: port, cluster: 0 },
    })
    await untilReady(api)
    return api
  }
  let [api, count] = [await served(), 0]
  return {
    url,
    cluster,
    say: (texts) => {
      const lines = texts.map((text, index) => showRunLine({ n: count + index + 1, at: '2026-11-21T09:00:06Z', text }))
      count += texts.length
      cluster.say(`${live.namespace}/live`, RUN_CONTAINER, lines)
    },
    end: (status = 'succeeded') => {
      cluster.put(recordObject({ ...live, status, ended: '2026-11-21T09:03:00Z', exitStatus: 0 }))
      cluster.endLogs(`${live.namespace}/live`)
    },
    stop: () => api.stop(0),
    start: async () => {
      api = await served()
    },
    close: async () => {
      await api.stop(0)
      issuer.close()
    },
  }
}
