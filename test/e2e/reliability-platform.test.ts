/**
 * The platform while the API server of its cluster is frozen, and while the clocks of its programs differ by minutes:
 * logins, namespaces and runs are neither lost nor made twice. A client repeats what was not answered, as the command
 * does.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { clusterClock } from '../../src/app/platform/cluster-clock.ts'
import { at, type Json, listAt, textAt } from '../../src/domain/cluster/json.ts'
import { resources } from '../../src/domain/cluster/resources.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { runController } from '../../src/server/control.ts'
import { done } from '../contract/cluster-world.ts'
import { frozen, noFaults } from '../support/e2e/cluster-fault.ts'
import { type GitServer, withGitServer } from '../support/e2e/git-server.ts'
import { joined, withRights } from '../support/e2e/platform.ts'
import { host, manifest, programs } from '../support/e2e/platform-runs.ts'
import { fresh } from '../support/e2e/platform-world.ts'
import { startApi, untilReady } from '../support/platform/api.ts'
import { openSealing, settings } from '../support/platform/world.ts'
import { until } from '../support/process/until.ts'

const [RUNS, SPACES, TICKS] = [3, 4, 5]
const ISSUER = 'https://login.example.com'

type Answer = { readonly status: number; readonly json: Json; readonly text: string }
/** Asks one replica after the other, until one of them does not fail. */
type Ask = (method: string, path: string, body?: Json, key?: string) => Promise<Answer>

type World = {
  readonly ask: Ask
  readonly git: GitServer
  /** The names of namespaces that are there in the end. */
  readonly names: ReadonlyArray<string>
}

const asking = (ports: ReadonlyArray<number>, token: string): Ask => {
  let turn = 0
  return async (method, path, body, key) => {
    let last: Answer = { status: 0, json: null, text: '' }
    await until(`${method} ${path} is answered`, async () => {
      const port = ports[(turn += 1) % ports.length]
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      }
      try {
        const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
          method,
          headers,
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        const text = await answer.text()
        const isJson = (answer.headers.get('content-type') ?? '').includes('json')
        last = { status: answer.status, json: isJson ? JSON.parse(text) : null, text }
      } catch {
        return false
      }
      if (last.status === 429 || last.status >= 500) await sleep(500)
      return last.status !== 429 && last.status < 500
    })
    return last
  }
}

/** `aheadMs`: of the two API servers and the two controllers. */
const within = (aheadMs: readonly [number, number], use: (world: World) => Promise<void>): Promise<void> =>
  withRights('apps.example.com', ({ api, cluster, controller }) =>
    withGitServer(host, async (git) => {
      const names = Array.from({ length: SPACES }, (_, index) => fresh(`n${index}`))
      const notes: Array<string> = []
      const skewed = (ms: number): Promise<Clock> => {
        const date = (): string => new Date(Date.now() + ms).toISOString().replace(/\.\d+/, '')
        const own = { ...systemClock, wallMs: () => Date.now() + ms, date }
        return clusterClock(cluster, own, (by) => () => void notes.push(`ahead by ${by} ms`))
      }
      const clocks = [await skewed(aheadMs[0]), await skewed(aheadMs[1])]
      const servers = await Promise.all(
        clocks.map((clock) =>
          startApi({
            cluster: { ...api, close: () => {} },
            clock,
            sealing: openSealing(clock),
            settings: { ...settings, ...programs },
          }),
        ),
      )
      const controllers = clocks.map((clock, index) =>
        runController({ cluster: controller, clock, programs, holder: `c${index}`, write: (line) => notes.push(line) }),
      )
      try {
        for (const server of servers) await untilReady(server)
        const token = await joined(api, ISSUER, 'ann', true)
        const ask = asking(
          servers.map(({ port }) => port),
          token,
        )
        assert.is((await ask('PUT', '/variables/DEVTOOL_GIT_CA', { value: git.authority })).status, 204)
        await use({ ask, git, names })
      } catch (cause) {
        throw new Error(`${String(cause)}\n${notes.join('\n')}`, { cause })
      } finally {
        for (const one of controllers) await one.stop()
        for (const server of servers) await server.stop(0)
        for (const name of names)
          await done(cluster.remove({ resource: resources.Namespace, name }, { propagation: 'Background' }))
      }
    }),
  )

