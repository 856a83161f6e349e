/**
 * What the built command costs, against `node -e 0` and, with `--before`, against another build of it:
 * `tsx scripts/bench.ts [--write] [--pairs=N] [--before=PATH/dist/devtool.cjs]`. Each figure is the median over
 * interleaved rounds, so that a busy machine slows all sides; the row that is compared with itself shows what is noise.
 * Peak memory and CPU time are what a process says of itself when it ends (`process.resourceUsage()`, through a preloaded
 * hook, in runs that are not timed); of a foreign program, VmHWM of /proc while it runs. SINGLE=PATH also measures the single
 * file of a release, KOMPOSE=PATH `kompose convert`.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { arch, cpus, loadavg, platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { benchFile } from './bench-files.ts'
import { root } from './command.ts'
import { withSection } from './section.ts'

/** `isForeign`: not a program of Node's. */
type Command = {
  readonly program: string
  readonly args: ReadonlyArray<string>
  readonly isForeign?: boolean
  readonly env?: Readonly<Record<string, string>>
}
type Run = { readonly ms: number; readonly megabytes: number | undefined }

const flag = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
const isCompared = process.argv.includes('--write') || flag('before') !== undefined
const pairs = Math.max(3, Number(flag('pairs') ?? (isCompared ? 61 : 11)))
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

const run = (command: Command, more: Readonly<Record<string, string>> = {}): Promise<Run> =>
  new Promise((resolve, reject) => {
    const { args, isForeign, program } = command
    const begin = performance.now()
    const every = { ...env, ...command.env, ...more }
    const child = spawn(program, args, { cwd: folder, env: every, stdio: ['ignore', 'pipe', 'ignore'] })
    let megabytes: number | undefined
    const timer = isForeign === true ? setInterval(() => (megabytes = highWater(child.pid) ?? megabytes), 5) : undefined
    child.stdout.resume()
    child.on('error', reject)
    child.on('close', (status) => {
      clearInterval(timer)
      if (status === 0) resolve({ ms: performance.now() - begin, megabytes })
      else reject(new Error(`${program} ${args.join(' ')} ended with ${status}`))
    })
  })

const result = join(folder, 'usage')
const hook = join(folder, 'hook.cjs')
writeFileSync(
  hook,
  `process.once('exit', () => require('node:fs').writeFileSync(${JSON.stringify(result)}, JSON.stringify(process.resourceUsage())))`,
)

const node = (...args: ReadonlyArray<string>): Command => ({ program: process.execPath, args })
const floor = node('-e', '0')

type Usage = { readonly megabytes: number; readonly cpuMs: number }

const usageOf = async (command: Command): Promise<Usage> => {
  const values: Array<Usage> = []
  for (let i = 0; i < Math.max(3, Math.round(pairs / 4)); i += 1) {
    if (command.isForeign === true) {
      values.push({ megabytes: (await run(command)).megabytes ?? Number.NaN, cpuMs: Number.NaN })
      continue
    }
    await run(command, { NODE_OPTIONS: `--require=${hook}` })
    const used: NodeJS.ResourceUsage = JSON.parse(readFileSync(result, 'utf8'))
    values.push({ megabytes: used.maxRSS / 1024, cpuMs: (used.userCPUTime + used.systemCPUTime) / 1000 })
  }
  return {
    megabytes: median(values.map(({ megabytes }) => megabytes)),
    cpuMs: median(values.map(({ cpuMs }) => cpuMs)),
  }
}

/** `netMs`: the time above that of Node itself. */
type Figures = {
  readonly ratio: number
  readonly ms: number
  readonly netMs: number
  readonly times: ReadonlyArray<number>
}

/** Runs all sides one after the other in every round, each first in turn. Ratios are relative to the first side. */
const measure = async (base: Command, others: ReadonlyArray<Command>): Promise<ReadonlyArray<Figures>> => {
  const sides = [base, ...others]
  for (const side of sides) await run(side)
  const rounds: Array<ReadonlyArray<number>> = []
  for (let round = 0; round < pairs; round += 1) {
    const times = new Map<number, number>()
    for (let i = 0; i < sides.length; i += 1) {
      const index = (i + round) % sides.length
      const side = sides[index]
      if (side !== undefined) times.set(index, (await run(side)).ms)
    }
    rounds.push(sides.map((_, index) => times.get(index) ?? Number.NaN))
  }
  const figuresOf = (index: number): Figures => {
    const compared = rounds.map((times) => ({ own: times[index] ?? Number.NaN, base: times[0] ?? Number.NaN }))
    return {
      ratio: median(compared.map(({ base: floorMs, own }) => own / floorMs)),
      ms: median(compared.map(({ own }) => own)),
      netMs: median(compared.map(({ base: floorMs, own }) => own - floorMs)),
      times: compared.map(({ own }) => own),
    }
  }
  return others.map((_, index) => figuresOf(index + 1))
}

type Row = {
  readonly what: string
  readonly args: ReadonlyArray<string>
  readonly ratio?: number
  readonly megabytes?: number
}

