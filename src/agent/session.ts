/** A session of an SSH connection: a shell, a command or a subsystem, with a terminal or with pipes. */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Socket } from 'node:net'
import type { PseudoTtyInfo, ServerChannel, Session } from 'ssh2'
import { asked } from '../adapters/ssh/asked.ts'
import { copyInto, finish } from '../adapters/ssh/channel.ts'
import { attachTo, isKept, type Keepers, startKept } from './kept.ts'
import { runWithPipes } from './pipes.ts'
import type { Received, Running, Size } from './running.ts'
import { serveSftp } from './sftp.ts'

export type Sessions = {
  readonly environment: Readonly<Record<string, string>>
  readonly folder: string
  readonly shell: string
  readonly keepers: Keepers
  readonly subsystems: Readonly<Record<string, (channel: ServerChannel, environment: Variables) => void>>
}

type Variables = Readonly<Record<string, string>>

const idPattern = /^[0-9a-f-]{16,64}$/

const sizeOf = ({ cols, rows }: { readonly cols: number; readonly rows: number }): Size => ({ columns: cols, rows })

const isHeld = (id: string | undefined): id is string => id !== undefined && idPattern.test(id)

const receivedOf = (text = '0,0'): Received => {
  const [stdout = 0, stderr = 0] = text.split(',').map(Number)
  return { stdout, stderr }
}

/** `undefined` when it has to be run by a shell. */
const wordsOf = (text: string | undefined): ReadonlyArray<string> | undefined => {
  if (text === undefined) return undefined
  const words: unknown = JSON.parse(text)
  return Array.isArray(words) ? words.map(String) : undefined
}

/** Copies until the program has ended. */
const connect = (running: Running, channel: ServerChannel, connection: Socket): void => {
  copyInto(channel, running.stdout, connection)
  copyInto(channel.stderr, running.stderr, connection)
  copyInto(running.stdin, channel, connection)
  channel.on('end', () => running.stdin.end())
  void running.exit.then((exit) => finish(channel, exit))
}

/** The shell says when a program does not exist; a terminal cannot. */
const inTerminal = (shell: string, argv: ReadonlyArray<string>): ReadonlyArray<string> =>
  argv[0] === shell ? argv : [shell, '-c', 'exec "$@"', 'devtool', ...argv]

export const serveSession = (sessions: Sessions, session: Session, connection: Socket): void => {
  const given: Record<string, string> = {}
  let terminal: PseudoTtyInfo | undefined
  let running: Running | undefined

  session.on('env', (accept, _reject, { key, val }) => {
    given[key] = val
    accept?.()
  })
  session.on('pty', (accept, _reject, info) => {
    terminal = info
    accept?.()
  })
  session.on('window-change', (accept, _reject, info) => {
    running?.resize(sizeOf(info))
    accept?.()
  })
  session.on('signal', (accept, _reject, { name }) => {
    running?.signal(name)
    accept?.()
  })

  const environment = (): Variables => {
    const known = Object.entries(given).filter(([name]) => !Object.values<string>(asked).includes(name))
    const term = terminal === undefined ? {} : { TERM: terminal.term || 'xterm-256color' }
    return { ...sessions.environment, ...Object.fromEntries(known), ...term }
  }

  const start = async (argv: ReadonlyArray<string>): Promise<Running & { readonly detach?: () => void }> => {
    const { [asked.session]: id, [asked.folder]: folder = sessions.folder, [asked.received]: received } = given
    const { keepers, shell } = sessions
    if (isHeld(id) && isKept(keepers, id)) return attachTo(keepers, id, receivedOf(received))
    if (!existsSync(folder)) throw new Error(`the folder ${folder} does not exist`)
    const request = { argv, folder, environment: environment() }
    if (terminal !== undefined) {
      const program = { ...request, argv: inTerminal(shell, argv), terminal: sizeOf(terminal) }
      return startKept(keepers, isHeld(id) ? id : randomUUID(), program)
    }
    return isHeld(id) ? startKept(keepers, id, request) : runWithPipes(request)
  }

  const run = (channel: ServerChannel, argv: ReadonlyArray<string>): void => {
    const serve = async (): Promise<void> => {
      const started = await start(argv)
      running = started
      connect(started, channel, connection)
      channel.on('close', () => {
        // When only the connection is lost, the client may come back for what it has named.
        if (connection.destroyed && isHeld(given[asked.session])) started.detach?.()
        else started.signal('HUP')
      })
    }
    serve().catch((cause: unknown) => {
      channel.stderr.write(`devtool: ${cause instanceof Error ? cause.message : String(cause)}\n`)
      finish(channel, { code: 127 })
    })
  }

  session.on('shell', (accept) => run(accept(), [sessions.shell]))
  session.on('exec', (accept, _reject, { command }) =>
    run(accept(), wordsOf(given[asked.argv]) ?? [sessions.shell, '-c', command]),
  )
  session.on('sftp', (accept) => serveSftp(accept(), sessions.folder))
  session.on('subsystem', (accept, reject, { name }) => {
    const serve = sessions.subsystems[name]
    if (serve === undefined) reject()
    else serve(accept(), environment())
  })
}
