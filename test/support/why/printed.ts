/** The commands in the output of `devtool why`, each run in a shell by a user who knows nothing but these lines. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { advisedIn } from '../cli/golden-commands.ts'
import { installedScript } from '../cli/installed.ts'
import { eachAtOnce } from '../kube/api-server.ts'

type Typed = { readonly line: string; readonly status: number | null; readonly stdout: string; readonly stderr: string }

const longestMs = 180_000

const type = (line: string, folder: string): Promise<Typed> =>
  new Promise((resolve, reject) => {
    const env = { PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, HOME: folder, NO_COLOR: '1' }
    const child = spawn('bash', ['-c', line], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: longestMs,
    })
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    child.on('error', reject)
    child.on('close', (status) => resolve({ line, status, stdout, stderr }))
  })

/**
 * The output of `why` for each of these arguments, and the result of each command in it; $KUBECTL is the `kubectl` on
 * the PATH.
 */
export const typedFrom = async (
  reports: ReadonlyArray<string>,
): Promise<{ readonly reports: ReadonlyArray<Typed>; readonly commands: ReadonlyArray<Typed> }> => {
  const folder = mkdtempSync(join(tmpdir(), 'why-printed-'))
  try {
    mkdirSync(join(folder, 'bin'))
    writeFileSync(join(folder, 'bin/devtool'), installedScript)
    chmodSync(join(folder, 'bin/devtool'), 0o755)
    const kubectl = process.env['KUBECTL'] ?? ''
    if (kubectl !== '') symlinkSync(kubectl, join(folder, 'bin/kubectl'))
    const told = await eachAtOnce(reports, (line) => type(line, folder))
    const lines = [...new Set(told.flatMap(({ stdout, stderr }) => advisedIn(`${stdout}\n${stderr}`)))]
    return { reports: told, commands: await eachAtOnce(lines, (line) => type(line, folder)) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