const sizes = [10, 100, 1000, 5000]
for (const size of sizes) writeFileSync(join(folder, `${size}.yaml`), benchFile(size))
const dryRun = (size: number): ReadonlyArray<string> => ['deploy', '--dry-run', '--file', `${size}.yaml`]
const rows: ReadonlyArray<Row> = [
  { what: '`version`', args: ['version'], ratio: 1.1 },
  { what: '`--help`', args: ['--help'], ratio: 1.5 },
  { what: 'dry run, 10 services', args: dryRun(10), ratio: 1.6, megabytes: 60 },
  { what: 'dry run, 100 services', args: dryRun(100) },
  { what: 'dry run, 1,000 services', args: dryRun(1000), ratio: 6.5, megabytes: 140 },
  { what: 'dry run, 5,000 services', args: dryRun(5000), megabytes: 260 },
]

/** Of the single file. `megabytes`: above those of the npm form. */
const singleRows: ReadonlyArray<Row & { readonly size?: number }> = [
  { what: '`version`', args: ['version'], ratio: 0.9, megabytes: 15 },
  { what: 'dry run, 10 services', args: dryRun(10), ratio: 1.5, megabytes: 15, size: 10 },
]

const target = (limit: number | undefined, value: number, unit: string): string => {
  if (limit === undefined) return ''
  return `${value <= limit ? '' : '**missed** '}≤ ${limit}${unit}`
}

const show = (value: number, digits = 0): string => (Number.isNaN(value) ? '' : value.toFixed(digits))

/** Another build of this command to compare with, `--before=PATH/dist/devtool.cjs`. */
const before = flag('before')
const slower = 1.05

const timesAs = (now: Figures, then: Figures): number =>
  median(now.times.map((ms, round) => ms / (then.times[round] ?? Number.NaN)))

const comparison = (now: Figures, then: Figures | undefined): ReadonlyArray<string> =>
  then === undefined ? [] : [show(then.ms), show(timesAs(now, then), 2), target(slower, timesAs(now, then), '')]

const machine = `${platform()} ${arch()}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}`

const authoritiesVariable = 'NODE_EXTRA_CA_CERTS'
const hasAuthorities = (process.env[authoritiesVariable] ?? '') !== ''
const without = (command: Command): Command => ({ ...command, env: { [authoritiesVariable]: '' } })

const converting = (program: string, size: number): Command => ({
  program,
  args: ['convert', '-f', `${size}.yaml`, '--stdout'],
  isForeign: true,
})

/** Read from outside: a run as short as that of `version` would consist of little more than the hook. */
const watchedPeak = async (command: Command): Promise<number> =>
  (await usageOf({ ...command, isForeign: true })).megabytes

/** The section about the single file, beside the npm form. */
const singleFile = async (single: string, kompose: Foreign | undefined): Promise<string> => {
  const lines = [
    '| what | × `node -e 0` | target | × the npm form | target | ms | peak MB | target |',
    '|---|---:|---:|---:|---:|---:|---:|---:|',
  ]
  const write = (
    what: string,
    figures: Figures,
    npm: Figures,
    row: Partial<Row>,
    cells: ReadonlyArray<string>,
  ): void => {
    const beside = timesAs(figures, npm)
    const isOurs = row.ratio !== undefined
    const ratios = [show(figures.ratio, 2), target(row.ratio, figures.ratio, ''), show(beside, 2)]
    lines.push(
      `| ${[what, ...ratios, target(isOurs ? 1 : undefined, beside, ''), show(figures.ms), ...cells].join(' | ')} |`,
    )
    process.stderr.write(`${lines.at(-1)}\n`)
  }
  const measureAs = async (as: (command: Command) => Command, note: string): Promise<void> => {
    for (const row of singleRows) {
      const [npm, command] = [as(node(devtool, ...row.args)), as({ program: single, args: row.args })]
      const other = kompose === undefined || row.size === undefined ? [] : [as(converting(kompose.program, row.size))]
      const [of, figures, foreign] = await measure(as(floor), [npm, command, ...other])
      if (of === undefined || figures === undefined) continue
      const used = await watchedPeak(command)
      const most = Math.round((await watchedPeak(npm)) + (row.megabytes ?? 0))
      write(`${row.what}${note}`, figures, of, row, [show(used), target(most, used, ' MB')])
      const [rival] = other
      if (foreign !== undefined && rival !== undefined)
        write(`kompose ${kompose?.release}, ${row.size} services${note}`, foreign, of, {}, [
          show(await watchedPeak(rival)),
          '',
        ])
    }
  }
  await measureAs((command) => command, '')
  if (hasAuthorities) await measureAs(without, `, without ${authoritiesVariable}`)
  const about: { readonly node: string } = JSON.parse(
    execFileSync(single, ['version', '-o', 'json'], { encoding: 'utf8' }),
  )
  const packed = execFileSync('gzip', ['-9', '--stdout', single], { maxBuffer: 1e9 }).length / 1e6
  return `Node ${about.node} is inside; \`node -e 0\` and the npm form are run by Node ${process.version}. ${machine}, medians of ${pairs} interleaved rounds

${lines.join('\n')}

${hasAuthorities ? `${authoritiesVariable} was set: the Node that runs \`node -e 0\` and the npm form reads its authorities at every start, the one inside only when they are needed. Without it nothing is saved by that.\n\n` : ''}The executable has ${show(packed, 1)} MB when compressed (${target(45, packed, ' MB')}).
`
}

/** Node reads them at every start, which the ratios do not show. */
const authorities = async (): Promise<ReadonlyArray<string>> => {
  if (!hasAuthorities) return []
  const [all, none] = await measure(floor, [floor, without(floor)])
  if (all === undefined || none === undefined) return []
  const text = `${authoritiesVariable} was set: \`node -e 0\` took ${show(all.ms)} ms, and ${show(none.ms)} ms without it. Without it, every command takes ${show(all.ms - none.ms)} ms less too, and the ratios are higher.`
  return [text, '']
}

