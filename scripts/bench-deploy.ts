/**
 * What a deploy costs beside `kubectl apply --server-side` of the same objects and `kubectl rollout status`:
 * `tsx scripts/bench-deploy.ts [--write] [--rounds=3] [--only=TEXT]`. Both sides alternate, each in a fresh namespace. Services of
 * the sizes 10, 100 and 500 run on nodes with the label BENCH_FAKE (`key=value`, those of kwok, without a taint), 10 also
 * on those with BENCH_REAL; what is not set is left out. kubectl waits with one process for all workloads, its fastest way.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { arch, cpus, platform } from 'node:os'
import { join } from 'node:path'
import { ask, devtool, folder, kubectl, type Timed, target } from './bench-deploy-world.ts'
import { root } from './command.ts'
import { withSection } from './section.ts'

const flag = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
const rounds = Math.max(1, Number(flag('rounds') ?? 3))
const only = flag('only') ?? ''

/** A large one takes kubectl minutes, and varies little between rounds. */
const roundsOf = (services: number): number => (services < 500 ? rounds : Math.ceil(rounds / 3))

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** Without dependencies, since kubectl has no order. */
const composeOf = (services: number, label: string, image: string): string => {
  const [key = '', value = ''] = label.split('=')
  const service = (index: number): string => `  service-${index}:
    image: ${image}
    command: ["sh", "-c", "trap exit TERM; sleep 86400 & wait"]
    stop_grace_period: 1s
    environment: {LOG_LEVEL: info, REGION: eu-west-1, SERVICE_NAME: service-${index}, FEATURES: "a,b,c"}
    ports: [8080]
    x-node-selector: {${key}: "${value}"}
    resources: {requests: {cpu: 1m, memory: 4Mi}}
`
  return `name: bench\nservices:\n${Array.from({ length: services }, (_, index) => service(index)).join('')}`
}

type Setting = { readonly what: string; readonly services: number; readonly label: string; readonly target?: number }
type Row = {
  readonly what: string
  readonly ours: ReadonlyArray<Timed>
  readonly theirs: ReadonlyArray<Timed>
  readonly target?: number
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

const manifests = async (file: string, namespace: string): Promise<string> => {
  const path = join(folder, `${namespace}.yaml`)
  const { stdout } = await devtool('deploy', '--dry-run', '--file', file, '--namespace', namespace)
  writeFileSync(path, stdout)
  return path
}

const apply = (path: string): Promise<Timed> => kubectl('apply', '--server-side', '--filename', path)

const kubectlWay = async (file: string, namespace: string): Promise<Timed> => {
  const path = await manifests(file, namespace)
  const selector = 'dev.devtool/environment=bench'
  const applied = await apply(path)
  const waited = await kubectl('rollout', 'status', 'deployment', '--namespace', namespace, '--selector', selector)
  return { ms: applied.ms + waited.ms, megabytes: Math.max(applied.megabytes, waited.megabytes), stdout: '' }
}

const deployWay = (file: string, namespace: string, ...args: ReadonlyArray<string>): Promise<Timed> =>
  devtool('deploy', '--file', file, ...target(namespace), ...args)

const fresh = async ({ label, services, what, ...more }: Setting): Promise<Row> => {
  const file = join(folder, `${services}-${label.replaceAll(/\W/g, '-')}.yaml`)
  writeFileSync(file, composeOf(services, label, process.env['BENCH_IMAGE'] ?? 'busybox:latest'))
  const [ours, theirs]: [Array<Timed>, Array<Timed>] = [[], []]
  for (let round = 0; round < roundsOf(services); round += 1) {
    const sides = [
      async () => ours.push(await inNamespace((namespace) => deployWay(file, namespace, '--wait'))),
      async () => theirs.push(await inNamespace((namespace) => kubectlWay(file, namespace))),
    ]
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) await side()
  }
  return { what, ours, theirs, ...more }
}

