/**
 * What the API server and the controller of a platform cost with many namespaces: `tsx scripts/bench-platform.ts [--namespaces=2000]
 * [--write]`. Fills the cluster of $KUBECONFIG with the objects of the platform, which stay there: it is for a control
 * plane of its own, without nodes. Starts the built program against it, on the ports 8080 and 9090 of this machine.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { arch, cpus, loadavg, platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '../src/domain/cluster/json.ts'
import { at, listAt, textAt } from '../src/domain/cluster/json.ts'
import type { Resource } from '../src/domain/cluster/resources.ts'
import { resources } from '../src/domain/cluster/resources.ts'
import { tokenObject, userObject } from '../src/domain/platform/account.ts'
import { rights } from '../src/domain/platform/manifests/rights.ts'
import { accountOf, SCOPED_NAMESPACE, USERS_NAMESPACE, userIdOf } from '../src/domain/platform/names.ts'
import { deletionChange } from '../src/domain/platform/namespace/deletion.ts'
import { namespaceObject } from '../src/domain/platform/namespace/objects.ts'
import { showToken, TOKEN_BYTES, tokenFrom } from '../src/domain/platform/token.ts'
import { done } from '../test/contract/cluster-world.ts'
import { connectReal } from '../test/support/e2e/real-cluster.ts'
import { API_URL, isReady, manager, p95, putting, sending, startApi, startController } from './bench-platform-api.ts'
import { putNamespace, putRecords } from './bench-platform-fill.ts'
import { root } from './command.ts'
import { processorMs, residentMb } from './process-use.ts'
import { withSection } from './section.ts'

const flag = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
const count = Number(flag('namespaces') ?? 2000)

const ISSUER = 'https://login.example.com'
const owners = Array.from({ length: 20 }, (_, index) => `owner-${index}`)
const administrators = Array.from({ length: 10 }, (_, index) => `administrator-${index}`)
/** Every so many namespaces there is the record of a run. */
const RUN_EVERY = 5
const makers = Array.from({ length: 10 }, (_, index) => `maker-${randomBytes(3).toString('hex')}-${index}`)
const userOf = (person: string) => ({
  id: userIdOf(ISSUER, person),
  email: `${person}@example.com`,
  isAdmin: false,
  isDisabled: false,
})

const cluster = await connectReal()

const put = putting(cluster)

const inParallel = async <A>(
  items: ReadonlyArray<A>,
  atOnce: number,
  run: (item: A) => Promise<void>,
): Promise<void> => {
  const left = [...items]
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let item = left.shift(); item !== undefined; item = left.shift()) await run(item)
    }),
  )
}

const nameOf = (index: number): string => `team-${String(index).padStart(5, '0')}`
const ownerOf = (index: number): string => owners[index % owners.length] ?? ''

/** Some of each kind, and what deploys and runs leave in them. */
const fillOne = async (index: number): Promise<void> => {
  const [name, owner] = [nameOf(index), userOf(ownerOf(index))]
  await putNamespace(put, name, [owner, userOf(ownerOf(index + 1))])
  await putRecords(put, name, owner, index % RUN_EVERY === 0)
}

const tokenFor = async (person: string, isAdmin = false): Promise<{ readonly text: string; readonly id: string }> => {
  const token = tokenFrom(randomBytes(TOKEN_BYTES))
  const about = {
    user: userOf(person).id,
    name: 'bench',
    scope: { _tag: 'All' },
    expires: '2100-01-01T00:00:00Z',
  } as const
  await put(
    'ServiceAccount',
    userObject({ ...userOf(person), isAdmin }, { issuer: ISSUER, subject: person }),
    USERS_NAMESPACE,
  )
  await put('Secret', tokenObject(token, about), USERS_NAMESPACE)
  return { text: showToken(token), id: token.id }
}

const plainNamespace = (name: string): JsonObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })

const fill = async (): Promise<number> => {
  const begin = performance.now()
  for (const name of ['devtool-system', USERS_NAMESPACE, SCOPED_NAMESPACE]) await put('Namespace', plainNamespace(name))
  for (const right of rights) {
    const { namespace } = right.metadata
    await put(right.kind, JSON.parse(JSON.stringify(right)), namespace)
  }
  await inParallel(
    Array.from({ length: count }, (_, index) => index),
    16,
    fillOne,
  )
  return (performance.now() - begin) / 1000
}

