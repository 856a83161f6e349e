/**
 * What `pods.dial` costs beside `kubectl port-forward`, through the API server and the kubelet of $KUBECONFIG:
 * `tsx scripts/bench-streams.ts [--write] [--rounds=7] [--megabytes=128] [--only=TEXT]`. Both sides alternate within one run, and speak with
 * the same server in the same pod (image node:22). A limit that is missed is marked; the status is 1 then.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { arch, cpus, loadavg, platform } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import type { Cluster } from '../src/ports/cluster.ts'
import type { PodName } from '../src/ports/pods.ts'
import { bytesOf, command, hashOf, serverPort } from '../test/contract/pods-world.ts'
import { startPod } from '../test/support/e2e/pod.ts'
import { connectReal, withNamespace } from '../test/support/e2e/real-cluster.ts'
import { root } from './command.ts'
import { withSection } from './section.ts'

const flag = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
const rounds = Math.max(1, Number(flag('rounds') ?? 7))
const bytes = Math.max(1, Number(flag('megabytes') ?? 128)) * 1_000_000
const parallel = 200
const kubectl = process.env['KUBECTL'] ?? 'kubectl'

type Side = 'devtool' | 'kubectl'
type Open = () => Promise<Duplex>
type Ways = Readonly<Record<Side, Open>>

const part = bytesOf(64 * 1024)
const megabytesASecond = (startMs: number): number => bytes / 1000 / (performance.now() - startMs)

const get = async (open: Open): Promise<number> => {
  const stream = await open()
  const startMs = performance.now()
  stream.write(command('g', bytes))
  let got = 0
  for await (const chunk of stream) got += Buffer.from(chunk).length
  if (got !== bytes) throw new Error(`${got} of ${bytes} bytes came`)
  return megabytesASecond(startMs)
}

const put = async (open: Open): Promise<number> => {
  const stream = await open()
  const startMs = performance.now()
  stream.write(command('p', bytes))
  const answer = once(stream, 'data')
  for (let left = bytes; left > 0; left -= part.length) {
    if (!stream.write(part.subarray(0, Math.min(left, part.length)))) await once(stream, 'drain')
  }
  await answer
  const speed = megabytesASecond(startMs)
  stream.destroy()
  return speed
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

const roundTripMs = async (open: Open): Promise<number> => {
  const stream = await open()
  stream.write(command('e'))
  const times: Array<number> = []
  for (let turn = 0; turn < 500; turn += 1) {
    const startMs = performance.now()
    const answer = once(stream, 'data')
    stream.write('x')
    await answer
    times.push(performance.now() - startMs)
  }
  stream.destroy()
  return median(times)
}

/** Waits until each of them has echoed a line of its own. */
const parallelMs = async (open: Open): Promise<number> => {
  const startMs = performance.now()
  const one = async (index: number): Promise<void> => {
    const stream = await open()
    stream.write(Buffer.concat([command('e'), Buffer.from(`line ${index}`)]))
    const [answer]: Array<unknown> = await once(stream, 'data')
    if (String(answer) !== `line ${index}`) throw new Error(`connection ${index} answered ${String(answer)}`)
    stream.destroy()
  }
  await Promise.all(Array.from({ length: parallel }, (_, index) => one(index)))
  return performance.now() - startMs
}

/** The growth of this process's memory while a reader repeatedly reads 1 MB and pauses; all data must arrive. */
const slowReader = async (open: Open): Promise<number> => {
  const size = 48_000_000
  const stream = await open()
  stream.write(command('g', size))
  const before = process.memoryUsage().rss
  const hash = createHash('sha256')
  let [most, got, nextRest] = [before, 0, 1_000_000]
  for await (const chunk of stream) {
    hash.update(chunk)
    got += Buffer.from(chunk).length
    if (got < nextRest) continue
    nextRest += 1_000_000
    await new Promise((resolve) => setTimeout(resolve, 50))
    most = Math.max(most, process.memoryUsage().rss)
  }
  if (got !== size || hash.digest('hex') !== hashOf(bytesOf(size))) throw new Error('a slow reader lost something')
  return (most - before) / 1_000_000
}

type Figure = {
  readonly what: string
  readonly unit: string
  readonly measure: (open: Open) => Promise<number>
  /** For the ratio of both sides; absent for rows without a target. */
  readonly limit?: { readonly atLeast?: number; readonly atMost?: number }
  readonly digits: number
}

const figures: ReadonlyArray<Figure> = [
  { what: 'from the pod', unit: 'MB/s', measure: get, limit: { atLeast: 1 }, digits: 0 },
  { what: 'to the pod', unit: 'MB/s', measure: put, limit: { atLeast: 1 }, digits: 0 },
  { what: 'round trip, p50', unit: 'ms', measure: roundTripMs, limit: { atMost: 1 }, digits: 2 },
  {
    what: `${parallel} connections at once, each with a response`,
    unit: 'ms',
    measure: parallelMs,
    limit: { atMost: 1 },
    digits: 0,
  },
  { what: 'memory used with a slow reader', unit: 'MB', measure: slowReader, digits: 0 },
]

