/** The port `Links`, using ssh2. Loaded on demand. */
import { randomUUID } from 'node:crypto'
import { Duplex } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import ssh2, { type Algorithms, type Client, type ClientChannel } from 'ssh2'
import { defined } from '../../domain/object/defined.ts'
import type { Link, LinkedProgram, LinkFailure, LinkProgram, Links } from '../../ports/link.ts'
import { asked } from './asked.ts'
import { gathering, splice, statusOf } from './channel.ts'
import { framed, type KeptRequest, linked, programSubsystem } from './framed.ts'
import { frameOf } from './frames.ts'
import { newPair } from './keys.ts'
import { askForSigns, type SignsClock } from './signs.ts'

const algorithms: Algorithms = { cipher: ['aes128-gcm@openssh.com'] }

const lost = (reason: string): LinkFailure => ({ _tag: 'Lost', reason })
/** The library's own message is not informative. */
const refused = ({ message }: Error): LinkFailure => ({
  _tag: 'Refused',
  reason: message.replace(/^\(SSH\) Channel open failure: ?/, '') || 'it was refused',
})

/** Settings for devtool's agent, passed as variables. */
const variablesOf = ({ command, environment, folder }: LinkProgram): Record<string, string> => ({
  ...environment,
  ...defined({
    [asked.argv]: Array.isArray(command) ? JSON.stringify(command) : undefined,
    [asked.folder]: folder,
  }),
})

/** Called as soon as the channel is opened: all output of a short program may have arrived already. */
const programOn = (channel: ClientChannel, ended: Promise<unknown>, lostBecause: () => string): LinkedProgram => {
  const exit = new Promise<E.Either<LinkFailure, number>>((resolve) => {
    channel.once('exit', (code: number | null, signal = '') =>
      resolve(E.right(statusOf(code === null ? { signal: signal.slice(3) } : { code }))),
    )
    const loseIt = (): void => resolve(E.left(lost(lostBecause())))
    channel.once('close', loseIt)
    // A channel that is not read is never closed.
    void ended.then(loseIt)
  })
  channel.on('error', () => {})
  return {
    from: { output: 0, errors: 0 },
    taken: 0,
    stdin: channel,
    stdout: channel,
    stderr: channel.stderr,
    resize: ({ columns, rows }) => channel.setWindow(rows, columns, 0, 0),
    signal: (name) => channel.signal(name),
    received: () => {},
    exit: () => exit,
  }
}

/** A program that outlives the connection. */
const namedOn = (
  channel: ClientChannel,
  request: KeptRequest,
  ended: Promise<unknown>,
  lostBecause: () => string,
): { readonly program: TE.TaskEither<LinkFailure, LinkedProgram>; readonly close: () => void } => {
  channel.on('error', () => {})
  channel.stderr.resume()
  channel.write(frameOf('run', JSON.stringify(request)))
  const program = framed(channel)
  const { close, end } = program
  let isHere = true
  // The agent says that the keeper has gone. Its last words may still be unread.
  channel.once('exit', () => {
    isHere = false
    if (channel.readableEnded) end({ signal: 'KILL' })
    else channel.once('end', () => end({ signal: 'KILL' }))
  })
  channel.once('close', () => end())
  void ended.then(() => end())
  const gone = (): LinkFailure => lost(lostBecause())
  const missing = (): LinkFailure => (isHere ? gone() : { _tag: 'Refused', reason: 'the program has ended' })
  return { close, program: linked(program, gone, missing) }
}

