/** Folders to send to a builder: one with every kind of entry, others with many files. */
import { chmodSync, linkSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { ask } from './programs.ts'

/** Names that need no quoting in a Dockerfile. */
const oddNames: ReadonlyArray<string> = [
  'a,b.txt',
  ',',
  'new\nline',
  'ünï ☃ 日本.txt',
  '-dash',
  '--from=x',
  ' spaces ',
  'quo"te\'s',
  'back\\slash',
  '%41%',
  '[a]*?',
  '$HOME',
  '#comment',
  '.hidden',
  'n'.repeat(255),
]

const times: ReadonlyArray<readonly [string, number]> = [
  ['epoch', 0],
  ['early', 1],
  ['fraction', 1_000_000_000.123],
  ['future', 4_102_444_800],
]

/** A server removes its socket when it closes, so the socket is renamed first. */
const makeSocket = async (path: string): Promise<void> => {
  const server = createServer()
  const first = `${path}.new`
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(first, resolve)
  })
  renameSync(first, path)
  await new Promise((resolve) => server.close(resolve))
  rmSync(first, { force: true })
}

const links = (at: (path: string) => string): void => {
  symlinkSync('plain', at('to-file'))
  symlinkSync('deep/er', at('to-folder'))
  symlinkSync('nowhere', at('dangling'))
  symlinkSync('../../../etc/passwd', at('outward'))
  symlinkSync('/etc/hostname', at('absolute'))
  symlinkSync('loop', at('loop'))
  symlinkSync('t'.repeat(1000), at('long-target'))
  linkSync(at('plain'), at('same-as-plain'))
  linkSync(at('plain'), at('deep/same-as-plain'))
}

/**
 * Writes into an empty folder: files of all modes and times, odd names, empty files and folders, symbolic links that
 * dangle, loop or lead out of the folder, hard links, a FIFO and, with `hasSocket`, a socket.
 */
export const everyKind = async (folder: string, hasSocket: boolean): Promise<void> => {
  const at = (path: string): string => join(folder, path)
  for (const path of ['deep/er/still', 'empty', 'odd', 'sticky', 'private', 'order', 'order-a', 'order.a']) {
    mkdirSync(at(path), { recursive: true })
  }
  writeFileSync(at('plain'), 'plain\n')
  writeFileSync(at('none'), '')
  writeFileSync(at('large'), Buffer.alloc(3_000_000, 'large '))
  writeFileSync(at('chunk'), Buffer.alloc(32 * 1024, 1))
  writeFileSync(at('deep/er/still/leaf'), 'leaf')
  // A folder must come before its contents, but as text `order-a` sorts between `order` and `order/x`.
  for (const path of ['order/x', 'order-a/x', 'order.a/x']) writeFileSync(at(path), path)
  for (const name of oddNames) writeFileSync(at(join('odd', name)), name)
  for (const [name, seconds] of times) {
    writeFileSync(at(name), name)
    utimesSync(at(name), seconds, seconds)
  }
  for (const mode of [0o4755, 0o2755, 0o6711, 0o600, 0o444, 0o777, 0o000]) {
    const path = at(`mode-${mode.toString(8)}`)
    writeFileSync(path, 'mode')
    chmodSync(path, mode)
  }
  chmodSync(at('sticky'), 0o1777)
  chmodSync(at('private'), 0o700)
  links(at)
  ask('mkfifo', [at('fifo')])
  if (hasSocket) await makeSocket(at('socket'))
}

/** `bytes`: the size of each file. `salt`: written into each, so that no builder has it cached. */
export type Many = { readonly files: number; readonly bytes: number; readonly salt: string; readonly inFolder?: number }

/** The path of one file of `manyFiles`. */
export const oneOfMany = (index: number, inFolder = 100): string =>
  join(`folder-${Math.floor(index / inFolder)}`, `file-${index}.txt`)

export const manyFiles = (folder: string, { bytes, files, inFolder = 100, salt }: Many): void => {
  const body = Buffer.alloc(bytes)
  for (let index = 0; index < files; index += 1) {
    if (index % inFolder === 0) mkdirSync(join(folder, `folder-${index / inFolder}`), { recursive: true })
    // All lines differ, so that compression on the way gains little.
    for (let at = 0; at + 4 <= bytes; at += 4) body.writeUInt32LE(Math.imul(index + 1, at + 2_654_435_761) >>> 0, at)
    body.write(`${salt} ${index}`, 0, 'utf8')
    writeFileSync(join(folder, oneOfMany(index, inFolder)), body)
  }
}
