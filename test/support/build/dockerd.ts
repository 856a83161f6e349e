/**
 * A real Docker daemon ($DOCKERD, or the one in PATH) with its own store and socket. It runs in its own namespaces, so
 * that all of its processes and mounts are gone when it ends, however the test ends.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { DockerHost } from '../../../src/domain/build/address.ts'
import { freePort } from '../process/ports.ts'
import { until } from '../process/until.ts'
import type { Certificates } from './certificates.ts'
import { removeGroups } from './cgroups.ts'
import { ask, type Daemon, pathOf, searchPath, startDaemon } from './programs.ts'

/** `tls`: also listens on a port, which requires client certificates. */
export type DockerdOptions = { readonly tls?: Certificates }

export type Dockerd = {
  readonly host: DockerHost
  /** A value for DOCKER_HOST. */
  readonly address: string
  /** With `tls`; 0 otherwise. */
  readonly port: number
  /** The API's response to a GET, whatever its status. */
  readonly get: (path: string) => Promise<string>
  /** The command lines of all processes in it. */
  readonly processes: () => ReadonlyArray<string>
  readonly log: () => string
  /** Kills it at once, with everything it runs. */
  readonly kill: () => Promise<void>
  /** Leaves nothing behind. May be called twice. */
  readonly end: () => void
}

const programOf = (name: string, from: string): string => {
  const path = searchPath
    .split(':')
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file))
  if (path === undefined) throw new Error(`${name} is not there: apt-get install ${from}`)
  return path
}

const dockerdPath = (): string => {
  if (process.getuid?.() !== 0)
    throw new Error('tests of Docker start a daemon with mounts of its own: run them as root')
  const { DOCKERD: path = '' } = process.env
  if (path === '') return programOf('dockerd', 'docker.io')
  if (!existsSync(path)) throw new Error(`${path} is not there: DOCKERD must be the path of dockerd`)
  return path
}

const get = (socketPath: string, path: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const sent = request({ socketPath, path, timeout: 20_000, agent: false }, (response) => resolve(text(response)))
    sent.on('timeout', () => sent.destroy(new Error(`GET ${path}: no answer`)))
    sent.on('error', reject)
    sent.end()
  })

/** It must not find another daemon of this machine, nor the other way round. */
const inPrivate =
  'for d in /run/docker /run/containerd; do mkdir -p $d && mount -t tmpfs none $d || exit; done; exec "$@"'

type DaemonSetup = { readonly folder: string; readonly bridge: string; readonly group: string; readonly port: number }

const wordsOf = (program: string, { bridge, folder, group, port }: DaemonSetup, tls?: Certificates) => {
  const server = tls?.server ?? ''
  return [
    ...[pathOf('unshare'), '--mount', '--pid', '--fork', '--kill-child', '--mount-proc', '--'],
    ...['sh', '-c', inPrivate, 'sh', program],
    ...['--data-root', join(folder, 'data'), '--exec-root', join(folder, 'run'), '--pidfile', join(folder, 'pid')],
    ...[
      '-H',
      `unix://${join(folder, 'socket')}`,
      '--cgroup-parent',
      group,
      '--exec-opt',
      'native.cgroupdriver=cgroupfs',
    ],
    // Build steps get a network that is separate from that of the machine.
    ...[`--bridge=${bridge}`, '--iptables=false', '--ip6tables=false', '--ip-forward=false', '--ip-masq=false'],
    '--userland-proxy=false',
    ...(tls === undefined ? [] : ['-H', `tcp://127.0.0.1:${port}`, '--tlsverify']),
    ...(tls === undefined ? [] : ['--tlscacert', join(server, 'ca.pem')]),
    ...(tls === undefined ? [] : ['--tlscert', join(server, 'cert.pem'), '--tlskey', join(server, 'key.pem')]),
  ]
}

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

const childrenOf = (pid: number): ReadonlyArray<number> => {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' '))
      .flatMap((child) => (child === '' ? [] : [Number(child)]))
  } catch {
    return []
  }
}

/** The command lines of a process and its descendants, without those that have ended meanwhile. */
export const commandsBelow = (pid: number): ReadonlyArray<string> => [
  commandOf(pid),
  ...childrenOf(pid).flatMap((child) => commandsBelow(child)),
]

const awaitReady = async (daemon: Daemon, folder: string): Promise<void> => {
  try {
    await until('dockerd answers', async () => {
      if (daemon.hasEnded()) throw new Error('dockerd ended')
      return get(join(folder, 'socket'), '/_ping').then(
        (answer) => answer === 'OK',
        () => false,
      )
    })
  } catch (cause) {
    throw new Error(`dockerd does not start:\n${daemon.log().slice(-3000)}`, { cause })
  }
}

/** If it cannot be started, nothing is left behind. */
const withBridge = (ip: string, bridge: string, folder: string, start: () => Daemon): Daemon => {
  try {
    ask(ip, ['link', 'add', bridge, 'type', 'bridge'])
    return start()
  } catch (cause) {
    rmSync(folder, { recursive: true, force: true })
    throw cause
  }
}

/** Ready to build once this resolves. Registries at 127.0.0.1 are used without TLS. */
const startDockerd = async ({ tls }: DockerdOptions = {}): Promise<Dockerd> => {
  const [program, ip] = [dockerdPath(), programOf('ip', 'iproute2')]
  const port = tls === undefined ? 0 : await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'devtool-dockerd-'))
  const name = folder.slice(folder.lastIndexOf('-') + 1)
  const [bridge, group] = [`devtool${name}`, `/devtool-dockerd-${name}`]
  const words = wordsOf(program, { folder, bridge, group, port }, tls)
  const daemon = withBridge(ip, bridge, folder, () => startDaemon(words, join(folder, 'log')))
  let isOver = false
  const end = (): void => {
    if (isOver) return
    isOver = true
    process.off('exit', end)
    if (!daemon.hasEnded()) process.kill(daemon.pid, 'SIGKILL')
    ask(ip, ['link', 'delete', bridge])
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
    removeGroups(group)
  }
  process.once('exit', end)
  try {
    await awaitReady(daemon, folder)
  } catch (cause) {
    end()
    throw cause
  }
  const path = join(folder, 'socket')
  return {
    host: { _tag: 'Unix', path },
    address: `unix://${path}`,
    port,
    get: (asked) => get(path, asked),
    processes: () => commandsBelow(daemon.pid),
    log: daemon.log,
    kill: async () => {
      if (!daemon.hasEnded()) process.kill(daemon.pid, 'SIGKILL')
      await until('dockerd is gone', daemon.hasEnded)
    },
    end,
  }
}

/** Runs `run` with a daemon and removes it; a failure includes the end of its log. */
export const withDockerd = async <A>(options: DockerdOptions, use: (dockerd: Dockerd) => Promise<A>): Promise<A> => {
  const dockerd = await startDockerd(options)
  try {
    return await use(dockerd)
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause
    cause.message += `\ndockerd said:\n${dockerd.log().slice(-800)}`
    throw cause
  } finally {
    dockerd.end()
  }
}
