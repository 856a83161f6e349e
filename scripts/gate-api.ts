/**
 * `npm run gate:api [-- --cluster] [--examples=15] [--seed=1]`: asks the API of a platform as the OpenAPI document allows
 * and as it does not, with schemathesis (PyPI), which $SCHEMATHESIS or the path names: as an administrator, as a member
 * and as nobody. Fails at an answer of the kind 5xx, and at each that the document does not have. The platform runs in
 * this process, over a cluster in memory, or with `--cluster` over that of $KUBECONFIG.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../src/adapters/system/clock.ts'
import { type Json, objectAt, textAt } from '../src/domain/cluster/json.ts'
import { resources } from '../src/domain/cluster/resources.ts'
import { EPOCH_ANNOTATION } from '../src/domain/k8s/labels.ts'
import { tokenObject, userObject } from '../src/domain/platform/account.ts'
import { USERS_NAMESPACE, userIdOf } from '../src/domain/platform/names.ts'
import { showToken, TOKEN_BYTES, tokenFrom } from '../src/domain/platform/token.ts'
import type { Cluster } from '../src/ports/cluster.ts'
import { done, manager } from '../test/contract/cluster-world.ts'
import { memoryCluster } from '../test/memory/cluster.ts'
import { withRights } from '../test/support/e2e/platform.ts'
import { fresh } from '../test/support/e2e/platform-world.ts'
import { startApi, untilReady } from '../test/support/platform/api.ts'
import { until } from '../test/support/process/until.ts'
import { root } from './command.ts'

const given = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
const program = process.env['SCHEMATHESIS'] ?? 'schemathesis'
const say = (text: string): boolean => process.stdout.write(`${text}\n`)

const ISSUER = 'https://login.example.com'
const [shop, doomed] = [fresh('shop'), fresh('doomed')]

/** After these, accounts and tokens are brought back, so that the next request is not that of nobody. */
const ending = new Set(['revokeOwn', 'endSession', 'deleteToken', 'setUser', 'deleteUser', 'revokeUser'])

type Person = { readonly token: string; readonly restore: () => Promise<void> }

const place = { namespace: USERS_NAMESPACE }

const joined = async (cluster: Cluster, name: string, isAdmin: boolean): Promise<Person> => {
  const [id, token] = [userIdOf(ISSUER, name), tokenFrom(randomBytes(TOKEN_BYTES))]
  const user = { id, email: `${name}@example.com`, isAdmin, isDisabled: false }
  const account = userObject(user, { issuer: ISSUER, subject: name })
  const scope = { _tag: 'All' } as const
  const secret = tokenObject(token, { user: id, name: 'test', scope, expires: '2100-01-01T00:00:00Z' })
  const annotations = { ...objectAt(account, 'metadata', 'annotations'), [EPOCH_ANNOTATION]: null }
  const restore = async (): Promise<void> => {
    await cluster.create({ resource: resources.ServiceAccount, ...place }, account, { manager })()
    await cluster.create({ resource: resources.Secret, ...place }, secret, { manager })()
    await done(
      cluster.merge(
        { resource: resources.ServiceAccount, ...place, name: id },
        { metadata: { annotations } },
        { manager },
      ),
    )
  }
  await restore()
  return { token: showToken(token), restore }
}

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'unsupported_method',
  'allow_header_conformance',
  'missing_required_header',
  'negative_data_rejection',
]

/** Things that are there, among those that schemathesis makes up. */
const config = (run: string): string => {
  const values = {
    run: [run],
    namespace: [shop],
    doomed: [doomed],
    user: ['member@example.com', userIdOf(ISSUER, 'member'), userIdOf(ISSUER, 'other')],
    name: ['COLOR', 'web'],
  }
  const often = (name: string): string => `{ dictionary = "${name}", probability = 0.7 }`
  return [
    ...Object.entries(values).map(([name, all]) => `[dictionaries.${name}]\nvalues = ${JSON.stringify(all)}`),
    '[parameters]',
    ...['namespace', 'user', 'name', 'run'].map((name) => `"path.${name}" = ${often(name)}`),
    `"body.namespace" = ${often('namespace')}`,
    '[[operations]]',
    'include-operation-id = "deleteNamespace"',
    `parameters = { "path.namespace" = ${often('doomed')} }`,
  ].join('\n')
}

const ended = (child: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status) => resolve(status ?? 1))
  })

const tested = (port: number, folder: string, token: string | undefined): Promise<number> => {
  const words = [
    ...['--config-file', join(folder, 'schemathesis.toml'), '--no-color'],
    ...['run', join(root, 'docs/openapi.json'), '--url', `http://127.0.0.1:${port}`],
    ...['--checks', checks.join(), '--max-examples', given('examples') ?? '15', '--seed', given('seed') ?? '1'],
    ...['--generation-database', 'none', '--continue-on-failure', '--warnings', 'off'],
    ...(token === undefined ? [] : ['--header', `Authorization: Bearer ${token}`]),
  ]
  return ended(spawn(program, words, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] }))
}

