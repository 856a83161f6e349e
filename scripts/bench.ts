/**
 * What the built command costs, against `node -e 0`: `tsx scripts/bench.ts [--write] [--pairs=11]`. Each figure is the
 * median over alternating pairs, so that a busy machine slows both sides. Peak memory is what a process says of itself
 * when it ends (`process.resourceUsage().maxRSS`, through a preloaded hook, in runs that are not timed); of a foreign
 * program, VmHWM of /proc while it runs. KOMPOSE=PATH also times `kompose convert`.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { arch, cpus, platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { benchFile } from './bench-files.ts'
import { root } from './command.ts'

type Command = { readonly program: string; readonly args: ReadonlyArray<string>; readonly hook?: string }
type Run = { readonly ms: number; readonly megabytes: number | undefined }

const flag = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
const pairs = Math.max(3, Number(flag('pairs') ?? 11))
const folder = mkdtempSync(join(tmpdir(), 'bench-'))
const devtool = join(root, 'dist/devtool.cjs')
const env = { ...process.env, XDG_CACHE_HOME: join(folder, 'cache'), NO_COLOR: '1' }

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

const highWater = (pid: number | undefined): number | undefined => {
  try {
    const [, kilobytes] = /VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
  } catch {
    return undefined
  }
}

const run = ({ args, hook, program }: Command, isSampled = false): Promise<Run> =>
  new Promise((resolve, reject) => {
    const begin = performance.now()
    const preload = hook === undefined ? [] : ['--require', hook]
    const child = spawn(program, [...preload, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] })
    let megabytes: number | undefined
    const timer = isSampled ? setInterval(() => (megabytes = highWater(child.pid) ?? megabytes), 5) : undefined
    child.stdout.resume()
    child.on('error', reject)
    child.on('close', (status) => {
      clearInterval(timer)
      if (status === 0) resolve({ ms: performance.now() - begin, megabytes })
      else reject(new Error(`${program} ${args.join(' ')} ended with ${status}`))
    })
  })

const result = join(folder, 'rss')
const hook = join(folder, 'hook.cjs')
writeFileSync(
  hook,
  `process.once('exit', () => require('node:fs').writeFileSync(${JSON.stringify(result)}, String(process.resourceUsage().maxRSS)))`,
)

const node = (...args: ReadonlyArray<string>): Command => ({ program: process.execPath, args })
const floor = node('-e', '0')

const peakOf = async (command: Command): Promise<number> => {
  const values: Array<number> = []
  for (let i = 0; i < 3; i += 1) {
    if (command.program === process.execPath) {
      await run({ ...command, hook })
      values.push(Number(readFileSync(result, 'utf8')) / 1024)
    } else values.push((await run(command, true)).megabytes ?? Number.NaN)
  }
  return median(values)
}

/** `netMs`: above what Node itself takes. */
type Figures = { readonly ratio: number; readonly ms: number; readonly netMs: number; readonly megabytes: number }

const measure = async (command: Command): Promise<Figures> => {
  await run(command)
  const ratios: Array<number> = []
  const times: Array<number> = []
  const nets: Array<number> = []
  for (let i = 0; i < pairs; i += 1) {
    const first = i % 2 === 0 ? floor : command
    const a = await run(first)
    const b = await run(first === floor ? command : floor)
    const [base, own] = first === floor ? [a.ms, b.ms] : [b.ms, a.ms]
    ratios.push(own / base)
    times.push(own)
    nets.push(own - base)
  }
  return { ratio: median(ratios), ms: median(times), netMs: median(nets), megabytes: await peakOf(command) }
}

type Row = { readonly what: string; readonly command: Command; readonly ratio?: number; readonly megabytes?: number }

const sizes = [10, 100, 1000, 5000]
for (const size of sizes) writeFileSync(join(folder, `${size}.yaml`), benchFile(size))
const dryRun = (size: number): Command => node(devtool, 'deploy', '--dry-run', '--file', `${size}.yaml`)
const { KOMPOSE: kompose } = process.env
const rows: ReadonlyArray<Row> = [
  { what: '`version`', command: node(devtool, 'version'), ratio: 1.1 },
  { what: '`--help`', command: node(devtool, '--help'), ratio: 1.5 },
  { what: 'dry run, 10 services', command: dryRun(10), ratio: 1.8, megabytes: 60 },
  { what: 'dry run, 100 services', command: dryRun(100) },
  { what: 'dry run, 1,000 services', command: dryRun(1000), ratio: 10, megabytes: 140 },
  { what: 'dry run, 5,000 services', command: dryRun(5000), megabytes: 260 },
  ...(kompose === undefined
    ? []
    : [10, 100, 1000].map(
        (size): Row => ({
          what: `kompose, ${size} services`,
          command: { program: kompose, args: ['convert', '-f', `${size}.yaml`, '--stdout'] },
        }),
      )),
]

const target = (limit: number | undefined, value: number, unit: string): string => {
  if (limit === undefined) return ''
  return `${value <= limit ? '' : '**missed** '}≤ ${limit}${unit}`
}

const main = async (): Promise<void> => {
  const lines = ['| what | × `node -e 0` | target | ms | peak MB | target |', '|---|---:|---:|---:|---:|---:|']
  const nets = new Map<string, number>()
  for (const { command, megabytes, ratio, what } of rows) {
    const figures = await measure(command)
    nets.set(what, figures.netMs)
    const cells = [
      what,
      figures.ratio.toFixed(2),
      target(ratio, figures.ratio, ''),
      figures.ms.toFixed(0),
      figures.megabytes.toFixed(0),
      target(megabytes, figures.megabytes, ' MB'),
    ]
    lines.push(`| ${cells.join(' | ')} |`)
    process.stderr.write(`${lines.at(-1)}\n`)
  }
  const growth = (nets.get('dry run, 5,000 services') ?? 0) / (nets.get('dry run, 1,000 services') ?? 1)
  const about = `Node ${process.version}, ${platform()} ${arch()}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, medians of ${pairs} pairs`
  const text = [
    about,
    '',
    ...lines,
    '',
    `Five times the services take ${growth.toFixed(2)} times as long above Node's own time (${target(5.5, growth, '')}).`,
    '',
  ].join('\n')
  process.stdout.write(text)
  if (!process.argv.includes('--write')) return
  const date = new Date().toISOString().slice(0, 10)
  mkdirSync(join(root, 'docs'), { recursive: true })
  const path = join(root, 'docs/performance.md')
  const others = existsSync(path) ? (/\n## .*/s.exec(readFileSync(path, 'utf8'))?.[0] ?? '') : ''
  writeFileSync(path, `# Performance\n\nMeasured on ${date} by \`npm run bench -- --write\`: ${text}${others}`)
}

try {
  await main()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
