/** The subsystem for programs that outlive their connection: what client and keeper say to each other passes through. */
import { existsSync } from 'node:fs'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ServerChannel } from 'ssh2'
import { copyInto, finish } from '../adapters/ssh/channel.ts'
import { KeptRequest } from '../adapters/ssh/framed.ts'
import { type Frame, frameOf, frameReader } from '../adapters/ssh/frames.ts'
import { fromJson } from '../domain/object/codecs.ts'
import { defined } from '../domain/object/defined.ts'
import { attachTo, type Keepers, leaveKeeper, startKept } from './kept.ts'

export type Sessions = {
  readonly environment: Readonly<Record<string, string>>
  readonly folder: string
  readonly shell: string
  readonly keepers: Keepers
}

const idPattern = /^[0-9a-f-]{16,64}$/

/** Throws when the folder does not exist, with words for people. */
export const checkFolder = (folder: string): void => {
  if (!existsSync(folder)) throw new Error(`the folder ${folder} does not exist`)
}

/** Started by the shell, which reports a program that does not exist; node-pty does not. */
export const inTerminal = (shell: string, argv: ReadonlyArray<string>): ReadonlyArray<string> =>
  argv[0] === shell ? argv : [shell, '-c', 'exec "$@"', 'devtool', ...argv]

const wordsOf = (shell: string, { command }: KeptRequest): ReadonlyArray<string> => {
  if (command === undefined) return [shell]
  return typeof command === 'string' ? [shell, '-c', command] : command
}

const keeperFor = async (sessions: Sessions, { bytes, kind }: Frame): Promise<Socket> => {
  const request = kind === 'run' ? fromJson(KeptRequest, bytes.toString()) : undefined
  if (request === undefined || !idPattern.test(request.id)) throw new Error('the request cannot be read')
  const { environment, folder = sessions.folder, id, received, terminal } = request
  const { keepers, shell } = sessions
  if (received !== undefined) return attachTo(keepers, id, received)
  checkFolder(folder)
  const argv = wordsOf(shell, request)
  const type = terminal && (terminal.type || 'xterm-256color')
  const variables = { ...sessions.environment, ...environment, ...defined({ TERM: type }) }
  const program = { argv: terminal === undefined ? argv : inTerminal(shell, argv), folder, environment: variables }
  return startKept(keepers, id, program, terminal)
}

/** Until one of them leaves: a client that lost its connection may come back. */
const pass = (keeper: Socket, channel: ServerChannel, connection: Duplex): void => {
  const leave = (): void => leaveKeeper(keeper)
  for (const event of ['end', 'close']) channel.once(event, leave)
  connection.once('close', leave)
  keeper.once('close', () => {
    connection.off('close', leave)
    finish(channel, { signal: 'KILL' })
  })
  copyInto(channel, keeper, connection)
  copyInto(keeper, channel, connection)
  channel.resume()
  if (connection.destroyed) leave()
}

/** The client sends nothing after its request until it has an answer. */
export const serveKept = (sessions: Sessions, channel: ServerChannel, connection: Duplex): void => {
  const frames = frameReader()
  const refuse = (cause: unknown): void => {
    channel.write(frameOf('refused', cause instanceof Error ? cause.message : String(cause)))
    finish(channel, { code: 1 })
  }
  const take = (chunk: Buffer): void => {
    const found = frames(chunk)
    const [first] = found ?? [{ kind: 'close', bytes: chunk } as const]
    if (first === undefined) return
    channel.off('data', take).pause()
    keeperFor(sessions, first).then((keeper) => pass(keeper, channel, connection), refuse)
  }
  channel.on('data', take)
}
