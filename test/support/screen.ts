/** A program in a real terminal. */
import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ReadStream } from 'node:tty'
import * as assert from 'uvu/assert'
import type { NativePty } from '../../src/adapters/process/pty.ts'

const require = createRequire(import.meta.url)
const native: NativePty = require('node-pty/lib/utils.js').loadNativeModule('pty').module

export type Screen = {
  /** All that was written so far, control sequences included. */
  readonly shown: () => string
  readonly type: (keys: string) => void
  readonly resize: (columns: number, rows: number) => void
  /** Those of the terminal, whoever changed them. */
  readonly modes: () => string
  /** Those that the program found when it started: known once it has written anything. */
  readonly modesAtStart: () => string
  readonly until: (text: string) => Promise<void>
  readonly hangUp: () => void
}

type ScreenOptions = {
  readonly columns: number
  readonly rows: number
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
}

/** Writes the modes to the file $0 before the program can change them, and becomes the program. */
const starter = 'COLUMNS=80 stty -a >"$0" && exec "$@"'

export const openScreen = (
  program: string,
  args: ReadonlyArray<string>,
  { columns, cwd = process.cwd(), env = process.env, rows }: ScreenOptions,
): Screen => {
  const environment = Object.entries(env).map(([name, value]) => `${name}=${value ?? ''}`)
  const folder = mkdtempSync(join(tmpdir(), 'screen-'))
  const modesFile = join(folder, 'modes')
  const command = ['-c', starter, modesFile, program, ...args]
  const { fd, pty } = native.fork('/bin/sh', command, environment, cwd, columns, rows, -1, -1, true, '', () => {})
  const slave = openSync(pty, constants.O_RDWR | constants.O_NOCTTY)
  const master = new ReadStream(fd)
  let shown = ''
  let isOpen = true
  master.on('data', (chunk: Buffer) => {
    shown += chunk.toString()
  })
  master.on('error', () => {})
  return {
    shown: () => shown,
    type: (keys) => void writeSync(fd, keys),
    resize: (width, height) => native.resize(fd, width, height),
    modes: () =>
      execFileSync('stty', ['-a'], {
        stdio: [slave, 'pipe', 'inherit'],
        env: { ...process.env, COLUMNS: '80' },
      }).toString(),
    modesAtStart: () => readFileSync(modesFile, 'utf8'),
    until: async (text) => {
      for (let left = 600; left > 0 && !shown.includes(text); left -= 1) await sleep(50)
      assert.ok(shown.includes(text), `${text} in ${shown}`)
    },
    hangUp: () => {
      if (!isOpen) return
      isOpen = false
      closeSync(slave)
      master.destroy()
      rmSync(folder, { recursive: true })
    },
  }
}
