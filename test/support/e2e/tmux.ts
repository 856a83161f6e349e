/** A command in a terminal of tmux, which shows what a person would see. */
import { execFileSync, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { shellQuoted } from '../process/shell.ts'
import { until } from '../process/until.ts'
import type { Start } from './command.ts'

export type Tmux = {
  /** The lines of the screen, including those scrolled off. */
  readonly shown: () => string
  /** Types this text literally. */
  readonly type: (text: string) => void
  /** Presses keys by name: `Enter`, `C-c`, `Escape`. */
  readonly press: (...keys: ReadonlyArray<string>) => void
  readonly resize: (columns: number, rows: number) => void
  readonly until: (text: string | RegExp, seconds?: number) => Promise<void>
}

/** A line of a shell that waits for this size of its window, which keys may overtake, and prints it. */
export const untilSized = (size: string): string =>
  `until [ "$(stty size)" = "${size}" ]; do sleep 0.1; done; stty size`

/** Whether the terminal's session is empty. Its number is the process id of the terminal's shell. */
const isEmpty = (session: string): boolean => {
  const { error, stdout } = spawnSync('ps', ['-o', 'stat=', '-s', session], { encoding: 'utf8' })
  if (error !== undefined) throw error
  return stdout.split('\n').every((state) => state === '' || state.startsWith('Z'))
}

/**
 * The shell around the command prints its exit status (`status 5`), also after Ctrl-C. Afterwards everything in the
 * terminal has ended, since later tests may need the same resources.
 */
export const withTmux = async (
  argv: ReadonlyArray<string>,
  { cwd, env }: Pick<Start, 'cwd' | 'env'>,
  use: (terminal: Tmux) => Promise<void>,
): Promise<void> => {
  const server = ['-L', randomUUID(), '-f', '/dev/null']
  const environment = { ...env, TERM: 'xterm-256color', LANG: 'C.UTF-8' }
  const tmux = (...args: ReadonlyArray<string>): string =>
    execFileSync('tmux', [...server, ...args], { env: environment, cwd, encoding: 'utf8', timeout: 100_000 })
  const size = ['-x', '100', '-y', '30']
  const shown = (): string => tmux('capture-pane', '-p', '-S', '-')
  tmux('new-session', '-d', ...size, `trap : INT; ${argv.map(shellQuoted).join(' ')}; echo "status $?"; cat`)
  try {
    await use({
      shown,
      type: (text) => void tmux('send-keys', '-l', '--', text),
      press: (...keys) => void tmux('send-keys', ...keys),
      resize: (columns, rows) => void tmux('resize-window', '-x', String(columns), '-y', String(rows)),
      until: async (text, seconds = 180) => {
        const isThere = (): boolean => (typeof text === 'string' ? shown().includes(text) : text.test(shown()))
        for (let left = seconds * 10; left > 0 && !isThere(); left -= 1) await sleep(100)
        if (!isThere()) throw new Error(`there is no ${text} in\n${shown()}`)
      },
    })
  } finally {
    const session = tmux('list-panes', '-a', '-F', '#{pane_pid}').trim()
    tmux('kill-server')
    await until('everything in the terminal has ended', () => isEmpty(session), 60_000)
  }
}