const orThrow = <A>(result: E.Either<unknown, A>): A => {
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
  return result.right
}

const dialling = (cluster: Cluster, pod: PodName): Open => {
  const { signal } = new AbortController()
  return async () => orThrow(await cluster.pods.dial(pod, serverPort, signal)()).bytes
}

const forwarded = async ({ name, namespace }: PodName): Promise<{ readonly open: Open; readonly end: () => void }> => {
  const child = spawn(kubectl, ['--namespace', namespace, 'port-forward', `pod/${name}`, `:${serverPort}`])
  const [line]: Array<unknown> = await once(child.stdout, 'data')
  child.stdout.resume()
  child.stderr.resume()
  const port = Number(/127\.0\.0\.1:(\d+)/.exec(String(line))?.[1])
  const open: Open = async () => {
    const socket = connect(port, '127.0.0.1').setNoDelay()
    await once(socket, 'connect')
    return socket
  }
  return { open, end: () => void child.kill() }
}

const alternate = async ({ measure }: Figure, ways: Ways): Promise<Readonly<Record<Side, number>>> => {
  const values: Record<Side, Array<number>> = { devtool: [], kubectl: [] }
  for (let round = 0; round < rounds; round += 1) {
    const sides: ReadonlyArray<Side> = round % 2 === 0 ? ['devtool', 'kubectl'] : ['kubectl', 'devtool']
    for (const side of sides) values[side].push(await measure(ways[side]))
  }
  return { devtool: median(values.devtool), kubectl: median(values.kubectl) }
}

const isKept = ({ limit }: Figure, ratio: number): boolean =>
  ratio >= (limit?.atLeast ?? Number.NEGATIVE_INFINITY) && ratio <= (limit?.atMost ?? Number.POSITIVE_INFINITY)

const rowOf = async (figure: Figure, ways: Ways): Promise<{ readonly text: string; readonly isKept: boolean }> => {
  const { devtool, kubectl: theirs } = await alternate(figure, ways)
  const { digits, limit, unit, what } = figure
  const [ratio, kept] = [devtool / theirs, isKept(figure, devtool / theirs)]
  const wanted = limit === undefined ? '' : limit.atMost === undefined ? `≥ ${limit.atLeast}` : `≤ ${limit.atMost}`
  const shown = limit === undefined ? '' : kept ? ratio.toFixed(2) : `**${ratio.toFixed(2)}**`
  const text = `| ${what} | ${devtool.toFixed(digits)} ${unit} | ${theirs.toFixed(digits)} ${unit} | ${shown} | ${wanted} |`
  process.stderr.write(`${text}\n`)
  return { text, isKept: kept }
}

const measured = async (cluster: Cluster, pod: PodName): Promise<boolean> => {
  const forward = await forwarded(pod)
  const ways = { devtool: dialling(cluster, pod), kubectl: forward.open }
  // A warm-up that is not measured: everything is loaded and compiled.
  for (const open of Object.values(ways)) await put(open)
  const rows: Array<Awaited<ReturnType<typeof rowOf>>> = []
  for (const figure of figures.filter(({ what }) => what.includes(flag('only') ?? '')))
    rows.push(await rowOf(figure, ways))
  forward.end()
  const version = orThrow(await cluster.version()())
  const machine = `${platform()} ${arch()}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? ''}, which also runs the cluster`
  const text = `Measured on ${new Date().toISOString().slice(0, 10)} by \`npm run bench:streams -- --write\`: Node ${process.version}, Kubernetes ${version}, ${machine}, load ${loadavg()[0]?.toFixed(1)}; \`pods.dial\` beside \`kubectl port-forward\`, medians of ${rounds} alternating rounds of ${bytes / 1_000_000} MB

| what | devtool | kubectl | ratio | target |
|---|---:|---:|---:|---:|
${rows.map((row) => row.text).join('\n')}

The reader of the last row reads 1 MB, then pauses for 50 ms; all of its 48 MB arrived. kubectl's own memory is not included.
`
  process.stdout.write(`\n${text}`)
  if (process.argv.includes('--write')) {
    const file = join(root, 'docs/performance.md')
    writeFileSync(file, withSection(readFileSync(file, 'utf8'), 'Connections to pods', text))
  }
  return rows.every((row) => row.isKept)
}

const cluster = await connectReal()
const { end, name: namespace } = await withNamespace(cluster, 'bench-streams')
try {
  const pod = { namespace, name: 'server' }
  const server = readFileSync(new URL('../test/support/e2e/pod-server.cjs', import.meta.url), 'utf8')
  await startPod(cluster, pod, { image: 'node:22', command: ['node', '-e', `${server}\nlisten()`] })
  process.exitCode = (await measured(cluster, pod)) ? 0 : 1
} finally {
  await end()
  cluster.close()
}
