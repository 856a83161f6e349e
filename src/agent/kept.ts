/** Programs held by a keeper: started, or gone on with after the connection or the SSH server was lost. */
import { spawn } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { framed, type Offsets, type Size } from '../adapters/ssh/framed.ts'
import { frameOf } from '../adapters/ssh/frames.ts'
import { defined } from '../domain/object/defined.ts'
import type { KeeperRequest } from './keeper-request.ts'
import type { ProgramRequest, Running } from './running.ts'

export type Keepers = {
  /** Node, and the bundle of the keeper. */
  readonly node: string
  readonly program: string
  /** The path of the native module for terminals. */
  readonly pty: string
  /** Where the sockets are. */
  readonly folder: string
}

const socketOf = ({ folder }: Keepers, id: string): string => join(folder, `${id}.sock`)

const nothing: Offsets = { output: 0, errors: 0 }

/** A keeper that has been told what its client has received. Rejects when no keeper has this id any more. */
export const attachTo = (keepers: Keepers, id: string, received = nothing): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const path = socketOf(keepers, id)
    const socket = connect(path)
    const fail = (): void => {
      // Its keeper was killed.
      rmSync(path, { force: true })
      reject(new Error('the program has ended'))
    }
    socket.once('error', fail)
    socket.once('connect', () => {
      socket.off('error', fail).on('error', () => {})
      socket.write(frameOf('attach', JSON.stringify(received)))
      resolve(socket)
    })
  })

/** Starts a program with a keeper; it has pipes unless there is a size. Rejects when an id is taken. */
export const startKept = async (
  keepers: Keepers,
  id: string,
  program: ProgramRequest,
  size: Size | undefined,
): Promise<Socket> => {
  const socket = socketOf(keepers, id)
  if (existsSync(socket)) throw new Error('a program of this name runs already')
  const terminal = size && { size, pty: keepers.pty }
  const request: KeeperRequest = { ...program, socket, ...defined({ terminal }) }
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
  return attachTo(keepers, id)
}

/** Says nothing more, and reads to the end: a keeper that cannot write would not read what was sent to it. */
export const leaveKeeper = (keeper: Socket): void => {
  keeper.removeAllListeners('data').end().resume()
}

/** `close` ends the program. */
export type KeptProgram = Running & { readonly close: () => void }

/** The program of a keeper that has been attached to. */
export const keptOn = (socket: Socket): KeptProgram => {
  const { close, end, exit, ...program } = framed(socket)
  // A keeper ends early only when it is killed.
  socket.on('close', () => end({ signal: 'KILL' }))
  return {
    ...program,
    exit: exit.then((ended) => ended ?? { signal: 'KILL' }),
    close: () => {
      close()
      leaveKeeper(socket)
    },
  }
}
