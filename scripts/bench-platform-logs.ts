/**
 * How long people wait for the log of a run, and how many can read one at once:
 * `tsx scripts/bench-platform-logs.ts [--watchers=2000] [--write]`. Needs the cluster and the images of the tests in
 * test/e2e, and Chromium. The platform runs in this process and, for many readers, as a program on the ports 8080 and
 * 9090 of this machine. Its nodes have the clock of this machine.
 */
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, type ClientRequest, request } from 'node:http'
import { arch, cpus, loadavg, platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { textAt } from '../src/domain/cluster/json.ts'
import { resources } from '../src/domain/cluster/resources.ts'
import { MANAGED_LABEL } from '../src/domain/k8s/labels.ts'
import { userIdOf } from '../src/domain/platform/names.ts'
import { bindingObject } from '../src/domain/platform/namespace/objects.ts'
import { pathOf } from '../src/domain/platform/web-pages.ts'
import { done, manager } from '../test/contract/cluster-world.ts'
import { joined } from '../test/support/e2e/platform.ts'
import { fresh } from '../test/support/e2e/platform-world.ts'
import { removed, type ServedWorld, withServed } from '../test/support/e2e/served-platform.ts'
import { openChromium } from '../test/support/platform/chromium.ts'
import { API_URL, isReady, p95, sending, startApi } from './bench-platform-api.ts'
import { root } from './command.ts'
import { residentMb } from './process-use.ts'
import { withSection } from './section.ts'

const flag = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
const watchers = Number(flag('watchers') ?? 2000)

const ISSUER = 'https://login.example.com'
const FIRST_LINES = 8
const READERS = 40
/** Readers come one after the other. */
const RAMP_MS = 20
const CONNECT_MS = 180_000

const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })

/** Reads a log as the pages do; `text` gets what arrives. The status of the answer; 0: there was none. */
const followed = (
  path: string,
  token: string,
  text: (chunk: string) => void,
): Promise<{ readonly status: number; readonly asked: ClientRequest }> =>
  new Promise((resolve) => {
    const asked = request(
      `${API_URL}/api/v1${path}`,
      { agent, headers: { authorization: `Bearer ${token}` } },
      (answer) => {
        answer.setEncoding('utf8').on('data', text)
        answer.on('error', () => {})
        resolve({ status: answer.statusCode ?? 0, asked })
      },
    )
    asked.on('error', () => resolve({ status: 0, asked }))
    asked.end()
  })

/** Lines that tell when they were written, in microseconds. */
const ticking = (count: number, pause: number): string =>
  `for i in $(seq ${count}); do echo "at \${EPOCHREALTIME/./}."; sleep ${pause}; done`
const LINE = /at (\d{16})\./g

/** How long the lines of a text have taken until now. */
const agesIn = (text: string): ReadonlyArray<number> =>
  [...text.matchAll(LINE)].map(([, micros]) => Date.now() - Number(micros) / 1000)

type Bench = ServedWorld & { readonly namespace: string; readonly token: string }

const started = async ({ git, namespace, token, url }: Bench, name: string, command: string): Promise<string> => {
  const repository = git.add(name, {
    'devtool.yml': `deploy:\n  - name: say\n    command: ${JSON.stringify(command)}\n`,
  })
  const body = { name, repository }
  return textAt(await sending(url)('POST', `/namespaces/${namespace}/pipelines`, token, body), 'run', 'id') ?? ''
}

const logOf = ({ namespace }: Bench, id: string): string => `/namespaces/${namespace}/runs/${id}/log`

/** From the request that starts a run until the first line of its log. */
const firstLine = async (bench: Bench, name: string): Promise<number> => {
  const begin = performance.now()
  const id = await started(bench, name, 'echo done')
  return new Promise((resolve, reject) => {
    const come = (chunk: string): void => {
      if (chunk.includes('event: log')) resolve(performance.now() - begin)
    }
    followed(logOf(bench, id), bench.token, come).catch(reject)
  })
}

