/** Folders on disk with every kind of entry that may be sent to a builder. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Where a hundred thousand files can be created within a second, if possible. */
const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Readable by all users. */
const temporaryFolder = (parent: string): string => {
  const folder = realpathSync(mkdtempSync(join(parent, 'devtool-tree-')))
  chmodSync(folder, 0o755)
  return folder
}

/** Runs with a new folder, which is removed afterwards in any case. */
export const inFolder = async (run: (folder: string) => Promise<void> | void, isLarge = false): Promise<void> => {
  const folder = temporaryFolder(isLarge ? memory : tmpdir())
  try {
    await run(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Creates files by path; a path that ends with a slash is a folder. */
export const plant = (folder: string, files: Readonly<Record<string, string | Uint8Array>>): void => {
  for (const [path, content] of Object.entries(files)) {
    const at = join(folder, path)
    mkdirSync(path.endsWith('/') ? at : dirname(at), { recursive: true })
    if (!path.endsWith('/')) writeFileSync(at, content)
  }
}

/** A socket on which nothing listens: it is renamed before the server can remove it. */
const socketAt = async (path: string): Promise<void> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(`${path}.made`, resolve))
  renameSync(`${path}.made`, path)
  await new Promise((resolve) => server.close(resolve))
}

const files = {
  Dockerfile: 'FROM scratch\nCOPY . /\n',
  '.dockerignore': 'node_modules\n',
  'a-b': 'sorts before the folder a, but not before what is in it',
  'a/one.txt': 'one',
  'a/deep/er/two.txt': 'two',
  'a/deep/er/.hidden': '',
  'a.txt': 'a',
  'comma,comma': ',',
  'empty/': '',
  'line\nfeed': 'a name of two lines',
  large: 'x'.repeat(200_000),
  'node_modules/x/index.js': 'x',
  'node_modules/y/keep.js': 'y',
  'private/key': 'k',
  'ünï/cödé.txt': 'ü',
  'with space ': ' ',
  'z\u{1f600}': 'by its bytes it comes last',
  'z\uffee': 'by its bytes it comes before',
} as const

const links: ReadonlyArray<readonly [target: string, path: string]> = [
  ['a/one.txt', 'link'],
  ['deep', 'a/link-to-folder'],
  ['../link', 'a/link-to-link'],
  ['/a/deep', 'absolute'],
  ['../../../../etc/passwd', 'outside'],
  ['nowhere', 'dangling'],
  ['loop', 'loop'],
  ['a', 'to-a'],
]

const modes: ReadonlyArray<readonly [path: string, mode: number]> = [
  ['a.txt', 0o4755],
  ['a-b', 0o2640],
  ['empty', 0o1777],
  ['private', 0o700],
  ['private/key', 0o600],
]

/** Paths that only root can create. */
export const devices: ReadonlyArray<string> = ['device-block', 'device-char']

export const isRoot = process.getuid?.() === 0

/** Without `recursive`, which follows symbolic links since Node 22. */
const pathsIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? [path, ...pathsIn(path)] : [path]
  })

/** Always the same tree, with nanosecond timestamps. */
export const plantEveryKind = async (folder: string): Promise<void> => {
  plant(folder, files)
  for (const [target, path] of links) symlinkSync(target, join(folder, path))
  linkSync(join(folder, 'a/one.txt'), join(folder, 'hard-link'))
  linkSync(join(folder, 'large'), join(folder, 'a/hard-link'))
  linkSync(join(folder, 'link'), join(folder, 'hard-link-of-link'))
  execFileSync('mknod', ['-m', '640', join(folder, 'pipe'), 'p'])
  await socketAt(join(folder, 'socket'))
  if (isRoot) {
    execFileSync('mknod', ['-m', '660', join(folder, 'device-block'), 'b', '7', '300'])
    execFileSync('mknod', ['-m', '666', join(folder, 'device-char'), 'c', '1', '3'])
  }
  const kept = new Map(modes)
  for (const path of pathsIn(folder)) {
    const name = path.slice(folder.length + 1)
    const isLink = links.some(([, link]) => link === name) || name === 'hard-link-of-link'
    if (isLink || name.startsWith('device') || name === 'pipe') continue
    chmodSync(path, kept.get(name) ?? (name in files || name.includes('hard') || name === 'socket' ? 0o644 : 0o755))
  }
  execFileSync('touch', ['-h', '-d', '@1700000000.123456789', ...pathsIn(folder)])
}

/** Root may read everything, so it runs this as another user. Other users run it as they are. */
export const asOrdinaryUser = async <A>(run: () => Promise<A>): Promise<A> => {
  if (!isRoot) return run()
  process.seteuid?.(65534)
  try {
    return await run()
  } finally {
    process.seteuid?.(0)
  }
}
