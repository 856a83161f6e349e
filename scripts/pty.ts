/**
 * The native part of node-pty for the agent, prebuilt for each architecture that nodes have. npm would install only that
 * of this machine, so they are fetched here: once, and only with the content that is written down.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './command.ts'

const version = '1.1.0'
const integrity: Readonly<Record<string, string>> = {
  x64: 'sha512-NcNqRTD14QT+vXcEuqSSvmWY+0+WUBn2uRE8EN0zKtDpIEr9d+YiFj16Uqds6QfcLCHfZmC+Ls7YzwTaqDnanA==',
  arm64: 'sha512-yyDBmalCfHpLiQMT2zyLcqL2Fay4Xy7rIs8GH4dqKLnEviMvPGOK7LADVkKAsbsyXBSISL3Lt1m1MtxhPH6ckg==',
}
export const architectures = Object.keys(integrity)

const cache = join(root, '.cache')

const fetchModule = (architecture: string, path: string): void => {
  const folder = mkdtempSync(join(tmpdir(), 'devtool-pty-'))
  try {
    const name = `@lydell/node-pty-linux-${architecture}`
    execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, `${name}@${version}`], { timeout: 120_000 })
    const archive = join(folder, `lydell-node-pty-linux-${architecture}-${version}.tgz`)
    const digest = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
    if (digest !== integrity[architecture]) throw new Error(`${name}@${version} has other content than expected`)
    const bytes = execFileSync('tar', ['-xzOf', archive, 'package/pty.node'], { maxBuffer: 16 * 1024 * 1024 })
    mkdirSync(cache, { recursive: true })
    writeFileSync(`${path}.${process.pid}`, bytes)
    renameSync(`${path}.${process.pid}`, path)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Its licence, which has to be distributed with it. */
export const ptyNotice = (): string => readFileSync(join(root, 'scripts/node-pty-notice.txt'), 'utf8').trim()

/** The path of the module for this architecture. Throws when it cannot be fetched. */
export const ptyModule = (architecture: string): string => {
  const path = join(cache, `pty-${version}-${architecture}.node`)
  if (!existsSync(path)) fetchModule(architecture, path)
  return path
}
