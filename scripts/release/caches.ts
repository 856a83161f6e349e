/**
 * Code caches for a single executable: V8's caches of runs without a cluster, which use most of the code of any run. On
 * disk, the program writes each cache twice to detect damage; those inside of an executable are written once.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../command.ts'

const runs: ReadonlyArray<ReadonlyArray<string>> = [
  ['deploy', '--dry-run', '--file', 'compose.yaml'],
  ['validate', '--file', 'compose.yaml'],
  ['completion', 'bash'],
  ['explain', 'DT1012'],
  ['schema'],
  ['__complete', '--', 'deploy', '--'],
]

/**
 * A project in a clone, as most are, with the files of the command beside it. What this repository is, a clone, a
 * worktree or neither, and where it is must not matter.
 */
const writeProject = (folder: string): string => {
  const project = join(folder, 'vote')
  cpSync(join(root, 'examples/vote'), project, { recursive: true })
  mkdirSync(join(project, '.git'))
  writeFileSync(join(project, '.git/config'), '[remote "origin"]\n\turl = https://git.example.com/vote.git\n')
  symlinkSync(join(root, 'dist'), join(folder, 'dist'))
  return project
}

/** The command. A cache contains the path of its file: here that is a relative one. */
const program = `
  const text = require('node:fs').readFileSync('../dist/devtool.cjs', 'latin1').replace(/^#!.*/, '')
  require('node:vm').compileFunction(text, ['require', '__dirname'])(require, '../dist')
`

/** Writes them as NAME.bin. `node`: that of the executable. Its seed must be that of the hashes in the caches. */
export const makeCaches = (node: string, out: string): void => {
  const folder = mkdtempSync(join(tmpdir(), 'devtool-caches-'))
  try {
    const project = writeProject(folder)
    for (const args of runs) {
      const env = { PATH: process.env['PATH'], HOME: folder, XDG_CACHE_HOME: folder, NO_COLOR: '1' }
      const { status, stderr } = spawnSync(node, ['--random-seed=1', '--eval', program, 'devtool', ...args], {
        cwd: project,
        env,
        encoding: 'utf8',
        timeout: 60_000,
      })
      if (status !== 0) throw new Error(`devtool ${args.join(' ')} ended with ${status}\n${stderr}`)
    }
    mkdirSync(out, { recursive: true })
    const written = join(folder, 'devtool')
    for (const file of readdirSync(written).toSorted()) {
      const bytes = readFileSync(join(written, file))
      const name = file.replace(/-[0-9a-f]{16}-.*$/, '')
      writeFileSync(join(out, `${name}.bin`), bytes.subarray(0, bytes.length / 2))
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
