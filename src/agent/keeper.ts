/**
 * A process that holds the terminal or the pipes of one program, so that the program outlives the SSH server and the
 * connection of its client. It serves one client at a time, the latest, on a socket.
 */
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer, type Server, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { NativePty } from '../adapters/process/pty.ts'
import type { ProgramExit } from '../adapters/ssh/channel.ts'
import { Offsets, Size } from '../adapters/ssh/framed.ts'
import { type Frame, frameOf, frameReader, type Kind } from '../adapters/ssh/frames.ts'
import { replayOf } from '../adapters/ssh/replay.ts'
import { fromJson } from '../domain/object/codecs.ts'
import { ifDefined } from '../domain/object/defined.ts'
import { passed } from './collect.ts'
import { KeeperRequest } from './keeper-request.ts'
import { runWithPipes } from './pipes.ts'
import type { Running } from './running.ts'
import { runWithTerminal } from './terminal.ts'

/** How long the program runs without a client. Then it gets SIGHUP, and is killed if it does not end. */
const detachedMs = 60_000
const hangUpMs = 5_000
const killedMs = 2_000

/** Bytes that are kept of each output. More makes a program with pipes wait; of a terminal, the oldest are dropped. */
const mostKept = 256 * 1024

/** Input that has been written, before that is said. */
const mostUntold = 16 * 1024

const outputOf = (kind: 'output' | 'errors', stream: Readable) => ({ kind, stream, kept: replayOf(), received: 0 })

const serve = (server: Server, { socket: path, terminal }: KeeperRequest, running: Running): void => {
  const outputs = [outputOf('output', running.stdout), outputOf('errors', running.stderr)] as const
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
  const flow = (): void => {
    for (const { kept, received, stream } of outputs) {
      const isFull = terminal === undefined && kept.end() - received >= mostKept
      if (!isHangingUp && (isFull || client?.writableNeedDrain === true)) stream.pause()
      else stream.resume()
    }
  }
  const hangUp = (): void => {
    if (exit !== undefined) return leave()
    isHangingUp = true
    flow()
    running.signal('HUP')
    later(hangUpMs, () => {
      running.signal('KILL')
      later(killedMs, leave)
    })
  }
  const detach = (): void => {
    client = undefined
    flow()
    if (!isHangingUp) later(detachedMs, hangUp)
  }
  const send = (kind: Kind, bytes: Buffer | string = ''): void => void client?.write(frameOf(kind, bytes))
  const note = (received: Offsets): void => {
    for (const output of outputs) {
      output.received = received[output.kind]
      if (terminal === undefined) output.kept.forget(output.received)
    }
    flow()
  }
  const attach = (socket: Socket, received: Offsets): void => {
    // Too late to attach: the client would take the signal for the end of the program.
    if (isHangingUp) return void socket.destroy()
    clearTimeout(timer)
    client?.destroy()
    client = socket
    const [output, errors] = outputs.map(({ kept, kind }) => ({ kind, ...kept.since(received[kind]) }))
    send('from', JSON.stringify({ output: output?.from, errors: errors?.from, taken }))
    for (const missed of [output, errors]) {
      if (missed !== undefined && missed.bytes.length > 0) send(missed.kind, missed.bytes)
    }
    if (exit !== undefined) send('exit', JSON.stringify(exit))
    note(received)
  }
  let untold = 0
  const took = (bytes: number): void => {
    untold += bytes
    if (untold < mostUntold) return
    send('taken', String(untold))
    untold = 0
  }
  const take = (socket: Socket, { bytes, kind }: Frame): void => {
    const content = (): string => bytes.toString()
    if (kind === 'attach') ifDefined(fromJson(Offsets, content()), (received) => attach(socket, received))
    else if (kind === 'stdin') {
      taken += bytes.length
      running.stdin.write(bytes, () => took(bytes.length))
    } else if (kind === 'end' && terminal === undefined) running.stdin.end()
    else if (kind === 'received') ifDefined(fromJson(Offsets, content()), note)
    else if (kind === 'resize') ifDefined(fromJson(Size, content()), running.resize)
    else if (kind === 'signal') running.signal(content())
    else if (kind === 'close') hangUp()
    else if (kind === 'done') leave()
  }
  server.on('connection', (socket) => {
    const frames = frameReader()
    socket.on('data', (chunk) => {
      for (const frame of frames(chunk) ?? []) take(socket, frame)
    })
    socket.on('drain', flow)
    socket.on('error', () => {})
    socket.on('close', () => {
      if (client === socket) detach()
    })
  })
  for (const { kept, kind, stream } of outputs) {
    stream.on('data', (chunk: Buffer) => {
      kept.add(chunk)
      if (terminal !== undefined) kept.forget(kept.end() - mostKept)
      passed(chunk.length)
      send(kind, chunk)
      flow()
    })
  }
  const tellExit = (ended: ProgramExit): void => {
    exit = ended
    send('exit', JSON.stringify(ended))
    if (isHangingUp && client === undefined) leave()
  }
  void running.exit.then(tellExit)
  detach()
}

const started = ({ terminal, ...program }: KeeperRequest): Running => {
  if (terminal === undefined) return runWithPipes(program)
  const native: NativePty = createRequire(terminal.pty)(terminal.pty)
  return runWithTerminal(native, program, terminal.size)
}

/** Starts nothing unless the socket is free: another keeper may listen on it. */
const main = async (): Promise<void> => {
  const request = fromJson(KeeperRequest, await text(process.stdin))
  if (request === undefined) return process.exit(1)
  const server = createServer()
  server.once('error', () => process.exit(1))
  server.listen(request.socket, () => {
    serve(server, request, started(request))
    process.stdout.write('ready\n')
  })
}

// The SSH server, which reads this output, may exit before the keeper does.
process.stdout.on('error', () => {})
process.on('SIGHUP', () => {})
void main()
