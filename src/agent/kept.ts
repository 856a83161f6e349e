/** Programs that a keeper holds: started, or met again after the connection or the SSH server was lost. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import type { ProgramExit } from '../adapters/ssh/channel.ts'
import { type Frame, frameOf, frameReader } from './frames.ts'
import type { KeeperRequest } from './keeper-request.ts'
import type { ProgramRequest, Received, Running } from './running.ts'

export type Keepers = {
  /** Node, and the bundle of the keeper. */
  readonly node: string
  readonly program: string
  /** The path of the native module for terminals. */
  readonly pty: string
  /** Where the sockets are. */
  readonly folder: string
}

/** `from`: where the outputs go on, which is later than `received` when there was too much. */
type Kept = Running & { readonly from: Received; readonly detach: () => void }

const socketOf = ({ folder }: Keepers, id: string): string => join(folder, `${id}.sock`)

export const isKept = (keepers: Keepers, id: string): boolean => existsSync(socketOf(keepers, id))

const runningOn = (socket: Socket): { readonly take: (frame: Frame) => void; readonly running: Running } => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  let tell = (_exit: ProgramExit): void => {}
  const exit = new Promise<ProgramExit>((resolve) => {
    tell = resolve
  })
  const end = (ended: ProgramExit): void => {
    stdout.end()
    stderr.end()
    tell(ended)
  }
  const write = (output: PassThrough, bytes: Buffer): void => {
    if (bytes.length === 0 || output.write(bytes)) return
    socket.pause()
    output.once('drain', () => socket.resume())
  }
  // A keeper ends early only when it is killed.
  socket.on('close', () => end({ signal: 'KILL' }))
  const stdin = new Writable({
    write: (chunk: Buffer, _encoding, done) => void socket.write(frameOf('stdin', chunk), () => done()),
    final: (done) => void socket.write(frameOf('stdinEnd'), () => done()),
  })
  return {
    take: ({ bytes, kind }) => {
      if (kind === 'stdout') write(stdout, bytes)
      else if (kind === 'stderr') write(stderr, bytes)
      else if (kind === 'exit') {
        end(JSON.parse(bytes.toString()))
        // The keeper ends when its client has left.
        socket.destroy()
      }
    },
    running: {
      stdin,
      stdout,
      stderr,
      resize: (size) => void socket.write(frameOf('resize', JSON.stringify(size))),
      signal: (name) => void socket.write(frameOf('signal', name)),
      exit,
    },
  }
}

/** Rejects when no keeper has this id any more. */
export const attachTo = (keepers: Keepers, id: string, received: Received): Promise<Kept> =>
  new Promise((resolve, reject) => {
    const socket = connect(socketOf(keepers, id))
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.removeListener('error', reject)
      socket.on('error', () => {})
      const { running, take } = runningOn(socket)
      const frames = frameReader()
      socket.on('data', (chunk) => {
        for (const frame of frames(chunk)) {
          if (frame.kind === 'from')
            resolve({ ...running, from: JSON.parse(frame.bytes.toString()), detach: () => socket.destroy() })
          else take(frame)
        }
      })
      socket.write(frameOf('attach', JSON.stringify(received)))
    })
  })

/** Starts a program with a keeper. */
export const startKept = async (keepers: Keepers, id: string, program: ProgramRequest): Promise<Kept> => {
  const request: KeeperRequest = { ...program, socket: socketOf(keepers, id), pty: keepers.pty }
  const keeper = spawn(keepers.node, [keepers.program], { detached: true, stdio: ['pipe', 'pipe', 'inherit'], env: {} })
  keeper.stdin.on('error', () => {})
  keeper.stdin.end(JSON.stringify(request))
  await new Promise<void>((resolve, reject) => {
    keeper.once('error', reject)
    keeper.once('exit', (code) => reject(new Error(`the keeper of the program ended with status ${code}`)))
    keeper.stdout.once('data', () => resolve())
  })
  keeper.stdout.destroy()
  keeper.unref()
  return attachTo(keepers, id, { stdout: 0, stderr: 0 })
}
