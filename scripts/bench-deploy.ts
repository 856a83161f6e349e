/**
 * What a deploy costs beside the same objects applied by a plain client of client-go without its limit of requests, 16
 * at once and one at a time, and by `kubectl apply --server-side`: `tsx scripts/bench-deploy.ts [--write] [--rounds=7]
 * [--only=TEXT]`. All wait by the same rule, for services with a health check; the plain client waits for kubectl too,
 * with one list and one watch. The sides alternate, each in a fresh namespace. Services of the sizes 10, 100 and 500 run
 * on nodes with the label BENCH_FAKE (`key=value`, those of kwok, without a taint), 10 also on those with BENCH_REAL;
 * what is not set is left out. Needs `go`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { arch, cpus, platform } from 'node:os'
import { join } from 'node:path'
import { ask, buildClient, devtool, folder, kubectl, plainClient, type Timed, target } from './bench-deploy-world.ts'
import { root } from './command.ts'
import { withSection } from './section.ts'

const flag = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
const rounds = Math.max(1, Number(flag('rounds') ?? 7))
const only = flag('only') ?? ''

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** Without dependencies, since the others have no order. */
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

const sides = ['devtool', '16 at once', 'one at a time', 'kubectl'] as const
type Side = (typeof sides)[number]

/** The slow ones vary little, and take minutes. */
const roundsOf = (side: Side): number => (side === 'devtool' || side === '16 at once' ? rounds : 1)

type Row = {
  readonly what: string
  readonly target: number
  readonly runs: Readonly<Record<Side, ReadonlyArray<Timed>>>
}

let made = 0
const inNamespace = async <A>(run: (namespace: string) => Promise<A>): Promise<A> => {
  made += 1
  const namespace = `bench-${process.pid}-${made}`
  await kubectl('create', 'namespace', namespace)
  try {
    return await run(namespace)
  } finally {
    await kubectl('delete', 'namespace', namespace, '--wait=true', '--timeout=10m')
  }
}

