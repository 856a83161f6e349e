/**
 * How soon hostile input is refused, in how much memory, and how soon Ctrl-C and SIGTERM end the built command meanwhile:
 * `tsx scripts/bench-hostile.ts [--write] [--rounds=5]`. The signals come in turn at random moments of the
 * computation, to several commands, ten times for each input. The limit of the time is one of processor time, which does not depend on what else the machine does. A limit
 * that is missed is marked; the status is 1 then.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { arch, cpus, loadavg, platform, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from './command.ts'
import { hostileInputs } from './hostile-files.ts'
import { withSection } from './section.ts'

const flag = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
const rounds = Math.max(1, Number(flag('rounds') ?? 5))
const stops = 10
/** What reads a project: by turns, each with either signal. */
const commands = [['deploy', '--dry-run'], ['validate'], ['build']]
const signals = ['SIGINT', 'SIGTERM'] as const
const limits = { seconds: 1, megabytes: 512, stopMs: 200 }

const folder = mkdtempSync(join(tmpdir(), 'bench-hostile-'))
const usage = join(folder, 'usage.json')
const hook = join(folder, 'hook.cjs')
writeFileSync(
  hook,
  `process.once('exit', () => require('node:fs').writeFileSync(${JSON.stringify(usage)}, JSON.stringify(process.resourceUsage())))`,
)

type Ended = {
  readonly ms: number
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly said: string
  /** From the signal to the end. */
  readonly stopMs: number
}

type Stop = { readonly afterMs: number; readonly with: NodeJS.Signals; readonly command: ReadonlyArray<string> }

/** Runs a client dry run, or the command that is to be stopped. */
const run = (cwd: string, stop?: Stop): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const begin = performance.now()
    let stopped = Number.NaN
    const args = [
      `--require=${hook}`,
      join(root, 'dist/devtool.cjs'),
      ...(stop?.command ?? ['deploy', '--dry-run']),
      '--progress',
      'quiet',
    ]
    const env = { ...process.env, XDG_CACHE_HOME: join(folder, 'cache'), NO_COLOR: '1' }
    const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const timer =
      stop === undefined
        ? undefined
        : setTimeout(() => {
            stopped = performance.now()
            child.kill(stop.with)
          }, stop.afterMs)
    child.on('error', reject)
    child.on('exit', (status, signal) => {
      clearTimeout(timer)
      const end = performance.now()
      child.once('close', () => resolve({ ms: end - begin, status, signal, said, stopMs: end - stopped }))
    })
  })

const middle = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

let isMissed = false
const judged = (text: string, isWithin: boolean): string => {
  isMissed ||= !isWithin
  return isWithin ? text : `**${text}**`
}

const rowOf = async ({ title, code = '', files }: (typeof hostileInputs)[number]): Promise<string> => {
  const cwd = join(folder, 'project')
  for (const [path, text] of Object.entries(files())) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true })
    writeFileSync(join(cwd, path), text)
  }
  const refusals: Array<{ readonly ms: number; readonly megabytes: number; readonly cpuMs: number }> = []
  for (let i = 0; i < rounds; i += 1) {
    const { ms, said, status } = await run(cwd)
    if (status !== 3 || !said.includes(code)) throw new Error(`${title}: ended with ${status}: ${said.slice(0, 300)}`)
    const used: NodeJS.ResourceUsage = JSON.parse(readFileSync(usage, 'utf8'))
    refusals.push({ ms, megabytes: used.maxRSS / 1024, cpuMs: (used.userCPUTime + used.systemCPUTime) / 1000 })
  }
  const ms = middle(refusals.map((one) => one.ms))
  const times: Array<number> = []
  // It may have ended before the signal: then it is tried again.
  for (let tries = 0; times.length < stops && tries < 10 * stops; tries += 1) {
    const command = commands[tries % commands.length] ?? []
    const sent = signals[times.length % signals.length] ?? 'SIGINT'
    const { signal, status, stopMs } = await run(cwd, {
      afterMs: ms * (0.1 + 0.85 * Math.random()),
      with: sent,
      command,
    })
    if (signal === sent || status === (sent === 'SIGINT' ? 130 : 143)) times.push(stopMs)
  }
  rmSync(cwd, { recursive: true })
  const cpuMs = middle(refusals.map((one) => one.cpuMs))
  const megabytes = Math.max(...refusals.map((one) => one.megabytes))
  const slowest = Math.max(...times)
  return `| ${title} | ${code} | ${(ms / 1000).toFixed(2)} | ${judged((cpuMs / 1000).toFixed(2), cpuMs <= limits.seconds * 1000)} | ${judged(megabytes.toFixed(0), megabytes <= limits.megabytes)} | ${middle(times).toFixed(0)} | ${judged(slowest.toFixed(0), slowest <= limits.stopMs)} |`
}

try {
  const rows: Array<string> = []
  for (const input of hostileInputs) {
    rows.push(await rowOf(input))
    process.stdout.write(`${rows.at(-1)}\n`)
  }
  const machine = `Node ${process.version}, ${platform()} ${arch()}, ${cpus().length} × ${cpus()[0]?.model.split(' ').slice(0, 2).join(' ')}, load ${loadavg()[0]?.toFixed(1)}`
  const text = `Measured on ${new Date().toISOString().slice(0, 10)} by \`npm run bench:hostile -- --write\`: ${machine}; medians of ${rounds} rounds, the highest peak of all, and Ctrl-C or SIGTERM at ${stops} random moments of the computations of ${commands.length} commands

| input | code | refused after s | CPU s | peak MB | stop p50 ms | max ms |
|---|---|---:|---:|---:|---:|---:|
${rows.join('\n')}

The times are those of the whole command, with the start of Node. Limits: refused within ${limits.seconds} s of processor time and ${limits.megabytes} MB, and ended ${limits.stopMs} ms after the signal.`
  process.stdout.write(`\n${text}\n`)
  if (process.argv.includes('--write')) {
    const file = join(root, 'docs/performance.md')
    writeFileSync(file, withSection(readFileSync(file, 'utf8'), 'Refusals of hostile input', text))
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = isMissed ? 1 : 0
