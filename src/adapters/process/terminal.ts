/** A child process with a pseudo-terminal. */
import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { isSea } from 'node:sea'
import type { Clock } from '../../ports/clock.ts'
import type { TerminalSize } from '../../ports/commands.ts'
import type { Child, Start } from './child.ts'
import { type NativePty, startWithPty } from './pty.ts'

/** Starts a child with a terminal. Throws when none is available. */
export type Terminals = (start: Start, size: TerminalSize) => Child

const startIn =
  (native: NativePty, helper: string, clock: Pick<Clock, 'after'>): Terminals =>
  ({ args, env, file, folder, onOutput }, size) => {
    const request = { argv: [file, ...args], folder, environment: env, helper }
    const { exit, output, pid, resize } = startWithPty({ native, clock }, request, size)
    output.setEncoding('utf8')
    output.on('data', onOutput)
    return { pid, ended: exit, resize: (columns, rows) => resize({ columns, rows }) }
  }

type Loaded = { readonly dir: string; readonly module: NativePty }
type Loader = { readonly loadNativeModule: (name: string) => Loaded }

/**
 * `undefined` when node-pty is not installed (as in a single executable), not compiled, or works differently (Windows).
 */
export const loadTerminals = (clock: Pick<Clock, 'after'>): Terminals | undefined => {
  if (process.platform === 'win32' || isSea()) return undefined
  try {
    // Resolved from the running program, which works for a bundle as well as for the sources.
    const load = createRequire(realpathSync(process.argv[1] ?? ''))
    const path = load.resolve('node-pty/lib/utils.js')
    const loader: Loader = load(path)
    const { dir, module } = loader.loadNativeModule('pty')
    return startIn(module, join(dirname(path), dir, 'spawn-helper'), clock)
  } catch {
    return undefined
  }
}
