/** The programs that builds are tested with. What is missing fails the run, and the message says how to get it. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Of Debian: the package that brings each program. */
const packages = {
  busybox: 'busybox-static',
  'docker-registry': 'docker-registry',
  openssl: 'openssl',
  runc: 'runc',
  setpriv: 'util-linux',
  unshare: 'util-linux',
} as const
type Program = keyof typeof packages

/** The tests' own path may lack the folders of the system. */
export const searchPath = `${process.env['PATH'] ?? ''}:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin`

const found = (program: string): string | undefined =>
  searchPath
    .split(':')
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path))

/** Its full path. */
export const pathOf = (program: Program): string => {
  const path = found(program)
  if (path === undefined) throw new Error(`${program} is not there: apt-get install ${packages[program]}`)
  return path
}

/** Of the folder in $BUILDKIT_BIN. */
export const buildkitPath = (program: 'buildctl' | 'buildkitd'): string => {
  const { BUILDKIT_BIN: folder = '' } = process.env
  if (folder === '')
    throw new Error('BUILDKIT_BIN is not set: tests of builds need the folder of buildkitd and buildctl')
  const path = join(folder, program)
  if (!existsSync(path))
    throw new Error(`${path} is not there: BUILDKIT_BIN must be a folder with buildkitd and buildctl`)
  return path
}

/** Everything at once, so that one run tells all that is missing. */
export const needPrograms = (): void => {
  const missing = Object.entries(packages).flatMap(([program, from]) => (found(program) === undefined ? [from] : []))
  if (missing.length > 0) {
    throw new Error(`tests of builds need programs of Debian: apt-get install ${[...new Set(missing)].join(' ')}`)
  }
  buildkitPath('buildkitd')
  buildkitPath('buildctl')
  if (process.getuid?.() !== 0)
    throw new Error('tests of builds start buildkitd with mounts of its own: run them as root')
}

/** What a program says, which must succeed. */
export const ask = (program: string, args: ReadonlyArray<string>, input?: string | Buffer): Buffer => {
  const options = { maxBuffer: 1 << 28, timeout: 60_000, ...(input === undefined ? {} : { input }) }
  const { error, status, stderr, stdout } = spawnSync(program, args, options)
  if (status === 0) return stdout
  throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? `status ${status}`}\n${String(stderr)}`)
}

const listening = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })

/** On this machine only; its port. */
export const listen = (server: Server): Promise<number> => listening(server, 0)

/** A port on which nobody listens. */
export const freePort = async (): Promise<number> => {
  const server = createServer()
  const port = await listen(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Asks again until it holds; fails after 20 seconds. */
export const until = async (what: string, holds: () => boolean | Promise<boolean>): Promise<void> => {
  const end = performance.now() + 20_000
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`waited 20 s: ${what}`)
    await sleep(25)
  }
}

/** A program in the background that dies with this process; its output goes to a file, so that nothing is held open. */
export type Daemon = { readonly pid: number; readonly log: () => string; readonly hasEnded: () => boolean }

export const startDaemon = (words: ReadonlyArray<string>, logFile: string): Daemon => {
  mkdirSync(dirname(logFile), { recursive: true })
  const output = openSync(logFile, 'a')
  const child = spawn(pathOf('setpriv'), ['--pdeathsig', 'KILL', ...words], {
    env: { PATH: searchPath, HOME: dirname(logFile) },
    stdio: ['ignore', output, output],
  })
  child.on('error', () => {})
  child.unref()
  return {
    pid: child.pid ?? 0,
    log: () => readFileSync(logFile, 'utf8'),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
  }
}
