/** The built agent, on this machine. The path of its loader has to be short, so its folder is in /tmp. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { newPair } from '../../../src/adapters/ssh/keys.ts'
import { install } from '../../../src/agent/install.ts'
import type { LinkKeys } from '../../../src/domain/dev/keys.ts'
import type { Link, LinkFailure, LinkProgram } from '../../../src/ports/link.ts'
import { killGroup } from '../process/alive.ts'
import { freePort } from '../process/ports.ts'
import { realLinks } from './links.ts'

export type Started = {
  readonly port: number
  readonly keys: LinkKeys
  readonly process: ChildProcess
  readonly folder: string
}

export const backwards = (word: string): string => Array.from(word).toReversed().join('')

/** How long an agent may take in tests. */
export const connectMs = 30_000

export const listening = async (port: number): Promise<Socket> => {
  for (let left = 200; ; left -= 1) {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const isOpen = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true))
      socket.once('error', () => resolve(false))
    })
    if (isOpen || left === 0) return socket
    await sleep(50)
  }
}

const start = async (environment: Readonly<Record<string, string>> = {}): Promise<Started> => {
  const folder = mkdtempSync('/tmp/d')
  const [host, client, port] = [newPair(), newPair(), await freePort()]
  if (!install({ boot: 'dist/agent', folder, loader: `${folder}/ld.so` })) throw new Error('it is installed already')
  mkdirSync(join(folder, 'keys'))
  writeFileSync(join(folder, 'keys/host_key'), host.private)
  writeFileSync(join(folder, 'keys/client_key.pub'), client.public)
  const child = spawn(join(folder, 'sh'), [join(folder, 'pid1.sh')], {
    cwd: '/',
    detached: true,
    stdio: 'ignore',
    env: {
      ...environment,
      PATH: process.env['PATH'] ?? '',
      DEVTOOL_AGENT_FOLDER: folder,
      DEVTOOL_AGENT_KEYS: join(folder, 'keys'),
      DEVTOOL_AGENT_PORT: String(port),
    },
  })
  return { folder, port, process: child, keys: { client: client.private, host: host.public } }
}

export const rightOf = async <A>(task: TE.TaskEither<LinkFailure, A>): Promise<A> => {
  const result = await task()
  if (E.isLeft(result)) throw new Error(`${result.left._tag}: ${result.left.reason}`)
  return result.right
}

export const linked = async ({ keys, port }: Started): Promise<Link> =>
  rightOf(realLinks.connect(await listening(port), keys, connectMs))

const commandOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/** A process of this command, on this machine. */
export const isRunning = (command: string): boolean =>
  readdirSync('/proc').some((pid) => commandOf(pid).replaceAll('\0', ' ').trim() === command)

export const agentProcess = (folder: string): number => {
  const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && commandOf(name).includes(`${folder}/agent.cjs`))
  if (pid === undefined) throw new Error('the agent does not run')
  return Number(pid)
}

/** Until a link can be made again: the agent may be starting. */
export const linkedAgain = async (started: Started): Promise<Link> => {
  for (let left = 100; ; left -= 1) {
    const link = await realLinks.connect(await listening(started.port), started.keys, connectMs)()
    if (E.isRight(link)) return link.right
    if (left === 0) throw new Error(link.left.reason)
    await sleep(50)
  }
}

export type CommandResult = { readonly status: number; readonly stdout: string; readonly stderr: string }

export const run = async (link: Link, program: LinkProgram, input = ''): Promise<CommandResult> => {
  const running = await rightOf(link.run(program))
  running.stdin.end(input)
  const [stdout, stderr, status] = await Promise.all([
    text(running.stdout),
    text(running.stderr),
    rightOf(running.exit),
  ])
  return { status, stdout, stderr }
}

export const untilText = async (from: Readable, wanted: string): Promise<string> => {
  let seen = ''
  for await (const chunk of from.iterator({ destroyOnReturn: false })) {
    seen += String(chunk)
    if (seen.includes(wanted)) return seen
  }
  throw new Error(`it ended without ${wanted}: ${seen}`)
}

export const terminal = { columns: 100, rows: 30, type: 'xterm' }

export type AgentWorld = { started: Started; link: Link }

type Suite = {
  readonly before: (run: (world: AgentWorld) => Promise<void>) => void
  readonly after: (run: (world: AgentWorld) => Promise<void>) => void
}

/** Runs an agent during a suite, with a link to it; `environment`: of its container. */
export const withStartedAgent = (test: Suite, environment: Readonly<Record<string, string>> = {}): void => {
  test.before(async (context) => {
    context.started = await start(environment)
    context.link = await linked(context.started)
  })
  test.after(async ({ link, started }) => {
    link.close()
    await killGroup(started.process.pid ?? 0)
    rmSync(started.folder, { recursive: true, force: true })
  })
}