const linkOf = (client: Client, bytes: Duplex): Link => {
  // One listener per forwarded connection.
  bytes.setMaxListeners(0)
  let isOurs = false
  let cause: string | undefined
  const why = (): string => cause ?? 'the connection was closed'
  client.on('error', (failure) => {
    cause ??= failure.message
  })
  let isOpen = true
  const closed = new Promise<string | undefined>((resolve) => {
    client.once('close', () => {
      isOpen = false
      resolve(isOurs ? undefined : why())
    })
  })
  void closed.then(() => bytes.destroy())

  /** Pending requests. Nothing else must hold on to channels, since a link may last for days. */
  const waiting = new Set<() => void>()
  void closed.then(() => {
    for (const lose of waiting) lose()
    return waiting.clear()
  })

  /** Ends programs that would otherwise wait for their client. */
  const outliving = new Set<() => void>()
  void closed.then(() => outliving.clear())

  const drop = (): void => {
    isOurs = true
    client.end()
    bytes.destroy()
  }

  /** ssh2 throws when the connection is gone. */
  const open =
    <A>(
      start: (done: (failure: Error | undefined, channel: ClientChannel) => void) => void,
      use: (channel: ClientChannel) => A,
    ): TE.TaskEither<LinkFailure, A> =>
    () =>
      new Promise((resolve) => {
        const lose = (): void => resolve(E.left(lost(why())))
        if (!isOpen) return lose()
        waiting.add(lose)
        const answer = (failure: Error | undefined, channel: ClientChannel): void => {
          waiting.delete(lose)
          if (failure === undefined) return resolve(E.right(use(channel)))
          // At the end of the connection ssh2 rejects pending requests, too.
          return isOpen ? resolve(E.left(refused(failure))) : lose()
        }
        try {
          start(answer)
        } catch {
          waiting.delete(lose)
          lose()
        }
      })

  const listeners = new Map<number, TE.TaskEither<unknown, Duplex>>()
  client.on('tcp connection', ({ destPort }, accept, reject) => {
    const local = listeners.get(destPort) ?? TE.left('nobody listens')
    void pipe(
      local,
      TE.match(
        () => reject(),
        (socket) => splice(socket, accept(), bytes),
      ),
    )()
  })

  return {
    run: (request) => {
      const { command, environment = {}, folder, session, terminal } = request
      if (session !== undefined) {
        const asking = { ...session, environment, ...defined({ command, folder, terminal }) }
        return pipe(
          open(
            (done) => void client.subsys(programSubsystem, done),
            (channel) => {
              const { close, program } = namedOn(channel, asking, closed, why)
              outliving.add(close)
              channel.once('close', () => outliving.delete(close))
              return program
            },
          ),
          TE.flatten,
        )
      }
      const pty = terminal && { term: terminal.type, cols: terminal.columns, rows: terminal.rows }
      const options = { env: variablesOf(request), ...defined({ pty }) }
      return open(
        (done) => {
          if (command === undefined) client.shell(pty ?? false, { env: options.env }, done)
          else client.exec(typeof command === 'string' ? command : command.join(' '), options, done)
        },
        (channel) => programOn(channel, closed, why),
      )
    },
    forward: (local, { host, port }) =>
      open(
        (done) => void client.forwardOut('127.0.0.1', 0, host, port, done),
        (channel) => splice(local, channel, bytes),
      ),
    subsystem: (name) =>
      open(
        (done) => void client.subsys(name, done),
        (channel) => {
          channel.on('error', () => {})
          // Nothing is written there, but a channel that is not read is never closed.
          channel.stderr.resume()
          void closed.then(() => channel.destroy())
          return channel
        },
      ),
    listen:
      ({ host, port }, local) =>
      () =>
        new Promise((resolve) => {
          void closed.then(() => resolve(E.left(lost(why()))))
          if (!isOpen) return
          client.forwardIn(host, port, (failure, bound) => {
            if (failure !== undefined) return resolve(E.left(refused(failure)))
            listeners.set(bound, local)
            resolve(E.right(bound))
          })
        }),
    closed: () => closed,
    drop,
    close: () => {
      if (outliving.size === 0) return drop()
      isOurs = true
      for (const leave of outliving) leave()
      // The other end closes once it has read that.
      client.end()
    },
  }
}

const isSameKey = (expected: string, given: Buffer): boolean => {
  const key = ssh2.utils.parseKey(expected)
  return !(key instanceof Error) && key.getPublicSSH().equals(given)
}

const connecting =
  (clock: SignsClock): Links['connect'] =>
  (given, keys, limitMs, keepAliveMs) =>
  () =>
    new Promise((resolve) => {
      const bytes =
        'stdin' in given ? Duplex.from({ readable: given.stdout, writable: gathering(given.stdin) }) : gathering(given)
      bytes.on('error', () => {})
      const client = new ssh2.Client()
      const fail = (reason: string): void => {
        bytes.destroy()
        resolve(E.left(lost(reason)))
      }
      client.on('error', ({ message }) => fail(message))
      client.once('close', () => fail('the connection was closed before it was ready'))
      client.once('ready', () => {
        client.removeAllListeners('close')
        askForSigns(clock, client, bytes, keepAliveMs)
        resolve(E.right(linkOf(client, bytes)))
      })
      client.connect({
        sock: bytes,
        username: 'devtool',
        privateKey: keys.client,
        hostVerifier: (key: Buffer) => isSameKey(keys.host, key),
        readyTimeout: limitMs,
        algorithms,
      })
    })

export const sshLinks = (clock: SignsClock): Links => ({
  connect: connecting(clock),
  newKeys: () => Promise.resolve({ client: newPair(), host: newPair() }),
  newId: () => Promise.resolve(randomUUID()),
})