const folder = mkdtempSync(join(tmpdir(), 'bench-platform-'))

const send = sending(API_URL)

const timed = async (run: () => Promise<unknown>): Promise<number> => {
  const begin = performance.now()
  await run()
  return performance.now() - begin
}

/** Sequentially, as each user in turn: the API limits the requests of a single user. */
const timesOf = async (
  tokens: ReadonlyArray<string>,
  rounds: number,
  run: (token: string, index: number) => Promise<unknown>,
): Promise<ReadonlyArray<number>> => {
  const times: Array<number> = []
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, token] of tokens.entries()) times.push(await timed(() => run(token, index)))
  }
  return times
}

/** Waits until Kubernetes allows the new owner to write in it. */
const created = async (token: string, person: string): Promise<void> => {
  const name = `made-${randomBytes(4).toString('hex')}`
  await send('POST', '/namespaces', token, { name })
  const own = cluster.as({ user: accountOf(userOf(person).id) })
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'first' } }
  while ((await own.create({ resource: resources.ConfigMap, namespace: name }, body, { manager })())._tag === 'Left') {
    await sleep(20)
  }
}

const tokenReviews: Resource = {
  ...resources.RoleBinding,
  group: 'authentication.k8s.io',
  plural: 'tokenreviews',
  kind: 'TokenReview',
  isNamespaced: false,
}

const isTaken = async (token: string): Promise<boolean> => {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } }
  return (
    at(await done(cluster.create({ resource: tokenReviews }, body, { manager })), 'status', 'authenticated') === true
  )
}

/** From the revocation of a token until Kubernetes rejects the token that was issued for it. */
const revoked = async (person: string): Promise<number> => {
  const { id, text } = await tokenFor(person)
  const credential = textAt(await send('POST', '/kubernetes/token', text), 'token') ?? ''
  if (!(await isTaken(credential))) throw new Error('the token is not taken at all')
  const begin = performance.now()
  await send('DELETE', `/tokens/${id}`, text)
  while (await isTaken(credential)) await sleep(100)
  return (performance.now() - begin) / 1000
}

type Row = readonly [what: string, value: string, target: string, isMet: boolean]

/** How long a namespace that is to be deleted waits for the controller, in seconds. */
const tended = async (): Promise<number> => {
  const [name, owner] = [`gone-${randomBytes(4).toString('hex')}`, userOf('owner-0')]
  const key = { resource: resources.Namespace, name }
  await put('Namespace', namespaceObject(name, 'namespace', owner.id))
  const live = await done(cluster.get(key))
  if (live === undefined) throw new Error(`there is no namespace ${name}`)
  const deletion = { user: owner.id, email: owner.email, since: new Date().toISOString(), force: true }
  const begin = performance.now()
  await done(cluster.merge(key, deletionChange(live, 'Deleting', deletion), { manager }))
  for (;;) {
    const now = await done(cluster.get(key))
    if (now === undefined || textAt(now, 'metadata', 'deletionTimestamp') !== undefined) break
    await sleep(20)
  }
  return (performance.now() - begin) / 1000
}

const IDLE_SECONDS = 60

const measureController = async (): Promise<ReadonlyArray<Row>> => {
  const begin = performance.now()
  const controller = startController()
  try {
    await tended()
    const start = (performance.now() - begin) / 1000
    const before = processorMs(controller.pid)
    await sleep(IDLE_SECONDS * 1000)
    const idle = (processorMs(controller.pid) - before) / 1000
    const times: Array<number> = []
    for (let round = 0; round < 10; round += 1) times.push(await tended())
    const [rss, slowest] = [residentMb(controller.pid), Math.max(...times)]
    return [
      ['controller: start until the first namespace is tended', `${start.toFixed(1)} s`, '', true],
      ['controller: processor time in a minute without changes', `${idle.toFixed(1)} s`, '', true],
      ['controller: memory', `${rss.toFixed(0)} MB`, '', true],
      ['controller: namespace to be deleted until it is, slowest of 10', `${slowest.toFixed(2)} s`, '', true],
    ]
  } finally {
    // It gives the Lease up, for which the next one would wait.
    controller.kill('SIGTERM')
  }
}

