/** A session of an SSH connection: a shell, a command or a subsystem, with a terminal or with pipes. */
import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { PseudoTtyInfo, ServerChannel, Session } from 'ssh2'
import { Arguments, asked } from '../adapters/ssh/asked.ts'
import { copyInto, finish } from '../adapters/ssh/channel.ts'
import { programSubsystem, type Size } from '../adapters/ssh/framed.ts'
import { diarySubsystem, syncSubsystem } from '../adapters/sync/messages.ts'
import { environmentSubsystem } from '../domain/dev/hybrid.ts'
import { fromJson } from '../domain/object/codecs.ts'
import { defined } from '../domain/object/defined.ts'
import { type KeptProgram, keptOn, startKept } from './kept.ts'
import { checkFolder, inTerminal, type Sessions, serveKept } from './kept-session.ts'
import { runWithPipes } from './pipes.ts'
import type { Running } from './running.ts'
import { serveSftp } from './sftp.ts'
import { diaryText, serveSync } from './sync.ts'

type Variables = Readonly<Record<string, string>>

const sizeOf = ({ cols, rows }: { readonly cols: number; readonly rows: number }): Size => ({ columns: cols, rows })

/** `undefined` when it has to be run by a shell. */
const wordsOf = (text = ''): ReadonlyArray<string> | undefined => fromJson(Arguments, text)

/** Copies until the program has ended. */
const connect = (running: Running, channel: ServerChannel, connection: Duplex): void => {
  copyInto(channel, running.stdout, connection)
  copyInto(channel.stderr, running.stderr, connection)
  copyInto(running.stdin, channel, connection)
  channel.on('end', () => running.stdin.end())
  void running.exit.then((exit) => finish(channel, exit))
}

type Served = Running & Partial<Pick<KeptProgram, 'close'>>

export const serveSession = (sessions: Sessions, session: Session, connection: Duplex): void => {
  const given: Record<string, string> = {}
  let terminal: PseudoTtyInfo | undefined
  let running: Served | undefined
  let signals: ReadonlyArray<string> = []

  session.on('env', (accept, _reject, { key, val }) => {
    given[key] = val
    accept?.()
  })
  session.on('pty', (accept, _reject, info) => {
    terminal = info
    accept?.()
  })
  session.on('window-change', (accept, _reject, info) => {
    if (terminal !== undefined) terminal = { ...terminal, ...info }
    running?.resize(sizeOf(info))
    accept?.()
  })
  session.on('signal', (accept, _reject, { name }) => {
    if (running === undefined) signals = [...signals, name]
    else running.signal(name)
    accept?.()
  })

  const environment = (): Variables => {
    const known = Object.entries(given).filter(([name]) => !Object.values<string>(asked).includes(name))
    return {
      ...sessions.environment,
      ...Object.fromEntries(known),
      ...defined({ TERM: terminal && (terminal.term || 'xterm-256color') }),
    }
  }

  const start = async (argv: ReadonlyArray<string>): Promise<Served> => {
    const { [asked.folder]: folder = sessions.folder } = given
    const { keepers, shell } = sessions
    checkFolder(folder)
    const request = { argv, folder, environment: environment() }
    if (terminal === undefined) return runWithPipes(request)
    const program = { ...request, argv: inTerminal(shell, argv) }
    return keptOn(await startKept(keepers, randomUUID(), program, sizeOf(terminal)))
  }

  const serve = async (channel: ServerChannel, argv: ReadonlyArray<string>): Promise<void> => {
    const started = await start(argv)
    running = started
    if (terminal !== undefined) started.resize(sizeOf(terminal))
    for (const name of signals) started.signal(name)
    let isOver = false
    void started.exit.then(() => {
      isOver = true
      return isOver
    })
    const leave = (): void => {
      if (isOver) return
      isOver = true
      if (started.close === undefined) started.signal('HUP')
      else started.close()
    }
    connection.once('close', leave)
    channel.once('close', () => {
      connection.off('close', leave)
      leave()
    })
    connect(started, channel, connection)
    if (connection.destroyed) leave()
  }

  const run = (channel: ServerChannel, argv: ReadonlyArray<string>): void => {
    serve(channel, argv).catch((cause: unknown) => {
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
    if (name === environmentSubsystem) {
      const asking = accept()
      asking.write(JSON.stringify(sessions.environment))
      return finish(asking, { code: 0 })
    }
    if (name === diarySubsystem) {
      const reading = accept()
      return void reading.write(diaryText(), () => finish(reading, { code: 0 }))
    }
    if (name === programSubsystem) return serveKept(sessions, accept(), connection)
    if (name !== syncSubsystem) return reject()
    const channel = accept()
    const destroy = (): void => void channel.destroy()
    connection.once('close', destroy)
    void serveSync(channel).then(() => connection.off('close', destroy))
  })
}
