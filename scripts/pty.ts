/**
 * The native part of node-pty for the agent, prebuilt for each architecture that nodes may have. npm would install only
 * that of this machine.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './command.ts'
import { fetchedFile } from './fetched.ts'

const version = '1.1.0'
const integrity: Readonly<Record<string, string>> = {
  x64: 'sha512-NcNqRTD14QT+vXcEuqSSvmWY+0+WUBn2uRE8EN0zKtDpIEr9d+YiFj16Uqds6QfcLCHfZmC+Ls7YzwTaqDnanA==',
  arm64: 'sha512-yyDBmalCfHpLiQMT2zyLcqL2Fay4Xy7rIs8GH4dqKLnEviMvPGOK7LADVkKAsbsyXBSISL3Lt1m1MtxhPH6ckg==',
}
export const architectures = Object.keys(integrity)

/** Its licence, which has to be distributed with it. */
export const ptyNotice = (): string => readFileSync(join(root, 'scripts/node-pty-notice.txt'), 'utf8').trim()

/** The path of the module for this architecture. Throws when it cannot be fetched. */
export const ptyModule = (architecture: string): string =>
  fetchedFile(
    { package: `@lydell/node-pty-linux-${architecture}`, version, integrity: integrity[architecture] ?? '' },
    'pty.node',
  )
