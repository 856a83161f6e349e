/** Lets build steps sign with the keys of this machine, which never leave it: moby.sshforward.v1.SSH. */

import { closeSync, constants, fstatSync, readFileSync, statSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { BuildFailure } from '../../domain/build/failure.ts'
import type { Solve } from '../../domain/build/solve.ts'
import { quote } from '../../domain/text/fault.ts'
import { visible } from '../../domain/text/visible.ts'
import type { Clock } from '../../ports/clock.ts'
import { openWithin, realPathWithin } from '../paths/within.ts'
import { BytesMessage, CheckAgentRequest, CheckAgentResponse } from './gen/buildkit.ts'
import type { CallStatus, Handler, RpcCall, RpcService, Unary } from './rpc/call.ts'
import { readMessage } from './rpc/unreadable.ts'
import { unary } from './serve/unary.ts'
import { agentFailure, agentMessages, isHarmless } from './ssh-frames.ts'
import { outside } from './sync/reason.ts'

type Environment = Readonly<Record<string, string | undefined>>

type Machine = { readonly clock: Clock; readonly env: Environment }

const failedPrecondition = 9
/** The status for an id that was not forwarded. */
const unimplemented = 12
const unavailable = 14

const connectMs = 2000
const isWindows = process.platform === 'win32'

const noAgent = 'no SSH agent is running: SSH_AUTH_SOCK is not set'
const neither = 'it is neither the socket of an SSH agent nor a key'
const keyLimitBytes = 100 * 1024
const readOnly = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0)

/** A response; `undefined` when there can be no more. */
type Answerer = (question: Uint8Array) => Promise<Uint8Array | undefined>

type Agent = { readonly _tag: 'Socket'; readonly path: string } | { readonly _tag: 'Keys'; readonly answerTo: Answerer }

type KeyFile = { readonly path: string; readonly text: string }

const reasons: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['ENOTDIR', 'there is no such file'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
])

const reasonOf = (cause: unknown): string => {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : 'unknown error'
  return reasons.get(code) ?? code
}

const refusal = (path: string, reason: string): string => `${visible(path)}: ${reason}`