const measure = async (): Promise<ReadonlyArray<Row>> => {
  const filled = await fill()
  process.stdout.write(`filled with ${count} namespaces in ${filled.toFixed(0)} s\n`)
  const tokens = await Promise.all(owners.map(async (owner) => (await tokenFor(owner)).text))
  const begin = performance.now()
  const api = startApi(folder, ISSUER)
  try {
    while (!(await isReady())) {
      if (api.exitCode !== null) throw new Error('the API server ended')
      await sleep(20)
    }
    const start = (performance.now() - begin) / 1000
    const rss = residentMb(api.pid)
    const lists = await timesOf(tokens, 10, async (token) => {
      const { length } = listAt(await send('GET', '/namespaces?limit=50', token), 'namespaces')
      if (length !== Math.min(50, Math.floor((count / owners.length) * 2))) throw new Error(`${length} namespaces`)
    })
    const administering = await Promise.all(administrators.map(async (one) => (await tokenFor(one, true)).text))
    const searched = nameOf(count - 1)
    const all = await timesOf(administering, 10, async (token) => {
      const { length } = listAt(await send('GET', '/admin/namespaces?limit=50', token), 'namespaces')
      if (length !== Math.min(50, count)) throw new Error(`${length} of all namespaces`)
    })
    const found = await timesOf(administering, 10, async (token) => {
      const { length } = listAt(await send('GET', `/admin/namespaces?q=${searched}`, token), 'namespaces')
      if (length !== 1) throw new Error(`${length} namespaces are called ${searched}`)
    })
    const members = await timesOf(tokens, 10, (token, index) =>
      send('GET', `/namespaces/${nameOf(index)}/members`, token),
    )
    const making = await Promise.all(makers.map(async (maker) => (await tokenFor(maker)).text))
    const creations = await timesOf(making, 3, (token, index) => created(token, makers[index] ?? ''))
    const revocations: Array<number> = []
    for (const owner of owners.slice(0, 5)) revocations.push(await revoked(owner))
    const slowest = Math.max(...revocations)
    const after = residentMb(api.pid)
    return [
      ['start to ready', `${start.toFixed(1)} s`, '≤ 10 s', start <= 10],
      ['memory when ready', `${rss.toFixed(0)} MB`, '≤ 250 MB', rss <= 250],
      ['memory after all requests', `${after.toFixed(0)} MB`, '≤ 250 MB', after <= 250],
      ['list of 50 namespaces, p95', `${p95(lists).toFixed(0)} ms`, '≤ 50 ms', p95(lists) <= 50],
      ['list of 50 of all namespaces, by administrators, p95', `${p95(all).toFixed(0)} ms`, '≤ 50 ms', p95(all) <= 50],
      [
        'search among all namespaces, by administrators, p95',
        `${p95(found).toFixed(0)} ms`,
        '≤ 50 ms',
        p95(found) <= 50,
      ],
      ['list of members, p95', `${p95(members).toFixed(0)} ms`, '≤ 50 ms', p95(members) <= 50],
      [
        'namespace created until its owner may write, p95',
        `${(p95(creations) / 1000).toFixed(2)} s`,
        '≤ 3 s',
        p95(creations) <= 3000,
      ],
      ['token revoked until Kubernetes refuses, slowest of 5', `${slowest.toFixed(1)} s`, '≤ 15 s', slowest <= 15],
    ]
  } finally {
    api.kill('SIGKILL')
  }
}

const namespaces = `${count.toLocaleString('en')} namespaces`
const machine = `Node ${process.version}, ${platform()} ${arch()}, ${cpus().length} × ${(cpus()[0]?.model ?? '').split(' ').slice(0, 2).join(' ')}`

try {
  const load = loadavg()[0] ?? 0
  const rows = [...(await measure()), ...(await measureController())]
  const table = [
    `Measured on ${new Date().toISOString().slice(0, 10)} by \`npm run bench:platform -- --namespaces=${count}\`: the API server and the controller with ${namespaces} of two members each, the record of an environment in each and that of a run in one of ${RUN_EVERY}, on a control plane without nodes on the same machine. ${machine}, load ${load.toFixed(1)}`,
    '',
    '| what | measured | target |',
    '|---|---:|---:|',
    ...rows.map(([what, value, target, isMet]) => `| ${what} | ${value} | ${isMet ? '' : '**missed** '}${target} |`),
  ].join('\n')
  process.stdout.write(`${table}\n`)
  if (process.argv.includes('--write')) {
    const path = join(root, 'docs/performance.md')
    writeFileSync(path, withSection(readFileSync(path, 'utf8'), `The platform with ${namespaces}`, table))
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
  cluster.close()
}
