/**
 * A process that holds the terminal of one program, so that the program outlives the SSH server and the connection of
 * its client. It serves one client at a time, the latest, on a socket.
 */
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { NativePty } from '../adapters/process/pty.ts'
import type { ProgramExit } from '../adapters/ssh/channel.ts'
import { fromJson } from '../domain/object/codecs.ts'
import { ifDefined } from '../domain/object/defined.ts'
import { passed } from './collect.ts'
import { type Frame, frameOf, frameReader, type Kind } from './frames.ts'
import { KeeperRequest } from './keeper-request.ts'
import { replayOf } from './replay.ts'
import { type Running, Size } from './running.ts'
import { runWithTerminal } from './terminal.ts'

/** How long the program runs without a client. Then it gets SIGHUP, and is killed if it does not end. */
const detachedMs = 60_000
const hangUpMs = 5_000
const killedMs = 2_000

const serve = (server: Server, { socket: path }: KeeperRequest, running: Running): void => {
  const output = replayOf()
  let client: Socket | undefined
  /** Bytes of input, of all clients. */
  let taken = 0
  let exit: ProgramExit | undefined
  let timer: NodeJS.Timeout | undefined

  const leave = (): void => {
    rmSync(path, { force: true })
    process.exit(0)
  }
  const later = (ms: number, act: () => void): void => {
    clearTimeout(timer)
    timer = setTimeout(act, ms)
  }
  let isHangingUp = false
  const hangUp = (): void => {
    if (exit !== undefined) return leave()
    isHangingUp = true
    running.signal('HUP')
    later(hangUpMs, () => {
      running.signal('KILL')
      later(killedMs, leave)
    })
  }
  /** Without a client the program keeps running, and only the last part of its output is kept. */
  const detach = (): void => {
    client = undefined
    running.stdout.resume()
    if (!isHangingUp) later(detachedMs, hangUp)
  }
  const send = (kind: Kind, bytes: Buffer | string = ''): void => {
    if (client?.write(frameOf(kind, bytes)) === false) running.stdout.pause()
  }
  const attach = (socket: Socket, received: number): void => {
    // Too late to attach: the client would take the signal for the end of the program.
    if (isHangingUp) return void socket.destroy()
    clearTimeout(timer)
    client?.destroy()
    client = socket
    const { bytes, from } = output.since(received)
    send('from', JSON.stringify({ from, taken }))
    if (bytes.length > 0) send('output', bytes)
    if (exit !== undefined) send('exit', JSON.stringify(exit))
  }
  const take = (socket: Socket, { bytes, kind }: Frame): void => {
    if (kind === 'attach') attach(socket, Number(bytes.toString()))
    else if (kind === 'stdin') {
      taken += bytes.length
      running.stdin.write(bytes, () => send('taken'))
    } else if (kind === 'resize') ifDefined(fromJson(Size, bytes.toString()), running.resize)
    else if (kind === 'signal') running.signal(bytes.toString())
    else if (kind === 'close') hangUp()
    else if (kind === 'done') leave()
  }
  server.on('connection', (socket) => {
    const frames = frameReader()
    socket.on('data', (chunk) => {
      for (const frame of frames(chunk)) take(socket, frame)
    })
    socket.on('drain', () => running.stdout.resume())
    socket.on('error', () => {})
    socket.on('close', () => {
      if (client === socket) detach()
    })
  })
  running.stdout.on('data', (chunk: Buffer) => {
    output.add(chunk)
    passed(chunk.length)
    send('output', chunk)
  })
  const tellExit = (ended: ProgramExit): void => {
    exit = ended
    send('exit', JSON.stringify(ended))
    if (isHangingUp && client === undefined) leave()
  }
  void running.exit.then(tellExit)
  detach()
}

/** Starts nothing unless the socket is free: another keeper may listen on it. */
const main = async (): Promise<void> => {
  const request = fromJson(KeeperRequest, await text(process.stdin))
  if (request === undefined) return process.exit(1)
  const server = createServer()
  server.once('error', () => process.exit(1))
  server.listen(request.socket, () => {
    const native: NativePty = createRequire(request.pty)(request.pty)
    serve(server, request, runWithTerminal(native, request, request.size))
    process.stdout.write('ready\n')
  })
}

// The SSH server, which reads this output, may exit before the keeper does.
process.stdout.on('error', () => {})
process.on('SIGHUP', () => {})
void main()