/** What a path refers to: the socket of an agent, or a file. */
const readPath = (path: string, root: string | undefined): E.Either<string, KeyFile | 'Socket'> => {
  const refuse = (reason: string): E.Either<string, never> => E.left(refusal(path, reason))
  let fd: number | undefined
  try {
    if (realPathWithin(root, path) === undefined) return refuse(outside)
    // A socket cannot be opened, and opening a device can have side effects; the opened file is checked again.
    const found = statSync(path)
    if (found.isSocket()) return E.right('Socket')
    if (!found.isFile()) return refuse(neither)
    fd = openWithin(root, path, readOnly)
    if (fd === undefined) return refuse(outside)
    const opened = fstatSync(fd)
    if (!opened.isFile() || opened.size > keyLimitBytes) return refuse(neither)
    return E.right({ path, text: readFileSync(fd, 'utf8') })
  } catch (cause) {
    return refuse(reasonOf(cause))
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

/** Few builds use key files, so what reads them is loaded on demand. */
const agentOfKeys =
  (files: ReadonlyArray<KeyFile>): TE.TaskEither<string, Agent> =>
  async () => {
    const { answerWith, readSshKey } = await import('./ssh-keys.ts')
    const read = E.traverseArray(({ path, text }: KeyFile) =>
      E.mapLeft((reason: string) => refusal(path, reason))(readSshKey(text)),
    )(files)
    return E.map(
      (keys: Parameters<typeof answerWith>[0]): Agent => ({
        _tag: 'Keys',
        answerTo: async (question) => answerWith(keys, question),
      }),
    )(read)
  }

/** One socket, or keys from files. Left: why neither can be used. */
const agentOf = (
  paths: ReadonlyArray<string>,
  root: string | undefined,
  env: Environment,
): TE.TaskEither<string, Agent> => {
  const [first, ...more] = paths.length > 0 ? paths : [env['SSH_AUTH_SOCK'] ?? '']
  if (first === undefined || first === '') return TE.left(noAgent)
  // Named pipes are not files.
  if (isWindows && first.startsWith('\\\\.\\pipe\\')) return TE.right({ _tag: 'Socket', path: first })
  const files: Array<KeyFile> = []
  for (const path of [first, ...more]) {
    const read = readPath(path, paths.length > 0 ? root : undefined)
    if (E.isLeft(read)) return TE.left(read.left)
    if (read.right !== 'Socket') files.push(read.right)
    else if (more.length === 0) return TE.right({ _tag: 'Socket', path })
    else return TE.left(refusal(path, 'an SSH agent stands alone, without other sockets and keys'))
  }
  return agentOfKeys(files)
}

const dial =
  (path: string, signal: AbortSignal, clock: Clock): TE.TaskEither<string, Socket> =>
  () =>
    new Promise((resolve) => {
      const socket = connect(path)
      const end = (result: E.Either<string, Socket>): void => {
        cancel()
        signal.removeEventListener('abort', stop)
        resolve(result)
      }
      const refuse = (reason: string): void => {
        end(E.left(`the SSH agent at ${visible(path)} ${reason}`))
        socket.destroy()
      }
      const stop = (): void => refuse('was not waited for')
      const cancel = clock.after(connectMs, () => refuse('does not answer'))
      signal.addEventListener('abort', stop, { once: true })
      socket.once('connect', () => end(E.right(socket)))
      // The reader sees later errors.
      socket.on('error', () => refuse('cannot be reached'))
      if (signal.aborted) stop()
    })

async function* bytesOf(messages: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const message of messages) yield readMessage(BytesMessage, message).data
}

const wrapped = (data: Uint8Array): Uint8Array => BytesMessage.encode({ data }).finish()

const bySocket = (socket: Socket): Answerer => {
  const answers = agentMessages(socket)
  return async (question) => {
    socket.write(question)
    const answer = await answers.next()
    return answer.done === true ? undefined : answer.value
  }
}

/** One response per request, in order, as the protocol requires. */
const relay = async ({ messages, send }: RpcCall, answerTo: Answerer): Promise<CallStatus | undefined> => {
  for await (const question of agentMessages(bytesOf(messages))) {
    const answer = isHarmless(question) ? await answerTo(question) : agentFailure
    if (answer === undefined) return { code: unavailable, message: 'the SSH agent has closed the connection' }
    await send(wrapped(answer))
  }
  return undefined
}

const broken: CallStatus = { code: unavailable, message: 'the connection with the SSH agent broke' }

const relayTo = async (agent: Agent, call: RpcCall, clock: Clock): Promise<CallStatus | undefined> => {
  if (agent._tag === 'Keys') {
    return relay(call, agent.answerTo).catch(() => broken)
  }
  const socket = await dial(agent.path, call.signal, clock)()
  if (E.isLeft(socket)) return { code: unavailable, message: socket.left }
  const stop = (): void => {
    socket.right.destroy()
  }
  call.signal.addEventListener('abort', stop, { once: true })
  try {
    return await relay(call, bySocket(socket.right))
  } catch {
    return broken
  } finally {
    call.signal.removeEventListener('abort', stop)
    stop()
  }
}

/**
 * `ssh`: sockets or keys by id; no path means the socket of SSH_AUTH_SOCK. `fail` is called for those that cannot be
 * used, since a step may silently go on without them.
 */
export const sshService = (
  { root, ssh }: Pick<Solve, 'ssh' | 'root'>,
  { clock, env }: Machine,
  fail: (failure: BuildFailure) => void = () => {},
): RpcService => {
  const known = new Map(ssh.map(({ id, paths }) => [id, paths]))
  const find = (id: string): TE.TaskEither<CallStatus, Agent> => {
    const name = id === '' ? 'default' : id
    const paths = known.get(name)
    if (paths === undefined) return TE.left({ code: unimplemented, message: `no SSH agent ${quote(visible(name))}` })
    const what = `SSH agent ${quote(visible(name))}`
    return TE.mapLeft((cause: string): CallStatus => {
      fail({ _tag: 'Unusable', what, cause })
      return { code: failedPrecondition, message: `${what}: ${cause}` }
    })(agentOf(paths, root, env))
  }
  const check: Unary = (request) =>
    TE.map(() => CheckAgentResponse.encode({}).finish())(find(readMessage(CheckAgentRequest, request).id))
  const forward: Handler = (call) =>
    pipe(
      find(call.header('buildkit.ssh.id')[0] ?? ''),
      TE.matchE(
        (refused): T.Task<CallStatus | undefined> => T.of(refused),
        (agent) => () => relayTo(agent, call, clock),
      ),
    )()
  return new Map([
    ['/moby.sshforward.v1.SSH/CheckAgent', unary(check)],
    ['/moby.sshforward.v1.SSH/ForwardAgent', forward],
  ])
}