const again = async (services: number, label: string): Promise<Row> => {
  const file = join(folder, 'again.yaml')
  writeFileSync(file, composeOf(services, label, 'busybox:latest'))
  const [ours, theirs]: [Array<Timed>, Array<Timed>] = [[], []]
  await inNamespace((namespace) =>
    inNamespace(async (other) => {
      await deployWay(file, namespace, '--wait')
      await kubectlWay(file, other)
      const path = await manifests(file, other)
      for (let round = 0; round < 2 * rounds + 1; round += 1) {
        const sides = [
          async () => ours.push(await deployWay(file, namespace)),
          async () => theirs.push(await apply(path)),
        ]
        for (const side of round % 2 === 0 ? sides : sides.toReversed()) await side()
      }
    }),
  )
  return { what: `${services} services on kwok nodes, nothing changed, no wait`, ours, theirs, target: 0.5 }
}

const times = (runs: ReadonlyArray<Timed>): number => median(runs.map(({ ms }) => ms)) / 1000
const peakOf = (runs: ReadonlyArray<Timed>): number => Math.max(...runs.map(({ megabytes }) => megabytes))
const judged = (value: number, limit: number, unit = ''): string =>
  `${value <= limit ? '' : '**missed** '}≤ ${limit}${unit}`

const memoryLimit = 200

const lineOf = ({ ours, target: limit = 1, theirs, what }: Row): string => {
  const ratio = times(ours) / times(theirs)
  const cells = [
    what,
    times(ours).toFixed(2),
    times(theirs).toFixed(2),
    ratio.toFixed(2),
    judged(ratio, limit),
    peakOf(ours).toFixed(0),
    judged(peakOf(ours), memoryLimit, ' MB'),
    peakOf(theirs).toFixed(0),
  ]
  return `| ${cells.join(' | ')} |`
}

const { BENCH_FAKE: fake, BENCH_REAL: real } = process.env
const freshOf = (services: number, label: string, where: string, limit: number): [string, () => Promise<Row>] => {
  const what = `${services} services on ${where}, fresh, with wait`
  return [what, () => fresh({ what, services, label, target: limit })]
}

const measurements: ReadonlyArray<[string, () => Promise<Row>]> = [
  ...(real === undefined ? [] : [freshOf(10, real, 'a real node', 1.2)]),
  ...(fake === undefined
    ? []
    : [
        freshOf(10, fake, 'kwok nodes', 1.2),
        freshOf(100, fake, 'kwok nodes', 0.8),
        ['100 services on kwok nodes, nothing changed', () => again(100, fake)] satisfies [string, () => Promise<Row>],
        freshOf(500, fake, 'kwok nodes', 0.8),
      ]),
]

const main = async (): Promise<void> => {
  if (measurements.length === 0) throw new Error('set BENCH_FAKE or BENCH_REAL to a label of nodes, as key=value')
  const lines = [
    '| what | devtool s | kubectl s | ratio | target | devtool peak MB | target | kubectl peak MB |',
    '|---|---:|---:|---:|---:|---:|---:|---:|',
  ]
  process.stderr.write(`${lines.join('\n')}\n`)
  for (const [what, measure] of measurements) {
    if (!what.includes(only)) continue
    lines.push(lineOf(await measure()))
    process.stderr.write(`${lines.at(-1)}\n`)
  }
  const version = /"gitVersion": "([^"]+)"/.exec(await ask('get', '--raw', '/version'))?.[1]
  const machine = `${platform()} ${arch()}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, which also runs the cluster`
  const about = `Node ${process.version}, Kubernetes ${version}, ${machine}; medians of ${rounds} alternating rounds (500 services: ${roundsOf(500)}), peaks of all`
  const date = new Date().toISOString().slice(0, 10)
  const text = `Measured on ${date} by \`npm run bench:deploy -- --write\`: ${about}\n\n${lines.join('\n')}\n`
  process.stdout.write(text)
  if (!process.argv.includes('--write')) return
  const path = join(root, 'docs/performance.md')
  writeFileSync(path, withSection(readFileSync(path, 'utf8'), 'Deploying', text))
}

await main()
