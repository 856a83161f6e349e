/**
 * A process that holds the terminal or pipes of one program, so that the program outlives the SSH server and the
 * connection of its client. It serves one client at a time, the latest, on a socket.
 */
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { ProgramExit } from '../adapters/ssh/channel.ts'
import { type Frame, frameOf, frameReader, type Kind } from './frames.ts'
import type { KeeperRequest } from './keeper-request.ts'
import { runWithPipes } from './pipes.ts'
import { replayOf } from './replay.ts'
import type { ProgramRequest, Received, Running } from './running.ts'
import { type NativePty, runWithTerminal } from './terminal.ts'

/** Longer without a client, the program is told to hang up, and killed if it does not end. */
const detachedMs = 60_000
const hangUpMs = 5_000

const start = (request: KeeperRequest): Running => {
  if (request.terminal === undefined) return runWithPipes(request)
  const native: NativePty = createRequire(request.pty)(request.pty)
  return runWithTerminal(native, request, request.terminal)
}

/** A terminal goes on without a client, as its last output is what counts; what has pipes waits. */
const isLossless = ({ terminal }: ProgramRequest): boolean => terminal === undefined

const serve = (request: KeeperRequest, running: Running): void => {
  const outputs = { stdout: replayOf(), stderr: replayOf() }
  let client: Socket | undefined
  let exit: ProgramExit | undefined
  let hangUp: NodeJS.Timeout | undefined

  const leave = (): void => {
    rmSync(request.socket, { force: true })
    process.exit(0)
  }
  const detach = (): void => {
    client = undefined
    if (isLossless(request)) for (const output of [running.stdout, running.stderr]) output.pause()
    hangUp = setTimeout(() => {
      if (exit !== undefined) leave()
      running.signal('HUP')
      setTimeout(() => running.signal('KILL'), hangUpMs)
      void running.exit.then(leave)
    }, detachedMs)
  }
  const tellExit = (ended: ProgramExit): void => {
    exit = ended
    send('exit', JSON.stringify(ended))
  }
  const send = (kind: Kind, bytes: Buffer | string): void => {
    if (client?.write(frameOf(kind, bytes)) === false) {
      for (const output of [running.stdout, running.stderr]) output.pause()
    }
  }
  const resume = (): void => {
    for (const output of [running.stdout, running.stderr]) output.resume()
  }
  for (const kind of ['stdout', 'stderr'] as const) {
    running[kind].on('data', (chunk: Buffer) => {
      outputs[kind].add(chunk)
      send(kind, chunk)
    })
  }
  const attach = (socket: Socket, received: Partial<Received>): void => {
    clearTimeout(hangUp)
    client?.destroy()
    client = socket
    const [stdout, stderr] = [outputs.stdout.since(received.stdout ?? 0), outputs.stderr.since(received.stderr ?? 0)]
    send('from', JSON.stringify({ stdout: stdout.from, stderr: stderr.from }))
    send('stdout', stdout.bytes)
    send('stderr', stderr.bytes)
    if (exit !== undefined) send('exit', JSON.stringify(exit))
    resume()
  }
  const take = (socket: Socket, { bytes, kind }: Frame): void => {
    if (kind === 'attach') attach(socket, JSON.parse(bytes.toString()))
    else if (kind === 'stdin') running.stdin.write(bytes)
    else if (kind === 'stdinEnd') running.stdin.end()
    else if (kind === 'resize') running.resize(JSON.parse(bytes.toString()))
    else if (kind === 'signal') running.signal(bytes.toString())
  }
  const server = createServer((socket) => {
    const frames = frameReader()
    socket.on('data', (chunk) => {
      for (const frame of frames(chunk)) take(socket, frame)
      if (!running.stdin.writableNeedDrain) return
      socket.pause()
      running.stdin.once('drain', () => socket.resume())
    })
    socket.on('drain', resume)
    socket.on('error', () => {})
    socket.on('close', () => {
      if (client !== socket) return
      // The client has been told how the program ended.
      if (exit !== undefined) leave()
      detach()
    })
  })
  server.listen(request.socket, () => process.stdout.write('ready\n'))
  detach()
  void running.exit.then(tellExit)
}

// What the server reads of the output ends with it.
process.stdout.on('error', () => {})
process.on('SIGHUP', () => {})
const main = async (): Promise<void> => {
  const request: KeeperRequest = JSON.parse(await text(process.stdin))
  serve(request, start(request))
}
void main()
