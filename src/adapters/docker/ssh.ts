/** A connection to the Docker daemon of another machine, through the local ssh program. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { readSsh, type SshHost } from '../../domain/build/docker-host.ts'
import type { Clock } from '../../ports/clock.ts'
import { guard } from '../process/guard.ts'
import { envMap, findProgram, withoutCurrentFolder } from '../process/programs.ts'
import type { DockerLink } from './link.ts'
import { socketPair } from './pair.ts'

const stderrLimit = 16 * 1024
/** How long ssh may take to exit after its last bytes. */
const endingMs = 1000
/** How long ssh may take to exit after SIGTERM. */
const graceMs = 2000

/**
 * `BatchMode`: never asks questions, since there may be several connections while other output is on the terminal. The
 * arguments after the host are interpreted by a remote shell; {@link readSsh} allows no special characters.
 */
const argsOf = ({ host, path, port, user }: SshHost): ReadonlyArray<string> => [
  '-T',
  '-o',
  'BatchMode=yes',
  '-o',
  'ConnectTimeout=15',
  ...(user === undefined ? [] : ['-l', user]),
  ...(port === undefined ? [] : ['-p', String(port)]),
  '--',
  host,
  'docker',
  ...(path === undefined ? [] : ['--host', `unix://${path}`]),
  'system',
  'dial-stdio',
]

const advice = (line: string): string => {
  if (/permission denied \(|passphrase/i.test(line)) return `${line}; add your key to the ssh agent`
  if (/host key verification failed/i.test(line)) return `${line}; connect once with ssh to accept the host key`
  if (/command not found|docker: not found/i.test(line)) return `${line}; Docker is not installed there`
  return line
}

/** Why ssh ended, in its own words; waits for its output. */
const problemOf = (child: ChildProcessWithoutNullStreams, clock: Clock): (() => Promise<string | undefined>) => {
  let [stderr, failed]: [string, string | undefined] = ['', undefined]
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-stderrLimit)
  })
  const ended = new Promise<void>((resolve) => {
    child.once('error', (cause) => {
      failed = `ssh cannot be started: ${cause.message}`
      resolve()
    })
    child.once('close', () => resolve())
  })
  return async () => {
    const over = new AbortController()
    await Promise.race([ended.then(() => over.abort()), clock.sleep(endingMs, over.signal)])
    const last = stderr.trim().split('\n').at(-1) ?? ''
    return failed ?? (last === '' ? undefined : `ssh: ${advice(last.replace(/^ssh: /, '').slice(0, 300))}`)
  }
}

/** Copies bytes in both directions until either side ends, and then ends the program. */
const passOn = (far: Socket, child: ChildProcessWithoutNullStreams, clock: Clock): void => {
  for (const pipe of [far, child.stdin, child.stdout, child.stderr]) pipe.on('error', () => {})
  far.pipe(child.stdin)
  child.stdout.pipe(far)
  child.once('error', () => far.destroy())
  child.once('close', () => far.end())
  far.once('close', () => {
    child.stdout.destroy()
    // Stderr may stay open after the end: an ssh in the background, for later connections, inherits it.
    if (!child.stderr.closed) {
      const cancel = clock.after(endingMs, () => child.stderr.destroy())
      child.stderr.once('close', cancel)
    }
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    const spare = clock.after(graceMs, () => child.kill('SIGKILL'))
    child.once('exit', spare)
    child.kill()
  })
}

/** Nothing has been heard from the other side yet. The program ends with the socket. */
export const startSsh =
  (url: string, env: Readonly<Record<string, string | undefined>>, clock: Clock): TE.TaskEither<string, DockerLink> =>
  async () => {
    const host = readSsh(url)
    if (host === undefined) return E.left('it is not a valid ssh address')
    const ssh = await findProgram('ssh', envMap(env), '/')
    if (ssh === undefined) return E.left('ssh is not installed')
    // On streams other than sockets, Node's HTTP/2 crashes when both sides end at the same time.
    const pair = await socketPair()
    if (E.isLeft(pair)) return pair
    const [socket, far] = pair.right
    socket.on('error', () => {})
    // A process group of its own: Ctrl-C is for this process, and the daemon should hear of it through this connection.
    const child = spawn(ssh, argsOf(host), {
      env: Object.fromEntries(withoutCurrentFolder(envMap(env))),
      stdio: 'pipe',
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
    child.once('exit', guard(child, 'Group'))
    const problem = problemOf(child, clock)
    passOn(far, child, clock)
    return E.right({ socket, problem })
  }
