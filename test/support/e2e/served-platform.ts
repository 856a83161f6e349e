/** The programs of a platform in this process, and the command against them, by a person who has logged in. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { root } from '../../../scripts/command.ts'
import { readWebFiles } from '../../../src/adapters/api-server/web-files.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { Json } from '../../../src/domain/cluster/json.ts'
import type { Cluster } from '../../../src/ports/cluster.ts'
import { type ControlOptions, runController } from '../../../src/server/control.ts'
import { type RunningApi, serveApi } from '../../../src/server/serve.ts'
import { done } from '../../contract/cluster-world.ts'
import { openSealing, settings, trustingIdentity } from '../platform/world.ts'
import { freePort } from '../process/ports.ts'
import { until } from '../process/until.ts'
import { type CommandResult, type RunningCommand, shown, startDevtool } from './command.ts'
import { type GitServer, withGitServer } from './git-server.ts'
import { joined, withRights } from './platform.ts'
import { programs } from './platform-runs.ts'
import { DOMAIN, keyOf } from './platform-world.ts'

const ISSUER = 'https://login.example.com'
const agent = 'node:22.23-bookworm-slim'
export const host = process.env['DEVTOOL_E2E_HOST'] ?? ''

type Answer = { readonly status: number; readonly json: Json }

export type Commands = {
  readonly env: Readonly<Record<string, string>>
  /** A request to the API. */
  readonly send: (method: string, path: string, body?: Json) => Promise<Answer>
  /** In the namespace of this name. */
  readonly start: (namespace: string, ...words: ReadonlyArray<string>) => RunningCommand
  readonly must: (namespace: string, ...words: ReadonlyArray<string>) => Promise<CommandResult>
}

/** Its commands are those of Ann, who is an administrator. */
export type ServedWorld = Commands & {
  readonly cluster: Cluster
  /** With the account of the API server. */
  readonly api: Cluster
  readonly url: string
  readonly git: GitServer
  /** In which commands are run. */
  readonly folder: string
  /** Of a person who has just logged in for the first time, and is no administrator. */
  readonly by: (person: string) => Promise<Commands>
  /** With this token. */
  readonly withToken: (token: string) => Commands
  /** Stops the API server, and starts it again at the same address. */
  readonly again: () => Promise<void>
}

/** A file, or the certificates themselves. */
const pemOf = (authority = ''): string =>
  existsSync(authority) ? readFileSync(authority, 'utf8') : Buffer.from(authority, 'base64').toString()

const served = async (api: Cluster, port: number): Promise<RunningApi> => {
  const kubernetes = { server: api.server, authority: pemOf(api.authority) }
  const server = await serveApi({
    // It is closed by whoever opened it.
    cluster: { ...api, close: () => {} },
    clock: systemClock,
    random: { bytes: randomBytes },
    settings: { ...settings, ...programs, url: `http://127.0.0.1:${port}`, kubernetes },
    sealing: openSealing(systemClock),
    identity: () => trustingIdentity,
    web: readWebFiles(join(root, 'dist/platform/web')),
    ports: { users: port, cluster: 0 },
    write: () => {},
  })
  await until('it is ready', async () => (await fetch(`http://127.0.0.1:${server.clusterPort}/readyz`)).ok)
  return server
}

export const withServed = (
  use: (world: ServedWorld) => Promise<void>,
  sleeping: Pick<ControlOptions, 'sleepAfterSeconds'> = {},
): Promise<void> =>
  withRights(DOMAIN, ({ api, cluster, controller }) =>
    withGitServer(host, async (git) => {
      const [folder, port] = [mkdtempSync(join(tmpdir(), 'devtool-previews-')), await freePort()]
      const options = { cluster: controller, clock: systemClock, programs, holder: 'one', write: () => {}, ...sleeping }
      const control = runController(options)
      let server = await served(api, port)
      try {
        const commandsOf = (token: string): Commands => {
          const env = {
            PATH: process.env['PATH'] ?? '',
            HOME: mkdtempSync(join(folder, 'home-')),
            NO_COLOR: '1',
            DEVTOOL_TOKEN: token,
            DEVTOOL_AGENT_IMAGE: agent,
            DEVTOOL_CONTEXT: `http://127.0.0.1:${port}`,
          }
          const start: Commands['start'] = (namespace, ...words) =>
            startDevtool(words, { cwd: folder, env: { ...env, DEVTOOL_NAMESPACE: namespace } })
          const must: Commands['must'] = async (namespace, ...words) => {
            const result = await start(namespace, ...words).ended
            assert.is(result.status, 0, `${words.join(' ')}\n${shown(result)}`)
            return result
          }
          const send: Commands['send'] = async (method, path, body) => {
            const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
              method,
              headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
              ...(body === undefined ? {} : { body: JSON.stringify(body) }),
            })
            const text = await answer.text()
            return { status: answer.status, json: text === '' ? {} : JSON.parse(text) }
          }
          return { env, send, start, must }
        }
        const by = async (person: string): Promise<Commands> => commandsOf(await joined(api, ISSUER, person))
        const ann = commandsOf(await joined(api, ISSUER, 'ann', true))
        const again = async (): Promise<void> => {
          await server.stop(0)
          server = await served(api, port)
        }
        const url = `http://127.0.0.1:${port}`
        await use({ ...ann, cluster, api, url, folder, git, by, withToken: commandsOf, again })
      } finally {
        await control.stop()
        await server.stop(0)
        rmSync(folder, { recursive: true, force: true })
      }
    }),
  )

export const removed = (cluster: Cluster, name: string) =>
  done(cluster.remove(keyOf('Namespace', name), { propagation: 'Background' }))