/** The first answer may have been lost with the connection. */
const made = async ({ ask }: World, name: string): Promise<void> => {
  const { json, status } = await ask('POST', '/namespaces', { name })
  assert.ok(status === 201 || status === 409, JSON.stringify(json))
  await until('it is there', async () => (await ask('GET', `/namespaces/${name}`)).status === 200)
}

/** Begins at one replica, and is asked about at the other one. */
const loggedIn = async ({ ask }: World): Promise<void> => {
  for (let count = 0; count < 3; count += 1) {
    const { json } = await ask('POST', '/login/device', { name: 'terminal' })
    const asked = await ask('POST', '/login/device/token', { deviceCode: textAt(json, 'deviceCode') ?? '' })
    assert.equal([asked.status, textAt(asked.json, 'status')], [200, 'pending'], JSON.stringify(asked.json))
  }
}

const started = async ({ ask, git }: World, name: string): Promise<ReadonlyArray<string>> => {
  const command = `for i in $(seq ${TICKS}); do echo tick $i.; sleep 1; done`
  const repository = git.add('shop', manifest(command))
  const ids: Array<string> = []
  for (let index = 0; index < RUNS; index += 1) {
    const body = { name: `run-${index}`, repository }
    let answer: Answer = { status: 0, json: null, text: '' }
    await until('the owner may start runs', async () => {
      answer = await ask('POST', `/namespaces/${name}/pipelines`, body, `key-${index}`)
      return answer.status === 202
    })
    ids.push(textAt(answer.json, 'run', 'id') ?? '')
  }
  return ids
}

/** Every run has run once, and its log has each line once. */
const ended = async ({ ask }: World, name: string, ids: ReadonlyArray<string>): Promise<void> => {
  const path = `/namespaces/${name}/runs`
  let runs: ReadonlyArray<Json> = []
  await until('all runs have ended', async () => {
    runs = listAt((await ask('GET', path)).json, 'runs')
    return runs.every((run) => !['queued', 'running'].includes(textAt(run, 'status') ?? ''))
  })
  assert.equal(
    runs.map((run) => `${textAt(run, 'id')} ${textAt(run, 'status')}`).toSorted(),
    ids.map((id) => `${id} succeeded`).toSorted(),
    JSON.stringify(runs),
  )
  const each = Array.from({ length: TICKS }, (_, index) => index + 1)
  for (const id of ids) {
    const { text } = await ask('GET', `${path}/${id}/log`)
    assert.equal(
      [...text.matchAll(/tick (\d+)\./g)].map(([, number]) => Number(number)),
      each,
      text,
    )
  }
}

const worked = async (world: World, during: () => Promise<void>): Promise<void> => {
  const { ask, names } = world
  const [first = '', ...others] = names
  await made(world, first)
  const ids = await started(world, first)
  const [begin] = [performance.now()]
  await Promise.all([during(), loggedIn(world), ...others.map((name) => made(world, name)), ended(world, first, ids)])
  process.stdout.write(`  all of it took ${((performance.now() - begin) / 1000).toFixed(1)} s\n`)
  const { json } = await ask('GET', '/namespaces')
  assert.equal(
    listAt(json, 'namespaces')
      .map((one) => textAt(one, 'name') ?? '')
      .toSorted(),
    [...names].toSorted(),
  )
  for (const one of listAt(json, 'namespaces')) assert.equal([at(one, 'role'), at(one, 'status')], ['owner', 'Active'])
}

if (noFaults === undefined) {
  test('no run is lost or done twice while the API server of the cluster is frozen twice', () =>
    within([0, 0], (world) =>
      worked(world, async () => {
        for (const ms of [8000, 8000]) {
          await frozen(['kube-apiserver'], () => sleep(ms))
          await sleep(2000)
        }
      }),
    ))
}

test('no run is lost or done twice when the clock of one node is ten minutes ahead and that of the other ten behind', () =>
  within([600_000, -600_000], (world) => worked(world, async () => {})))

test.run()