/** Notes when each line is in the page. */
const OBSERVE = `(() => {
  window.seen = new Map()
  const look = () => {
    const now = Date.now()
    for (const [text] of document.body.textContent.matchAll(/at \\d{16}\\./g)) if (!window.seen.has(text)) window.seen.set(text, now)
  }
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true })
  look()
  window.old = new Set(window.seen.keys())
})()`
const SEEN = `[...window.seen].filter(([text]) => !window.old.has(text)).map(([text, at]) => at - Number(text.slice(3, 19)) / 1000)`

type Lines = { readonly client: ReadonlyArray<number>; readonly browser: ReadonlyArray<number> }

/** Both over the same 20 s, in which no browser starts. */
const lines = async (bench: Bench): Promise<Lines> => {
  const id = await started(bench, 'lines', ticking(400, 0.1))
  const client: Array<number> = []
  const { asked } = await followed(logOf(bench, id), bench.token, (chunk) => {
    client.push(...agesIn(chunk))
  })
  const browser = await openChromium()
  try {
    const context = await browser.newContext({ extraHTTPHeaders: { authorization: `Bearer ${bench.token}` } })
    const page = await context.newPage()
    while (client.length === 0) await sleep(100)
    await page.goto(API_URL + pathOf('run', { namespace: bench.namespace, run: id }))
    await page
      .getByText(/at \d{16}\./)
      .first()
      .waitFor()
    await page.evaluate(OBSERVE)
    const known = client.length
    await sleep(20_000)
    const seen: unknown = await page.evaluate(SEEN)
    return { client: client.slice(known), browser: Array.isArray(seen) ? seen.map(Number) : [] }
  } finally {
    asked.destroy()
    await browser.close()
  }
}

const readerTokens = ({ cluster, namespace }: Bench): Promise<ReadonlyArray<string>> =>
  Promise.all(
    Array.from({ length: READERS }, async (_, index) => {
      const person = `reader-${index}`
      const user = { id: userIdOf(ISSUER, person), email: `${person}@example.com` }
      const place = { resource: resources.RoleBinding, namespace }
      await done(cluster.create(place, bindingObject(namespace, user, 'viewer'), { manager }))
      return joined(cluster, ISSUER, person)
    }),
  )

type Crowd = {
  readonly before: number
  readonly after: number
  readonly connectS: number
  readonly ages: ReadonlyArray<number>
  readonly missed: number
}

const crowd = async (bench: Bench, api: ChildProcess): Promise<Crowd> => {
  const tokens = await readerTokens(bench)
  const all: Array<ClientRequest> = []
  try {
    const id = await started(bench, 'crowd', ticking(270, 1))
    const before = residentMb(api.pid)
    const begin = performance.now()
    const limit = AbortSignal.timeout(CONNECT_MS)
    let [sinceMs, isMeasured] = [Number.POSITIVE_INFINITY, false]
    const ages: Array<number> = []
    const counts: Array<number> = []
    const reader = async (index: number): Promise<void> => {
      counts[index] = 0
      await sleep(index * RAMP_MS)
      while (!limit.aborted) {
        const { asked, status } = await followed(logOf(bench, id), tokens[index % READERS] ?? '', (chunk) => {
          if (!isMeasured) return
          const come = agesIn(chunk).filter((age) => Date.now() - age >= sinceMs)
          counts[index] = (counts[index] ?? 0) + come.length
          ages.push(...come)
        })
        all.push(asked)
        if (status === 200) return
        asked.destroy()
        if (status !== 0 && status !== 429) throw new Error(`a reader got ${status}`)
        await sleep(500 + Math.random() * 500)
      }
    }
    await Promise.race([Promise.all(Array.from({ length: watchers }, (_, index) => reader(index))), sleep(CONNECT_MS)])
    const connectS = (performance.now() - begin) / 1000
    ;[sinceMs, isMeasured] = [Date.now(), true]
    await sleep(20_000)
    isMeasured = false
    return { before, after: residentMb(api.pid), connectS, ages, missed: counts.filter((count) => count === 0).length }
  } finally {
    for (const one of all) one.destroy()
  }
}

