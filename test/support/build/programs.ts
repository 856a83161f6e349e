/**
 * The programs that builds are tested with. If one is missing the run fails, and the message says how to install it.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The Debian package of each program. */
const packages = {
  busybox: 'busybox-static',
  'docker-registry': 'docker-registry',
  openssl: 'openssl',
  runc: 'runc',
  setpriv: 'util-linux',
  unshare: 'util-linux',
} as const
type Program = keyof typeof packages

/** The PATH of the tests may lack the system's folders. */
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

/** In the folder $BUILDKIT_BIN. */
export const buildkitPath = (program: 'buildctl' | 'buildkitd'): string => {
  const { BUILDKIT_BIN: folder = '' } = process.env
  if (folder === '')
    throw new Error('BUILDKIT_BIN is not set: tests of builds need the folder of buildkitd and buildctl')
  const path = join(folder, program)
  if (!existsSync(path))
    throw new Error(`${path} is not there: BUILDKIT_BIN must be a folder with buildkitd and buildctl`)
  return path
}

/** Looks for all of them, so that one run names everything that is missing. */
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

/** The output of a program, which must succeed. */
export const ask = (program: string, args: ReadonlyArray<string>, input?: string | Buffer): Buffer => {
  const options = { maxBuffer: 1 << 28, timeout: 60_000, ...(input === undefined ? {} : { input }) }
  const { error, status, stderr, stdout } = spawnSync(program, args, options)
  if (status === 0) return stdout
  throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? `status ${status}`}\n${String(stderr)}`)
}

/** A background program that is killed with this process. Its output goes to a file, so that no pipe is kept open. */
export type Daemon = { readonly pid: number; readonly log: () => string; readonly hasEnded: () => boolean }

export const startDaemon = (words: ReadonlyArray<string>, logFile: string): Daemon => {
  mkdirSync(dirname(logFile), { recursive: true })
  const output = openSync(logFile, 'a')
  const child = spawn(pathOf('setpriv'), ['--pdeathsig', 'KILL', ...words], {
    cwd: dirname(logFile),
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
