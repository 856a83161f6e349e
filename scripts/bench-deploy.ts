/**
 * What a deploy costs beside the same objects applied by a plain client of client-go without its limit of requests, 16
 * at once and one at a time, and by `kubectl apply --server-side`: `tsx scripts/bench-deploy.ts [--write] [--rounds=7]
 * [--only=TEXT] [--runs=FILE] [--steps=N]`. All wait by the same rule, for services with a health check; the plain client
 * waits for kubectl too, with one list and one watch. The sides alternate, each in a fresh namespace. Services of the
 * sizes 10, 100 and 500 run on nodes with the label BENCH_FAKE (`key=value`, those of kwok, without a taint), 10 also on
 * those with BENCH_REAL; what is not set is left out. SINGLE=PATH adds the single file of a release. Runs that FILE has
 * are not measured again, and it gets each new one; after N steps (one fresh deploy, or all of an unchanged one) the
 * bench ends. Needs `go`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { arch, cpus, platform } from 'node:os'
import { join } from 'node:path'
import { type Run, runRecord, type Side, sides } from './bench-deploy-runs.ts'
import {
  ask,
  buildClient,
  devtool,
  folder,
  inNamespaces,
  kubectl,
  plainClient,
  singleFile,
  type Timed,
  target,
} from './bench-deploy-world.ts'
import { root } from './command.ts'
import { withSection } from './section.ts'

const flag = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
const rounds = Math.max(1, Number(flag('rounds') ?? 7))
const only = flag('only') ?? ''
const mostSteps = Number(flag('steps') ?? Number.POSITIVE_INFINITY)

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** Without dependencies, since the other sides have no order. */
const composeOf = (services: number, label: string, image: string): string => {
  const [key = '', value = ''] = label.split('=')
  const service = (index: number): string => `  service-${index}:
    image: ${image}
    command: ["sh", "-c", "trap exit TERM; sleep 86400 & wait"]
    stop_grace_period: 1s
    environment: {LOG_LEVEL: info, REGION: eu-west-1, SERVICE_NAME: service-${index}, FEATURES: "a,b,c"}
    ports: [8080]
    healthcheck: {test: ["CMD", "true"], interval: 1s}
    x-node-selector: {${key}: "${value}"}
    resources: {requests: {cpu: 1m, memory: 4Mi}}
`
  return `name: bench\nservices:\n${Array.from({ length: services }, (_, index) => service(index)).join('')}`
}

/** The slow sides vary little, and take minutes. */
const roundsOf = (side: Side): number => (side === 'one at a time' || side === 'kubectl' ? 1 : rounds)

/** The order in which the sides run. */
const turns: ReadonlyArray<Side> = Array.from({ length: rounds }, (_, round) => {
  const due = sides.filter((side) => round < roundsOf(side))
  return round % 2 === 0 ? due : due.toReversed()
}).flat()

const manifests = async (file: string, namespace: string): Promise<string> => {
  const path = join(folder, `${namespace}.yaml`)
  const { stdout } = await devtool('deploy', '--dry-run', '--file', file, '--namespace', namespace)
  writeFileSync(path, stdout)
  return path
}

const both = (a: Timed, b: Timed): Timed => ({
  ms: a.ms + b.ms,
  megabytes: Math.max(a.megabytes, b.megabytes),
  stdout: '',
})

const atOnce = { '16 at once': '16', 'one at a time': '1' } as const

/** `path`: the manifests, for all but devtool. */
const put = async (side: Side, file: string, path: string, namespace: string, isWaiting: boolean): Promise<Timed> => {
  const waiting = isWaiting ? ['--wait', `--namespace=${namespace}`] : []
  if (side === 'devtool' || side === 'single file') {
    const command = side === 'devtool' ? devtool : singleFile
    return command('deploy', '--file', file, ...target(namespace), ...(isWaiting ? ['--wait'] : []))
  }
  if (side !== 'kubectl') return plainClient(`--filename=${path}`, `--at-once=${atOnce[side]}`, ...waiting)
  const applied = await kubectl('apply', '--server-side', '--filename', path)
  return isWaiting ? both(applied, await plainClient(...waiting)) : applied
}

const fileOf = (services: number, label: string): string => {
  const file = join(folder, `${services}-${label.replaceAll(/\W/g, '-')}.yaml`)
  writeFileSync(file, composeOf(services, label, process.env['BENCH_IMAGE'] ?? 'busybox:latest'))
  return file
}

type Step = () => Promise<ReadonlyArray<Run>>

const runOf = (side: Side, { megabytes, ms }: Timed): Run => ({ side, ms, megabytes })

const fresh = (services: number, label: string): ReadonlyArray<Step> =>
  turns.map((side) => () => {
    const file = fileOf(services, label)
    return inNamespaces(1, async ([namespace = '']) => [
      runOf(side, await put(side, file, await manifests(file, namespace), namespace, true)),
    ])
  })

/** The clients have namespaces of their own, since each would take over the fields of the others. */
const again =
  (services: number, label: string): Step =>
  () => {
    const file = fileOf(services, label)
    return inNamespaces(3, async ([own = '', plain = '', applied = '']) => {
      const spaces = { devtool: own, 'single file': own, '16 at once': plain, 'one at a time': plain, kubectl: applied }
      const paths = new Map<string, string>()
      for (const namespace of Object.values(spaces)) paths.set(namespace, await manifests(file, namespace))
      const run = (side: Side, isWaiting: boolean): Promise<Timed> =>
        put(side, file, paths.get(spaces[side]) ?? '', spaces[side], isWaiting)
      for (const side of sides.filter((one) => one !== 'one at a time')) await run(side, true)
      const runs: Array<Run> = []
      for (const side of turns) runs.push(runOf(side, await run(side, false)))
      return runs
    })
  }

