/**
 * Lines of the documentation, typed in a shell of bash: with `devtool`, `kubectl` and OpenSSH on the PATH, a home of its own
 * and a kubeconfig whose context is called `staging`.
 */
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { installedWords } from '../cli/installed.ts'
import { type Tmux, withTmux } from './tmux.ts'

type Typed = { readonly status: number; readonly stdout: string; readonly stderr: string }

/** `until`: what it prints when it is interrupted, as it would not end by itself. */
type Waited = { readonly until?: RegExp }

export type Shell = {
  readonly type: (line: string, waited?: Waited) => Promise<Typed>
  /** Likewise, and it must end with 0, or with 130 when it is interrupted. */
  readonly must: (line: string, waited?: Waited) => Promise<Typed>
  readonly inTerminal: (line: string, use: (terminal: Tmux) => Promise<void>) => Promise<void>
  readonly enter: (folder: string) => void
}

type ShellOptions = {
  readonly home: string
  /** $KUBECONFIG by default, and the name of its context. */
  readonly kubeconfig?: string
  readonly context: string
  readonly env?: Readonly<Record<string, string>>
}

/** No line of a page takes this long: one that does hangs and is killed. */
const hangMs = 900_000

const typed = (
  line: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
  { until }: Waited = {},
): Promise<Typed> =>
  new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', line], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    const end = (signal: NodeJS.Signals): void => {
      if (child.pid !== undefined) process.kill(-child.pid, signal)
    }
    const guard = setTimeout(() => end('SIGKILL'), hangMs)
    let [stdout, stderr, isEnding] = ['', '', false]
    const look = (): void => {
      if (isEnding || until?.test(`${stderr}${stdout}`) !== true) return
      isEnding = true
      end('SIGINT')
    }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      look()
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
      look()
    })
    child.on('error', reject)
    child.on('close', (status) => {
      clearTimeout(guard)
      resolve({ status: status ?? 130, stdout, stderr })
    })
  })

const executable = (path: string, text: string): void => {
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
}

/** OpenSSH asks the system for the home of the user, not $HOME. */
const fillPath = (bin: string, home: string): void => {
  mkdirSync(bin, { recursive: true })
  executable(join(bin, 'devtool'), `exec ${installedWords} "$@"`)
  symlinkSync(process.env['KUBECTL'] ?? '', join(bin, 'kubectl'))
  for (const name of ['ssh', 'scp']) {
    executable(join(bin, name), `exec /usr/bin/${name} -F '${join(home, '.ssh/test')}' "$@"`)
  }
  mkdirSync(join(home, '.ssh'), { recursive: true, mode: 0o700 })
  writeFileSync(join(home, '.ssh/test'), `Include "${join(home, '.ssh/devtool')}/*.conf"\n`)
}

export const shellIn = ({ context, env = {}, home, kubeconfig: given }: ShellOptions): Shell => {
  const { KUBECONFIG = '', PATH = '' } = process.env
  const bin = join(home, '.bin')
  fillPath(bin, home)
  const kubeconfig = join(home, '.kubeconfig')
  const renamed = readFileSync(given ?? KUBECONFIG, 'utf8')
    .replace(/^(contexts:[^]*?name: )[\w-]+/m, '$1staging')
    .replace(`current-context: ${context}`, 'current-context: staging')
  writeFileSync(kubeconfig, renamed)
  const variables = {
    PATH: `${bin}:${PATH}`,
    HOME: home,
    DEVTOOL_HOME: join(home, '.devtool'),
    KUBECONFIG: kubeconfig,
    NO_COLOR: '1',
    ...env,
  }
  let cwd = home
  const type: Shell['type'] = (line, waited) => typed(line, cwd, variables, waited)
  return {
    type,
    must: async (line, waited) => {
      const ended = await type(line, waited)
      const { status, stderr, stdout } = ended
      assert.is(status, waited?.until === undefined ? 0 : 130, `${line}\n${stderr}\n${stdout}`)
      return ended
    },
    inTerminal: (line, use) => withTmux(['bash', '-c', line], { cwd, env: variables }, use),
    enter: (folder) => {
      cwd = join(cwd, folder)
    },
  }
}

/** The line for the namespace of this run. */
export const adapted = (line: string, from: string, namespace: string): string =>
  line.replace(new RegExp(`(namespace )${from}\\b`, 'g'), `$1${namespace}`)

/** What the terminal shows of it, once this question is answered with yes. */
export const answered = async (shell: Shell, line: string, question: string): Promise<ReadonlyArray<string>> => {
  let lines: ReadonlyArray<string> = []
  await shell.inTerminal(line, async (terminal) => {
    terminal.resize(200, 50)
    await terminal.until(question)
    terminal.type('y')
    terminal.press('Enter')
    await terminal.until(/^status \d/m, 400)
    lines = terminal.shown().split('\n')
  })
  assert.ok(lines.includes('status 0'), lines.join('\n'))
  return lines
}