type Row = readonly [what: string, value: string, target: string, isMet: boolean]

const ms = (value: number): string => `${value.toFixed(0)} ms`

const measure = async (bench: Bench, api: ChildProcess): Promise<ReadonlyArray<Row>> => {
  const first: Array<number> = []
  for (let index = 0; index < FIRST_LINES; index += 1) first.push((await firstLine(bench, `first-${index}`)) / 1000)
  process.stdout.write(`first lines after ${first.map((value) => value.toFixed(1)).join(', ')} s\n`)
  const { browser, client } = await lines(bench)
  process.stdout.write(`${client.length} lines to a client, ${browser.length} to the browser\n`)
  const { after, ages, before, connectS, missed } = await crowd(bench, api)
  const slowest = Math.max(...first)
  const many = watchers.toLocaleString('en')
  return [
    [
      `run requested until its first line, slowest of ${FIRST_LINES}`,
      `${slowest.toFixed(1)} s`,
      '≤ 10 s',
      slowest <= 10,
    ],
    ['line written until a client has it, p95', ms(p95(client)), '≤ 250 ms', p95(client) <= 250],
    ['line written until Chromium shows it, p95', ms(p95(browser)), '≤ 250 ms', p95(browser) <= 250],
    [`${many} readers of one log: all connected after`, `${connectS.toFixed(0)} s`, '', true],
    [`${many} readers: without a line in 20 s`, String(missed), '0', missed === 0],
    [`${many} readers: line written until they have it, p95`, ms(p95(ages)), '', true],
    [
      `${many} readers: memory of the API server`,
      `${after.toFixed(0)} MB (${before.toFixed(0)} MB before)`,
      '≤ 250 MB',
      after <= 250,
    ],
  ]
}

const machine = `Node ${process.version}, ${platform()} ${arch()}, ${cpus().length} × ${(cpus()[0]?.model ?? '').split(' ').slice(0, 2).join(' ')}`

await withServed(async (world) => {
  const [namespace, folder] = [fresh('bench'), mkdtempSync(join(tmpdir(), 'bench-platform-'))]
  const api = startApi(folder, ISSUER)
  try {
    while (!(await isReady())) await sleep(50)
    const load = loadavg()[0] ?? 0
    const selection = { resource: resources.Namespace, labels: `${MANAGED_LABEL}=true` }
    const count = (await done(world.cluster.list(selection))).items.length
    const token = await joined(world.cluster, ISSUER, `bench-${randomBytes(3).toString('hex')}`)
    await sending(world.url)('POST', '/namespaces', token, { name: namespace })
    await sending(world.url)('PUT', `/namespaces/${namespace}/variables/DEVTOOL_GIT_CA`, token, {
      value: world.git.authority,
    })
    const rows = await measure({ ...world, namespace, token }, api)
    const table = [
      `Measured on ${new Date().toISOString().slice(0, 10)} by \`npm run bench:platform-logs\`: a platform with ${count.toLocaleString('en')} namespaces, on the same machine as the nodes of its cluster, which have the image of runs. ${machine}, load ${load.toFixed(1)}`,
      '',
      '| what | measured | target |',
      '|---|---:|---:|',
      ...rows.map(([what, value, target, isMet]) => `| ${what} | ${value} | ${isMet ? '' : '**missed** '}${target} |`),
    ].join('\n')
    process.stdout.write(`${table}\n`)
    if (process.argv.includes('--write')) {
      const path = join(root, 'docs/performance.md')
      writeFileSync(path, withSection(readFileSync(path, 'utf8'), 'Logs of runs', table))
    }
  } finally {
    api.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
    await removed(world.cluster, namespace)
  }
})
process.exit(0)
