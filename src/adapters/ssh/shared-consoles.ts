/**
 * A console that other processes of this user see and type into, the latest of them at a time, over a socket with the
 * messages of a keeper.
 */
import { chmodSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { PassThrough, Writable } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { fromJson } from '../../domain/object/codecs.ts'
import type { Console } from '../../ports/console.ts'
import type { SharedConsole, SharedConsoles } from '../../ports/shared-consoles.ts'
import { framed, linked, Offsets, Size } from './framed.ts'
import { frameOf, frameReader, type Kind } from './frames.ts'
import { replayOf } from './replay.ts'

/** Of the output, for a process that comes later. */
const mostKept = 256 * 1024
/** What a process may have left unread, before it is given up: the command waits for nobody. */
const mostUnread = 4 * 1024 * 1024
/** The limit of the system is 108 bytes on Linux and 104 on macOS, with the zero at the end. */
const longestPath = 103

const isAnswered = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path)
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })

/** On Windows there are pipes in a folder of their own. */
const addressOf = (path: string): string =>
  process.platform === 'win32' ? `\\\\.\\pipe\\${path.replace(/[^\w.-]/g, '-')}` : path

const listening =
  (server: Server, path: string): TE.TaskEither<string, undefined> =>
  () =>
    new Promise((resolve) => {
      server.once('error', ({ message }) => resolve(E.left(message)))
      server.listen(addressOf(path), () => {
        // The folder is that of this user alone already.
        if (process.platform !== 'win32') chmodSync(path, 0o600)
        resolve(E.right(undefined))
      })
    })

const servedOn = (server: Server, path: string, own: Console): SharedConsole => {
  const [kept, stdin] = [replayOf(), new PassThrough()]
  const resized = new Set<() => void>()
  let size = own.terminal()
  let client: Socket | undefined
  const send = (kind: Kind, bytes: Buffer | string): void => {
    if (client === undefined) return
    client.write(frameOf(kind, bytes))
    if (client.writableLength > mostUnread) client.destroy()
  }
  const attach = (socket: Socket): void => {
    client?.destroy()
    client = socket
    const { bytes, from } = kept.since(0)
    send('from', JSON.stringify({ output: from, errors: 0, taken: 0 }))
    if (bytes.length > 0) send('output', bytes)
  }
  const resize = (text: string): void => {
    const now = fromJson(Size, text)
    if (now === undefined || size === undefined) return
    size = { ...size, columns: now.columns, rows: now.rows }
    for (const tell of resized) tell()
  }
  server.on('connection', (socket) => {
    const frames = frameReader()
    socket.on('error', () => {})
    socket.on('close', () => {
      if (client === socket) client = undefined
    })
    socket.on('data', (chunk) => {
      const found = frames(chunk)
      if (found === undefined) return void socket.destroy()
      for (const { bytes, kind } of found) {
        if (kind === 'attach' && fromJson(Offsets, bytes.toString()) !== undefined) attach(socket)
        else if (client !== socket) continue
        else if (kind === 'stdin') stdin.write(bytes, () => send('taken', String(bytes.length)))
        else if (kind === 'resize') resize(bytes.toString())
      }
    })
  })
  const show = (chunk: Buffer): void => {
    kept.add(chunk)
    kept.forget(kept.end() - mostKept)
    send('output', chunk)
  }
  const stdout = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      show(chunk)
      own.stdout().write(chunk, () => done())
    },
  })
  return {
    console: {
      ...own,
      stdin: () => stdin,
      stdout: () => stdout,
      terminal: () => size,
      onResize: (f) => {
        resized.add(f)
        return () => void resized.delete(f)
      },
    },
    close: async (status) => {
      if (status !== undefined) send('exit', JSON.stringify({ code: status }))
      client?.end()
      await new Promise<void>((resolve) => server.close(() => resolve()))
      rmSync(path, { force: true })
    },
  }
}

const share: SharedConsoles['share'] = (path, own) => async () => {
  if (path.length > longestPath && process.platform !== 'win32') return E.left(`${path} is too long for a socket`)
  if (await isAnswered(addressOf(path))) return E.left(`another process listens on ${path}`)
  // What a process that was killed has left.
  rmSync(path, { force: true })
  const server = createServer()
  const opened = await listening(server, path)()
  return E.map(() => servedOn(server, path, own))(opened)
}

const attach: SharedConsoles['attach'] = (path) => () =>
  new Promise((resolve) => {
    const socket = connect(addressOf(path))
    socket.once('error', () => resolve(undefined))
    socket.once('connect', () => {
      const program = framed(socket)
      socket.on('close', () => program.end())
      socket.write(frameOf('attach', JSON.stringify({ output: 0, errors: 0 })))
      const close = (): void => void socket.destroy()
      const attached = linked(program, () => ({ _tag: 'Lost', reason: 'the background process has ended' }))
      void attached().then((found) => resolve(E.isRight(found) ? { program: found.right, close } : undefined))
    })
  })

export const sharedConsoles: SharedConsoles = { share, attach }
