/** The API server of the platform in this process, over any cluster. */
import { randomBytes } from 'node:crypto'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { type ApiOptions, type RunningApi, serveApi } from '../../../src/server/serve.ts'
import { until } from '../process/until.ts'
import { openSealing, settings, trustingIdentity, web } from './world.ts'

type TestApiOptions = Partial<ApiOptions> & Pick<ApiOptions, 'cluster'>

/** With the settings of the test platform and an issuer that accepts everybody, on free ports. */
export const startApi = (options: TestApiOptions): Promise<RunningApi> =>
  serveApi({
    clock: systemClock,
    random: { bytes: randomBytes },
    settings,
    sealing: openSealing(systemClock),
    identity: () => trustingIdentity,
    web,
    ports: { users: 0, cluster: 0 },
    write: () => {},
    ...options,
  })

export const untilReady = ({ clusterPort }: RunningApi): Promise<void> =>
  until('it is ready', async () => (await fetch(`http://127.0.0.1:${clusterPort}/readyz`)).ok)
