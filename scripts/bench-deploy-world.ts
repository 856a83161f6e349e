/** The cluster ($KUBECONFIG) and the programs for `bench:deploy`; each run reports its time and its peak memory. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './command.ts'

/** `megabytes`: peak resident memory. */
export type Timed = { readonly ms: number; readonly megabytes: number; readonly stdout: string }

export const folder = mkdtempSync(join(tmpdir(), 'bench-deploy-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

// Node would read further authorities at each start: the cluster's own is in its kubeconfig.
const env = { ...process.env, NODE_EXTRA_CA_CERTS: '', DEVTOOL_HOME: join(folder, 'home'), NO_COLOR: '1' }
const kubectlPath = process.env['KUBECTL'] ?? 'kubectl'
const command = process.env['BENCH_COMMAND'] ?? join(root, 'dist/devtool.cjs')

/** Linux shows the peak memory of a process only while it runs. */
const highWater = (pid: number | undefined): number => {
  try {
    const [, kilobytes] = /VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes ?? 0) / 1024
  } catch {
    return 0
  }
}

const timed = (program: string, args: ReadonlyArray<string>, more: NodeJS.ProcessEnv = {}): Promise<Timed> =>
  new Promise((resolve, reject) => {
    const begin = performance.now()
    const child = spawn(program, args, { cwd: folder, env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] })
    let [stdout, stderr, megabytes] = ['', '', 0]
    const timer = setInterval(() => (megabytes = Math.max(megabytes, highWater(child.pid))), 20)
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    child.on('error', reject)
    child.on('close', (status) => {
      clearInterval(timer)
      if (status === 0) resolve({ ms: performance.now() - begin, megabytes, stdout })
      else reject(new Error(`${program} ${args.join(' ')} ended with ${status}:\n${stderr.slice(-2000)}`))
    })
  })

export const kubectl = (...args: ReadonlyArray<string>): Promise<Timed> => timed(kubectlPath, args)

export const ask = async (...args: ReadonlyArray<string>): Promise<string> => (await kubectl(...args)).stdout.trim()

const label = 'bench=deploy'
let made = 0

/** In namespaces of its own, when the objects of those before are gone. Nobody waits for what comes after the last one. */
export const inNamespaces = async <A>(
  count: number,
  run: (namespaces: ReadonlyArray<string>) => Promise<A>,
): Promise<A> => {
  await kubectl('wait', 'namespace', '--selector', label, '--for=delete', '--timeout=10m')
  const names = Array.from({ length: count }, () => {
    made += 1
    return `bench-${process.pid}-${made}`
  })
  for (const name of names) {
    await kubectl('create', 'namespace', name)
    await kubectl('label', 'namespace', name, label)
  }
  try {
    return await run(names)
  } finally {
    await kubectl('delete', 'namespace', ...names, '--wait=false')
  }
}

const context = spawnSync(kubectlPath, ['config', 'current-context'], { env, encoding: 'utf8' }).stdout.trim()
const hook = join(folder, 'hook.cjs')
const peak = join(folder, 'peak')
writeFileSync(
  hook,
  `process.once('exit', () => require('node:fs').writeFileSync(${JSON.stringify(peak)}, String(process.resourceUsage().maxRSS)))`,
)

const hooked = async (program: string, args: ReadonlyArray<string>): Promise<Timed> => {
  const ran = await timed(program, args, { NODE_OPTIONS: `--require=${hook}` })
  return { ...ran, megabytes: Number(readFileSync(peak, 'utf8')) / 1024 }
}

/** NODE_FLAGS are passed to Node, for example `--cpu-prof`. */
export const devtool = (...args: ReadonlyArray<string>): Promise<Timed> => {
  const flags = (process.env['NODE_FLAGS'] ?? '').split(' ').filter((flag) => flag !== '')
  return hooked(process.execPath, [...flags, command, ...args])
}

export const singleFile = (...args: ReadonlyArray<string>): Promise<Timed> =>
  hooked(realpathSync(process.env['SINGLE'] ?? ''), args)

const client = join(folder, 'client')

/** The plain client for the comparison, built by `go` from `scripts/bench-client`. */
export const buildClient = async (): Promise<void> => {
  await timed('go', ['build', '-C', join(root, 'scripts/bench-client'), '-o', client, '.'])
}

export const plainClient = (...args: ReadonlyArray<string>): Promise<Timed> => timed(client, args)

/** Flags for every `devtool deploy` here. */
export const target = (namespace: string): ReadonlyArray<string> => [
  '--context',
  context,
  '--namespace',
  namespace,
  '--yes',
  '--progress',
  'quiet',
  '--timeout',
  '20m',
]
