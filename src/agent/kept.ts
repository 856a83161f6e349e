/** Terminals held by a keeper: started, or attached to again after the connection or the SSH server was lost. */
import { spawn } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { Offsets } from '../adapters/ssh/asked.ts'
import { ProgramExit } from '../adapters/ssh/channel.ts'
import { fromJson } from '../domain/object/codecs.ts'
import { ifDefined } from '../domain/object/defined.ts'
import { type Frame, frameOf, frameReader, type Kind } from './frames.ts'
import type { KeeperRequest } from './keeper-request.ts'
import type { ProgramRequest, Running, Size } from './running.ts'

export type Keepers = {
  /** Node, and the bundle of the keeper. */
  readonly node: string
  readonly program: string
  /** The path of the native module for terminals. */
  readonly pty: string
  /** Where the sockets are. */
  readonly folder: string
}

/**
 * `from`: the offset at which the output resumes, larger than requested when the start is no longer kept. `taken`:
 * bytes of input so far. Then one of: `detach` leaves the program to a client that comes back, `close` ends it, `done`
 * confirms that its exit is known.
 */
export type KeptProgram = Running & {
  readonly from: number
  readonly taken: number
  readonly detach: () => void
  readonly close: () => void
  readonly done: () => void
}

const socketOf = ({ folder }: Keepers, id: string): string => join(folder, `${id}.sock`)

const keptOn = (
  socket: Socket,
): { readonly take: (frame: Frame) => void; readonly kept: Omit<KeptProgram, 'from' | 'taken'> } => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  stderr.end()
  let taken = (): void => {}
  let tell = (_exit: ProgramExit): void => {}
  const exit = new Promise<ProgramExit>((resolve) => {
    tell = resolve
  })
  const end = (ended: ProgramExit): void => {
    // Earlier data may still be unread.
    stdout.once('end', () => tell(ended)).end()
    stdin.destroy()
  }
  const write = (bytes: Buffer): void => {
    if (stdout.write(bytes)) return
    socket.pause()
    stdout.once('drain', () => socket.resume())
  }
  // A keeper ends early only when it is killed.
  socket.on('close', () => end({ signal: 'KILL' }))
  const send = (kind: Kind, bytes: Buffer | string = ''): void => void socket.write(frameOf(kind, bytes))
  const stdin = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      taken = done
      send('stdin', chunk)
    },
  })
  stdin.on('error', () => {})
  return {
    take: ({ bytes, kind }) => {
      if (kind === 'output') write(bytes)
      else if (kind === 'taken') taken()
      else if (kind === 'exit') ifDefined(fromJson(ProgramExit, bytes.toString()), end)
    },
    kept: {
      stdin,
      stdout,
      stderr,
      resize: (size) => send('resize', JSON.stringify(size)),
      signal: (name) => send('signal', name),
      exit,
      detach: () => socket.destroy(),
      close: () => socket.end(frameOf('close')),
      done: () => socket.end(frameOf('done')),
    },
  }
}

/** `undefined` when no keeper has this id any more. */
export const attachTo = (keepers: Keepers, id: string, received: number): Promise<KeptProgram | undefined> =>
  new Promise((resolve) => {
    const path = socketOf(keepers, id)
    const socket = connect(path)
    socket.once('error', () => {
      // Its keeper was killed.
      rmSync(path, { force: true })
      resolve(undefined)
    })
    socket.once('close', () => resolve(undefined))
    socket.once('connect', () => {
      const { kept, take } = keptOn(socket)
      const frames = frameReader()
      socket.on('data', (chunk) => {
        for (const frame of frames(chunk)) {
          if (frame.kind === 'from')
            ifDefined(fromJson(Offsets, frame.bytes.toString()), (offsets) => resolve({ ...kept, ...offsets }))
          else take(frame)
        }
      })
      socket.write(frameOf('attach', String(received)))
    })
  })

/** Starts a program with a keeper. Rejects when an id is taken. */
export const startKept = async (
  keepers: Keepers,
  id: string,
  program: ProgramRequest,
  size: Size,
): Promise<KeptProgram> => {
  if (existsSync(socketOf(keepers, id))) throw new Error('a program of this name runs already')
  const request: KeeperRequest = { ...program, size, socket: socketOf(keepers, id), pty: keepers.pty }
  const keeper = spawn(keepers.node, [...process.execArgv, keepers.program], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {},
  })
  keeper.stdin.on('error', () => {})
  keeper.stdin.end(JSON.stringify(request))
  await new Promise<void>((resolve, reject) => {
    keeper.once('error', reject)
    keeper.once('exit', (code) => reject(new Error(`the keeper of the program ended with status ${code}`)))
    keeper.stdout.once('data', () => resolve())
  })
  keeper.stdout.destroy()
  keeper.unref()
  const kept = await attachTo(keepers, id, 0)
  if (kept === undefined) throw new Error('the keeper of the program ended')
  return kept
}