const inTurn = async (measure: (side: Side) => Promise<Timed>): Promise<Row['runs']> => {
  const runs: Record<Side, Array<Timed>> = { devtool: [], '16 at once': [], 'one at a time': [], kubectl: [] }
  for (let round = 0; round < rounds; round += 1) {
    const due = sides.filter((side) => round < roundsOf(side))
    for (const side of round % 2 === 0 ? due : due.toReversed()) runs[side].push(await measure(side))
  }
  return runs
}

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
  if (side === 'devtool') {
    return devtool('deploy', '--file', file, ...target(namespace), ...(isWaiting ? ['--wait'] : []))
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

const fresh = (services: number, label: string): Promise<Row['runs']> => {
  const file = fileOf(services, label)
  return inTurn((side) =>
    inNamespace(async (namespace) => put(side, file, await manifests(file, namespace), namespace, true)),
  )
}

/** Each side has a namespace of its own, since it would take over the fields of the others. */
const again = (services: number, label: string): Promise<Row['runs']> => {
  const file = fileOf(services, label)
  return inNamespace((own) =>
    inNamespace((plain) =>
      inNamespace(async (applied) => {
        const spaces = { devtool: own, '16 at once': plain, 'one at a time': plain, kubectl: applied }
        const paths = new Map<string, string>()
        for (const namespace of Object.values(spaces)) paths.set(namespace, await manifests(file, namespace))
        const run = (side: Side, isWaiting: boolean): Promise<Timed> =>
          put(side, file, paths.get(spaces[side]) ?? '', spaces[side], isWaiting)
        for (const side of ['devtool', '16 at once', 'kubectl'] as const) await run(side, true)
        return await inTurn((side) => run(side, false))
      }),
    ),
  )
}

const seconds = (runs: ReadonlyArray<Timed>): number => median(runs.map(({ ms }) => ms)) / 1000
const peakOf = (runs: ReadonlyArray<Timed>): number => Math.max(...runs.map(({ megabytes }) => megabytes))
const judged = (value: number, limit: number, unit = ''): string =>
  `${value <= limit ? '' : '**missed** '}≤ ${limit}${unit}`

const memoryLimit = 200

const lineOf = ({ runs, target: limit, what }: Row): string => {
  const ratio = seconds(runs.devtool) / seconds(runs['16 at once'])
  const cells = [
    what,
    ...sides.map((side) => seconds(runs[side]).toFixed(2)),
    ratio.toFixed(2),
    judged(ratio, limit),
    (seconds(runs.devtool) / seconds(runs.kubectl)).toFixed(2),
    peakOf(runs.devtool).toFixed(0),
    judged(peakOf(runs.devtool), memoryLimit, ' MB'),
  ]
  return `| ${cells.join(' | ')} |`
}

type Measurement = {
  readonly what: string
  readonly target: number
  readonly measure: () => Promise<Row['runs']>
}

const freshOn = (services: number, label: string | undefined, where: string): ReadonlyArray<Measurement> => {
  const what = `${services} services on ${where}, fresh, with wait`
  return label === undefined ? [] : [{ what, target: 1.1, measure: () => fresh(services, label) }]
}

const againOn = (services: number, label: string | undefined): ReadonlyArray<Measurement> => {
  const what = `${services} services on kwok nodes, unchanged, no wait`
  return label === undefined ? [] : [{ what, target: 0.6, measure: () => again(services, label) }]
}

const { BENCH_FAKE: fake, BENCH_REAL: real } = process.env
const measurements: ReadonlyArray<Measurement> = [
  ...freshOn(10, real, 'a real node'),
  ...freshOn(10, fake, 'kwok nodes'),
  ...freshOn(100, fake, 'kwok nodes'),
  ...freshOn(500, fake, 'kwok nodes'),
  ...againOn(100, fake),
  ...againOn(500, fake),
]

const captions = `The ratio, and its target, is to the plain client with 16 requests at once: client-go without its limit of requests a second, sending the same objects
with server-side apply, without reading, locking or recording anything. All wait by the same rule: the services have a health check, and one
list and one watch of the Deployments tell when they are available, for kubectl too.

- *Fresh*: both sides wait for the same API server, which shares the machine with them. \`deploy\` also reads the namespace first, takes a lock,
  writes its record twice, and watches pods and events, so that it can say what is wrong; as no service waits for another one here, it
  watches from when everything has been applied.
- *Unchanged*: \`deploy\` sends nothing. One list for each kind tells that every object is as the last deploy left it: its fields are still
  managed by devtool alone, and have the values of the file. The plain client and kubectl send every object.
- *kubectl* sends one object after the other, as the plain client does one at a time.`

const main = async (): Promise<void> => {
  if (measurements.length === 0) throw new Error('set BENCH_FAKE or BENCH_REAL to a label of nodes, as key=value')
  await buildClient()
  const lines = [
    '| what | devtool s | 16 at once s | one at a time s | kubectl s | ratio | target | ÷ kubectl | devtool peak MB | target |',
    '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|',
  ]
  process.stderr.write(`${lines.join('\n')}\n`)
  for (const { measure, ...row } of measurements) {
    if (!row.what.includes(only)) continue
    lines.push(lineOf({ ...row, runs: await measure() }))
    process.stderr.write(`${lines.at(-1)}\n`)
  }
  const version = /"gitVersion": "([^"]+)"/.exec(await ask('get', '--raw', '/version'))?.[1]
  const machine = `${platform()} ${arch()}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, which also runs the cluster`
  const about = `Node ${process.version}, Kubernetes ${version}, ${machine}; medians of ${rounds} alternating rounds (one at a time, kubectl: 1), peaks of all`
  const date = new Date().toISOString().slice(0, 10)
  const text = `Measured on ${date} by \`npm run bench:deploy -- --write\`: ${about}\n\n${lines.join('\n')}\n\n${captions}\n`
  process.stdout.write(text)
  if (!process.argv.includes('--write')) return
  const path = join(root, 'docs/performance.md')
  writeFileSync(path, withSection(readFileSync(path, 'utf8'), 'Deploying', text))
}

await main()