type Answer = { readonly status: number; readonly json: Json }

const ask = async (port: number, token: string, method: string, path: string, body?: Json): Promise<Answer> => {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, json: text === '' ? null : JSON.parse(text) }
}

const must = async (...asked: Parameters<typeof ask>): Promise<Json> => {
  const { json, status } = await ask(...asked)
  if (status >= 300) throw new Error(`${asked[2]} ${asked[3]}: ${status} ${JSON.stringify(json)}`)
  return json
}

/** The namespaces with members, and the id of a run. */
const furnished = async (port: number, token: string): Promise<string> => {
  for (const name of [shop, doomed]) {
    await must(port, token, 'POST', '/namespaces', { name })
    await until('it is known', async () => (await ask(port, token, 'GET', `/namespaces/${name}`)).status === 200)
    await must(port, token, 'PUT', `/namespaces/${name}/members/member@example.com`, { role: 'owner' })
  }
  const pipeline = { repository: 'https://git.example.com/shop.git', name: 'web' }
  let answer: Answer = { status: 0, json: null }
  // Kubernetes takes a moment for the rights of an owner.
  await until('a run is queued', async () => {
    answer = await ask(port, token, 'POST', `/namespaces/${shop}/pipelines`, pipeline)
    return answer.status === 202
  })
  return textAt(answer.json, 'run', 'id') ?? ''
}

/** How often each route gave each status. */
const counted = () => {
  const byRoute = new Map<string, Map<number, number>>()
  return {
    add: (route: string, status: number): void => {
      const counts = byRoute.get(route) ?? new Map<number, number>()
      byRoute.set(route, counts.set(status, (counts.get(status) ?? 0) + 1))
    },
    text: (): string => {
      const shown = (counts: ReadonlyMap<number, number>): string =>
        [...counts]
          .toSorted(([a], [b]) => a - b)
          .map(([status, count]) => `${status}×${count}`)
          .join(' ')
      return [...byRoute]
        .toSorted(([a], [b]) => a.localeCompare(b))
        .map(([route, counts]) => `${route.padEnd(24)} ${shown(counts)}`)
        .join('\n')
    },
  }
}

const gate = async (api: Cluster): Promise<boolean> => {
  const folder = mkdtempSync(join(tmpdir(), 'gate-api-'))
  // Only the number of requests in a second is not tried.
  const clock = { ...systemClock, now: () => systemClock.now() * 1000 }
  const people = { member: await joined(api, 'member', false), admin: await joined(api, 'admin', true) }
  const [failures, answers]: [Array<string>, ReturnType<typeof counted>] = [[], counted()]
  const write = (line: string): void => {
    const { kind, route, status } = JSON.parse(line)
    if (kind === 'request') answers.add(route, status)
    if (kind === 'request' && ending.has(route) && status < 300)
      for (const { restore } of Object.values(people)) void restore()
    if (kind === 'defect') failures.push(line)
  }
  const server = await startApi({ cluster: { ...api, close: () => {} }, clock, write })
  const { port } = server
  try {
    await untilReady(server)
    await joined(api, 'other', false)
    writeFileSync(join(folder, 'schemathesis.toml'), config(await furnished(port, people.admin.token)))
    const failed: Array<string> = []
    for (const [who, person] of Object.entries({ nobody: undefined, ...people })) {
      say(`\nas ${who}`)
      if ((await tested(port, folder, person?.token)) !== 0) failed.push(who)
      if (person !== undefined) await must(port, person.token, 'GET', '/me')
    }
    const isWell = failed.length === 0 && failures.length === 0
    const result = isWell ? 'passed' : `failed as ${failed.join(', ')}`
    say([answers.text(), ...failures.slice(0, 50), result].join('\n'))
    return isWell
  } finally {
    await server.stop(0)
    rmSync(folder, { recursive: true })
  }
}

if (spawnSync(program, ['--version']).status !== 0) {
  say(
    'schemathesis is not installed: python3 -m venv VENV && VENV/bin/pip install schemathesis, then SCHEMATHESIS=VENV/bin/schemathesis',
  )
  process.exit(1)
}

const namespaceCalled = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })

let isWell = false
if (process.argv.includes('--cluster')) {
  await withRights('apps.example.com', async ({ api, cluster }) => {
    try {
      isWell = await gate(api)
    } finally {
      for (const name of [shop, doomed])
        await done(cluster.remove({ resource: resources.Namespace, name }, { propagation: 'Background' }))
    }
  })
} else {
  isWell = await gate(memoryCluster({ objects: ['devtool-system', 'devtool-users'].map(namespaceCalled) }))
}
process.exitCode = isWell ? 0 : 1
