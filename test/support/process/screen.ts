/** A program in a real terminal, which `script` of util-linux opens: nothing has to be compiled for it. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { staysAlive } from './alive.ts'
import { shellQuoted } from './shell.ts'

export type Screen = {
  /** All output so far, including control sequences. */
  readonly shown: () => string
  readonly type: (keys: string) => void
  readonly resize: (columns: number, rows: number) => void
  /** The current modes of the terminal. */
  readonly modes: () => string
  /** The modes when the program started: known once it has written anything. */
  readonly modesAtStart: () => string
  readonly until: (text: string) => Promise<void>
  /** Resolves once the program has ended: shells write to their home when they are hung up on. */
  readonly hangUp: () => Promise<void>
}

type ScreenOptions = {
  readonly columns: number
  readonly rows: number
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
}

/** Writes its process id, and the terminal's name and modes, into the folder $0 before the program can change them, and becomes the program. */
const starter =
  'echo $$ >"$0/pid" && stty cols "$1" rows "$2" && tty >"$0/tty" && COLUMNS=80 stty -a >"$0/modes" && shift 2 && exec "$@"'

export const openScreen = (
  program: string,
  args: ReadonlyArray<string>,
  { columns, cwd = process.cwd(), env = process.env, rows }: ScreenOptions,
): Screen => {
  const folder = mkdtempSync(join(tmpdir(), 'screen-'))
  const command = ['exec', '/bin/sh', '-c', starter, folder, String(columns), String(rows), program, ...args]
  const options = ['--quiet', '--flush', '--echo', 'always', '--command', command.map(shellQuoted).join(' ')]
  // Its shell runs the command, since the user's may be any shell.
  const terminal = spawn('script', [...options, '/dev/null'], { cwd, env: { ...env, SHELL: '/bin/sh' } })
  let shown = ''
  terminal.stdout.on('data', (chunk: Buffer) => {
    shown += chunk.toString()
  })
  const ofTerminal = (...settings: ReadonlyArray<string>): string =>
    execFileSync('stty', ['-F', readFileSync(join(folder, 'tty'), 'utf8').trim(), ...settings], {
      env: { ...process.env, COLUMNS: '80' },
    }).toString()
  return {
    shown: () => shown,
    type: (keys) => void terminal.stdin.write(keys),
    resize: (width, height) => void ofTerminal('cols', String(width), 'rows', String(height)),
    modes: () => ofTerminal('-a'),
    modesAtStart: () => readFileSync(join(folder, 'modes'), 'utf8'),
    until: async (text) => {
      for (let left = 600; left > 0 && !shown.includes(text); left -= 1) await sleep(50)
      assert.ok(shown.includes(text), `${text} in ${shown}`)
    },
    hangUp: async () => {
      if (terminal.killed) return
      terminal.kill('SIGKILL')
      const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
      await staysAlive(pid)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
