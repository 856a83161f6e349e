/**
 * A real buildkitd with its own root, socket and port. It runs in its own namespaces, so that all of its processes and
 * mounts are gone when it ends, however the test ends.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../process/ports.ts'
import { until } from '../process/until.ts'
import type { Certificates } from './certificates.ts'
import { removeGroups } from './cgroups.ts'
import { buildkitPath, type Daemon, pathOf, startDaemon } from './programs.ts'

/**
 * `entitlements`: what builds may be granted. `registries`: `HOST:PORT` without TLS. `authorities`: by `HOST:PORT`, the ca.pem of one with TLS. `mirror`: where
 * images of Docker Hub are fetched from. `megabytes`: the size of its disk. `tls`: for its port, which then also
 * requires client certificates.
 */
export type BuildkitdOptions = {
  readonly entitlements?: ReadonlyArray<string>
  readonly registries?: ReadonlyArray<string>
  readonly authorities?: Readonly<Record<string, string>>
  readonly mirror?: string
  readonly megabytes?: number
  readonly tls?: Certificates
}

type CommandResult = { readonly status: number; readonly stdout: string; readonly stderr: string }

export type Buildkitd = {
  readonly port: number
  /** `unix://…`, and the same without TLS by `tcp://…`. */
  readonly socket: string
  readonly address: string
  readonly buildctl: (...args: ReadonlyArray<string>) => Promise<CommandResult>
  /** Suspends it: connections get no answer. */
  readonly freeze: () => void
  readonly thaw: () => void
  /** Kills it at once, with all running steps. Its disk remains. */
  readonly kill: () => Promise<void>
  /** Starts it again after `kill`, on the same disk. */
  readonly start: () => Promise<void>
  readonly log: () => string
  /** Leaves nothing behind. May be called twice. */
  readonly end: () => void
}

const settings = (folder: string, port: number, group: string, options: BuildkitdOptions): string => {
  const { authorities = {}, entitlements = [], mirror, registries = [], tls } = options
  const text = (value: string): string => JSON.stringify(value)
  const server = tls?.server ?? ''
  const files = { cert: join(server, 'cert.pem'), key: join(server, 'key.pem'), ca: join(server, 'ca.pem') }
  const secured = Object.entries(files).map(([name, path]) => `${name} = ${text(path)}`)
  const plain = new Set(mirror === undefined ? registries : [...registries, mirror])
  return [
    `root = ${text(join(folder, 'root'))}`,
    `insecure-entitlements = ${JSON.stringify(entitlements)}`,
    '[grpc]',
    `address = [${text(`unix://${join(folder, 'socket')}`)}, ${text(`tcp://127.0.0.1:${port}`)}]`,
    ...(tls === undefined ? [] : ['[grpc.tls]', ...secured]),
    '[worker.oci]',
    'enabled = true',
    'snapshotter = "overlayfs"',
    'networkMode = "host"',
    'gc = false',
    `defaultCgroupParent = ${text(group)}`,
    '[worker.containerd]',
    'enabled = false',
    ...(mirror === undefined ? [] : ['[registry."docker.io"]', `mirrors = [${text(mirror)}]`]),
    ...[...plain].flatMap((host) => [`[registry.${text(host)}]`, 'http = true']),
    ...Object.entries(authorities).flatMap(([host, ca]) => [
      `[registry.${text(host)}]`,
      'http = false',
      `ca = [${text(ca)}]`,
    ]),
    '',
  ].join('\n')
}

const run = (program: string, args: ReadonlyArray<string>): Promise<CommandResult> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: 180_000, killSignal: 'SIGKILL' })
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    child.on('error', reject)
    child.on('close', (status) => resolve({ status: status ?? 1, stdout, stderr }))
  })

/** Of the process that `unshare` started, in this PID namespace. */
const childOf = (pid: number): number | undefined => {
  const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
  return first === undefined || first === '' ? undefined : Number(first)
}

/** With its own disk, a mount that only this process and its children see. */
const inner = (megabytes: number | undefined, root: string, command: string): ReadonlyArray<string> => {
  const mount = megabytes === undefined ? '' : `mount -t tmpfs -o size=${megabytes}m none '${root}' && `
  return ['sh', '-c', `${mount}exec ${command}`]
}

const launch = async (folder: string, options: BuildkitdOptions): Promise<{ outer: Daemon; pid: number }> => {
  const root = join(folder, 'root')
  const command = `'${buildkitPath('buildkitd')}' --config '${join(folder, 'buildkitd.toml')}'`
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc', '--']
  const words = [pathOf('unshare'), ...namespaces, ...inner(options.megabytes, root, command)]
  const outer = startDaemon(words, join(folder, 'log'))
  const isReady = async (): Promise<boolean> => {
    if (outer.hasEnded()) throw new Error(`buildkitd ended:\n${outer.log()}`)
    const said = await run(buildkitPath('buildctl'), ['--addr', `unix://${join(folder, 'socket')}`, 'debug', 'info'])
    return said.status === 0
  }
  try {
    await until('buildkitd answers', isReady)
  } catch (cause) {
    if (!outer.hasEnded()) process.kill(outer.pid, 'SIGKILL')
    throw new Error(`buildkitd does not start:\n${outer.log()}`, { cause })
  }
  const pid = childOf(outer.pid)
  if (pid === undefined) throw new Error(`buildkitd is gone:\n${outer.log()}`)
  return { outer, pid }
}

/** Ready to build once this resolves. */
export const startBuildkitd = async (options: BuildkitdOptions = {}): Promise<Buildkitd> => {
  const folder = mkdtempSync(join(tmpdir(), 'devtool-buildkitd-'))
  const group = folder.slice(folder.lastIndexOf('/'))
  const port = await freePort()
  const socket = `unix://${join(folder, 'socket')}`
  mkdirSync(join(folder, 'root'))
  writeFileSync(join(folder, 'buildkitd.toml'), settings(folder, port, group, options))
  let [running, isOver] = [await launch(folder, options), false]
  const signal = (name: NodeJS.Signals): void => {
    if (!running.outer.hasEnded()) process.kill(running.pid, name)
  }
  const end = (): void => {
    if (isOver) return
    isOver = true
    process.off('exit', end)
    try {
      signal('SIGKILL')
    } catch {
      // Gone already.
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
    removeGroups(group)
  }
  process.once('exit', end)
  return {
    port,
    socket,
    address: `tcp://127.0.0.1:${port}`,
    buildctl: (...args) => run(buildkitPath('buildctl'), ['--addr', socket, ...args]),
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    kill: async () => {
      signal('SIGKILL')
      await until('buildkitd is gone', () => running.outer.hasEnded())
    },
    start: async () => {
      running = await launch(folder, options)
    },
    log: () => running.outer.log(),
    end,
  }
}

/** Runs `run` with a buildkitd and removes it; a failure includes the end of its log. */
export const withBuildkitd = async <A>(
  options: BuildkitdOptions,
  use: (daemon: Buildkitd) => Promise<A>,
): Promise<A> => {
  const daemon = await startBuildkitd(options)
  try {
    return await use(daemon)
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause
    cause.message += `\nbuildkitd said:\n${daemon.log().slice(-1500)}`
    throw cause
  } finally {
    daemon.end()
  }
}
