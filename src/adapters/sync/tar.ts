/** The port `Seeds`: tar streams of folders. */
import { constants } from 'node:fs'
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as E from 'fp-ts/lib/Either.js'
import { pack as newPack, type Pack } from 'tar-stream'
import { type GitRules, isGitIgnored, readGitRules } from '../../domain/ignore/gitignore.ts'
import type { Packed, Seeds } from '../../ports/seeds.ts'

const ignoreFile = '.stignore'

type Walk = {
  readonly root: string
  readonly rules: ReadonlyArray<GitRules>
  readonly pack: Pack
  files: number
  bytes: number
  readonly left: Array<string>
}

const rulesOf = async (root: string): Promise<ReadonlyArray<GitRules>> => {
  const text = await fs.readFile(join(root, ignoreFile), 'utf8').catch(() => '')
  return text === '' ? [] : [readGitRules('', text)]
}

const entry = (pack: Pack, header: Parameters<Pack['entry']>[0]): Promise<void> =>
  new Promise((resolve, reject) => {
    pack.entry(header, (failure) => (failure ? reject(failure) : resolve())).end(null)
  })

/** As long as it was when it was opened: the head says so already, and a file may grow or shrink meanwhile. */
const file = async (walk: Walk, path: string): Promise<void> => {
  const opened = await fs.open(join(walk.root, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const found = await opened.stat()
    const { mode, mtime, size } = found
    if (!found.isFile()) return void walk.left.push(path)
    const sink = walk.pack.entry({ name: path, mode: mode & 0o777, mtime, size })
    let sent = 0
    const buffer = Buffer.alloc(Math.min(size, 256 * 1024))
    const write = (bytes: Buffer): Promise<void> | undefined =>
      sink.write(bytes) ? undefined : new Promise((resolve) => sink.once('drain', resolve))
    while (sent < size) {
      const { bytesRead } = await opened.read(buffer, 0, Math.min(buffer.length, size - sent), sent)
      const bytes = bytesRead === 0 ? Buffer.alloc(Math.min(buffer.length, size - sent)) : buffer.subarray(0, bytesRead)
      await write(Buffer.from(bytes))
      sent += bytes.length
    }
    sink.end(null)
    walk.files += 1
    walk.bytes += size
  } finally {
    await opened.close()
  }
}

const folder = async (walk: Walk, path: string): Promise<void> => {
  const { pack, root, rules } = walk
  const entries = await fs.readdir(join(root, path), { withFileTypes: true })
  for (const one of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = path === '' ? one.name : `${path}/${one.name}`
    if (isGitIgnored(rules, name, one.isDirectory())) continue
    try {
      if (one.isSymbolicLink()) {
        await entry(pack, { name, type: 'symlink', linkname: await fs.readlink(join(root, name)) })
        walk.files += 1
      } else if (one.isFile()) await file(walk, name)
      else if (one.isDirectory()) {
        await entry(pack, { name, type: 'directory', mode: (await fs.lstat(join(root, name))).mode & 0o777 })
        await folder(walk, name)
      }
    } catch {
      walk.left.push(name)
    }
  }
}

export const tarSeeds: Seeds = {
  pack: (root) => async () => {
    const isFolder = await fs.stat(root).then(
      (stat) => stat.isDirectory(),
      () => false,
    )
    if (!isFolder) return E.left(`${root} is not a folder`)
    const walk: Walk = { root, rules: await rulesOf(root), pack: newPack(), files: 0, bytes: 0, left: [] }
    const stream = new PassThrough()
    void pipeline(walk.pack, stream).catch(() => {})
    const run = async (): Promise<void> => {
      await folder(walk, '')
      walk.pack.finalize()
    }
    void run().catch((cause: unknown) => stream.destroy(cause instanceof Error ? cause : new Error(String(cause))))
    const packed = (): Packed => ({ files: walk.files, bytes: walk.bytes, left: walk.left })
    return E.right({ stream, packed })
  },
}