const judged = (value: number, limit: number, unit = ''): string =>
  `${value <= limit ? '' : '**missed** '}≤ ${limit}${unit}`

const memoryLimit = 200

type Row = { readonly what: string; readonly target: number; readonly steps: ReadonlyArray<Step> }

const runsBy = (side: Side, runs: ReadonlyArray<Run>): ReadonlyArray<Run> => runs.filter((run) => run.side === side)

const lineOf = ({ target: limit, what }: Row, runs: ReadonlyArray<Run>): string => {
  const seconds = (side: Side): number => median(runsBy(side, runs).map(({ ms }) => ms)) / 1000
  const peak = Math.max(...runsBy('devtool', runs).map(({ megabytes }) => megabytes))
  const ratio = seconds('devtool') / seconds('16 at once')
  const cells = [
    what,
    ...sides.map((side) => seconds(side).toFixed(2)),
    ratio.toFixed(2),
    judged(ratio, limit),
    (seconds('devtool') / seconds('kubectl')).toFixed(2),
    peak.toFixed(0),
    judged(peak, memoryLimit, ' MB'),
  ]
  return `| ${cells.join(' | ')} |`
}

const freshOn = (services: number, label: string | undefined, where: string): ReadonlyArray<Row> => {
  const what = `${services} services on ${where}, fresh, with wait`
  return label === undefined ? [] : [{ what, target: 1.1, steps: fresh(services, label) }]
}

const againOn = (services: number, label: string | undefined): ReadonlyArray<Row> => {
  const what = `${services} services on kwok nodes, unchanged, no wait`
  return label === undefined ? [] : [{ what, target: 0.6, steps: [again(services, label)] }]
}

const { BENCH_FAKE: fake, BENCH_REAL: real } = process.env
const rows: ReadonlyArray<Row> = [
  ...freshOn(10, real, 'a real node'),
  ...freshOn(10, fake, 'kwok nodes'),
  ...freshOn(100, fake, 'kwok nodes'),
  ...freshOn(500, fake, 'kwok nodes'),
  ...againOn(100, fake),
  ...againOn(500, fake),
].filter(({ what }) => what.includes(only))

const captions = `The ratio, and its target, is to the plain client with 16 requests at once: client-go without its limit of requests a second, sending the same objects
with server-side apply, without reading, locking or recording anything. All wait by the same rule: the services have a health check, and one
list and one watch of the Deployments tell when they are available, for kubectl too.

- *Fresh*: both sides wait for the same API server, which shares the machine with them. \`deploy\` also reads the namespace first, takes a lock,
  writes its record before the first change and after the last one, keeps the plan for \`rollback\`, and watches pods and events, so that it
  can say what is wrong; as no service waits for another one here, it watches from when everything has been applied.
- *Unchanged*: \`deploy\` sends no object. One list for each kind tells that every object is as the last deploy left it: its fields are still
  managed by devtool alone, and have the values of the file. It takes the lock and writes its record once: who deployed, and when. The
  plain client and kubectl send every object.
- What \`deploy\` does beside that (starting Node, translating the file, reading, locking, recording) takes 0.3 to 0.5 s for 100 services and grows
  more slowly than the number of objects: this is what the rows of 100 services miss their targets by.
  It is computing rather than waiting: of the processor time of \`deploy\` of 100 unchanged services, a fifth loads the program, a tenth is
  garbage collection, 8 % compares objects, 5 % translates; 18 requests are sent. Node 20 reads its own certificate authorities before
  the first connection, which takes it 21 ms; Node 22 and 24 take 1 ms.
- *kubectl* sends one object after the other, as the plain client does one at a time.`

const main = async (): Promise<void> => {
  if (rows.length === 0)
    throw new Error('set BENCH_FAKE or BENCH_REAL to a label of nodes, as key=value, and see --only')
  const record = runRecord(flag('runs'))
  const missing = rows
    .flatMap(({ steps, what }) => steps.slice(record.stepsOf(what)).map((step) => ({ what, step })))
    .slice(0, mostSteps)
  if (missing.length > 0) await buildClient()
  for (const { step, what } of missing) {
    record.add({ what, runs: await step() })
    process.stderr.write(`${what}: ${record.stepsOf(what)} measured\n`)
  }
  const whole = rows.filter(({ steps, what }) => record.stepsOf(what) >= steps.length)
  const fewest = Math.min(...whole.map(({ what }) => runsBy('devtool', record.runsOf(what)).length))
  const lines = [
    `| what | ${sides.map((side) => `${side} s`).join(' | ')} | ratio | target | ÷ kubectl | devtool peak MB | target |`,
    `|---${'|---:'.repeat(sides.length + 5)}|`,
    ...whole.map((row) => lineOf(row, record.runsOf(row.what))),
  ]
  const version = /"gitVersion": "([^"]+)"/.exec(await ask('get', '--raw', '/version'))?.[1]
  const machine = `${platform()} ${arch()}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, which also runs the cluster`
  const about = `Node ${process.version}, Kubernetes ${version}, ${machine}; medians of ${fewest} alternating rounds or more (one at a time, kubectl: 1), peaks of all`
  const date = new Date().toISOString().slice(0, 10)
  const text = `Measured on ${date} by \`npm run bench:deploy -- --write\`: ${about}\n\n${lines.join('\n')}\n\n${captions}\n`
  process.stdout.write(text)
  if (!process.argv.includes('--write')) return
  const path = join(root, 'docs/performance.md')
  writeFileSync(path, withSection(readFileSync(path, 'utf8'), 'Deploying', text))
}

await main()