type Foreign = { readonly program: string; readonly release: string }

/** kompose, where KOMPOSE says. */
const foreign = (): Foreign | undefined => {
  const { KOMPOSE: program } = process.env
  if (program === undefined) return undefined
  return { program, release: execFileSync(program, ['version'], { encoding: 'utf8' }).split(' ', 1)[0] ?? '' }
}

const main = async (): Promise<void> => {
  const other = before === undefined ? undefined : [before]
  const compared = other === undefined ? [] : ['ms before', '× before', 'target']
  const cpuBefore = other === undefined ? [] : ['CPU ms before']
  const head = ['what', '× `node -e 0`', 'target', 'ms', ...compared, 'CPU ms', ...cpuBefore, 'peak MB', 'target']
  const lines = [`| ${head.join(' | ')} |`, `|---${'|---:'.repeat(head.length - 1)}|`]
  const write = (cells: ReadonlyArray<string>): void => {
    lines.push(`| ${cells.join(' | ')} |`)
    process.stderr.write(`${lines.at(-1)}\n`)
  }
  const nets = new Map<string, number>()
  for (const { args, megabytes, ratio, what } of rows) {
    const command = node(devtool, ...args)
    const old = other === undefined ? undefined : node(...other, ...args)
    const [now, then] = await measure(floor, old === undefined ? [command] : [command, old])
    if (now === undefined) continue
    nets.set(what, now.netMs)
    const usage = await usageOf(command)
    write([
      what,
      show(now.ratio, 2),
      target(ratio, now.ratio, ''),
      show(now.ms),
      ...comparison(now, then),
      show(usage.cpuMs),
      ...(old === undefined ? [] : [show((await usageOf(old)).cpuMs)]),
      show(usage.megabytes),
      target(megabytes, usage.megabytes, ' MB'),
    ])
  }
  const again = node(devtool, ...dryRun(10))
  const [one, two] = await measure(floor, [again, again])
  if (one !== undefined && two !== undefined) {
    const beside = other === undefined ? [] : [show(two.ms), show(timesAs(one, two), 2), '']
    const empty = other === undefined ? ['', '', ''] : ['', '', '', '']
    write(['dry run, 10 services, beside itself', show(one.ratio, 2), '', show(one.ms), ...beside, ...empty])
  }
  const gap = other === undefined ? [''] : ['', '', '', '', '']
  const kompose = foreign()
  for (const size of kompose === undefined ? [] : [10, 100, 1000]) {
    const command = converting(kompose?.program ?? '', size)
    const [figures] = await measure(floor, [command])
    if (figures === undefined) continue
    const used = show((await usageOf(command)).megabytes)
    write([
      `kompose ${kompose?.release}, ${size} services`,
      show(figures.ratio, 2),
      '',
      show(figures.ms),
      ...gap,
      used,
      '',
    ])
  }
  const growth = (nets.get('dry run, 5,000 services') ?? 0) / (nets.get('dry run, 1,000 services') ?? 1)
  const about = `Node ${process.version}, ${machine}, load ${loadavg()[0]?.toFixed(1)}, medians of ${pairs} interleaved rounds`
  const text = [
    about,
    '',
    ...lines,
    '',
    `Five times the services take ${growth.toFixed(2)} times as long above Node's own time (${target(5.5, growth, '')}).`,
    '',
    ...(await authorities()),
  ].join('\n')
  process.stdout.write(text)
  const { SINGLE: single } = process.env
  const section = single === undefined ? undefined : await singleFile(realpathSync(single), kompose)
  process.stdout.write(section ?? '')
  if (!process.argv.includes('--write')) return
  const date = new Date().toISOString().slice(0, 10)
  const path = join(root, 'docs/performance.md')
  const others = /\n## .*/s.exec(readFileSync(path, 'utf8'))?.[0] ?? ''
  const page = `# Performance\n\nMeasured on ${date} by \`npm run bench -- --write\`: ${text}${others}`
  const measured = `Measured on ${date} by \`SINGLE=devtool npm run bench -- --write\`: ${section}`
  writeFileSync(path, section === undefined ? page : withSection(page, 'Single file', measured))
}

try {
  await main()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
