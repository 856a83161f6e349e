/**
 * Installs the agent into the folder that the containers of a pod share: copies of this Node and its shells with all
 * their libraries, which then run in any image, and the agent's own files. Needs glibc, and no program but Node. Every
 * file is renamed into place and what is installed is not touched again: programs may be running from it.
 */
import { createHash } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import * as E from 'fp-ts/lib/Either.js'
import {
  type Dynamic,
  type Elf,
  headBytes,
  linkNames,
  readDynamic,
  readElf,
  stringsOf,
  useLoader,
} from '../domain/dev/elf.ts'

export type Installation = {
  readonly boot: string
  readonly folder: string
  /** The path that programs get as their loader: that of the folder in the containers. */
  readonly loader: string
}

type Linked = {
  readonly elf: Elf
  readonly dynamic: Dynamic
  readonly needed: ReadonlyArray<string>
  readonly soname: string | undefined
}

const readAt = (file: number, { offset, size }: { readonly offset: number; readonly size: number }): Buffer => {
  const bytes = Buffer.alloc(size)
  return bytes.subarray(0, readSync(file, bytes, 0, size, offset))
}

const readLinks = (path: string): E.Either<string, Linked> => {
  const file = openSync(path, 'r')
  try {
    return E.map((elf: Elf): Linked => {
      const dynamic = readDynamic(readAt(file, elf.dynamic))
      const strings = stringsOf(elf, dynamic)
      return { elf, dynamic, ...linkNames(dynamic, strings === undefined ? Buffer.alloc(0) : readAt(file, strings)) }
    })(readElf(readAt(file, { offset: 0, size: headBytes })))
  } finally {
    closeSync(file)
  }
}

/** Writes a file under another name first. */
const place = (path: string, write: (path: string) => void): void => {
  const unfinished = `${path}.new`
  rmSync(unfinished, { force: true })
  write(unfinished)
  chmodSync(unfinished, 0o755)
  renameSync(unfinished, path)
}

const fail = (path: string, why: string): never => {
  throw new Error(`${path}: ${why}`)
}

/** Copies a program so that it uses the loader and libraries of the folder; returns the libraries that it needs. */
const copyProgram = (from: string, to: string, loader: string): ReadonlyArray<string> => {
  const links = readLinks(from)
  // A static program runs anywhere as it is.
  const edits = E.isRight(links) ? useLoader(links.right.elf, links.right.dynamic, loader) : E.right([])
  if (E.isLeft(edits)) return fail(from, edits.left)
  place(to, (path) => {
    copyFileSync(from, path)
    chmodSync(path, 0o755)
    const file = openSync(path, 'r+')
    for (const { bytes, offset } of edits.right) writeSync(file, bytes, 0, bytes.length, offset)
    closeSync(file)
  })
  return E.isRight(links) ? links.right.needed : []
}

/** The libraries that this process runs with. */
const mappedLibraries = (): ReadonlyArray<string> => {
  const paths = readFileSync('/proc/self/maps', 'utf8')
    .split('\n')
    .map((line) => line.slice(line.indexOf('/')))
    .filter((path) => path.startsWith('/') && /\.so(?:\.|$)/.test(path))
  return [...new Set(paths)]
}

/**
 * Libraries that are loaded by name while a program runs, so no ELF file lists them: for host names, and for the
 * terminal.
 */
const loadedLater = [
  'libutil.so.1',
  'libdl.so.2',
  'libpthread.so.0',
  'libresolv.so.2',
  'libnss_dns.so.2',
  'libnss_files.so.2',
]

/** Copies libraries and those they need into `folder`, each under the name by which others ask for it. */
const librariesInto = (folder: string, libc: string) => {
  const searched = [dirname(libc), '/lib64', '/usr/lib64', '/usr/lib']
  const copied = new Set<string>()
  const copy = (path: string): void => {
    const links = readLinks(path)
    const { needed, soname = basename(path) } = E.isRight(links) ? links.right : { needed: [] }
    if (copied.has(soname)) return
    copied.add(soname)
    const names = soname.startsWith('ld-linux') ? [soname, 'ld.so'] : [soname]
    for (const name of names) place(join(folder, name), (to) => copyFileSync(path, to))
    needed.forEach(find)
  }
  const find = (name: string): void => {
    if (copied.has(name)) return
    const path = searched.map((candidate) => join(candidate, name)).find(existsSync)
    if (path !== undefined) copy(realpathSync(path))
  }
  return { copy, find }
}

const shells = [
  ['/bin/dash', 'sh'],
  ['/bin/bash', 'bash'],
] as const

const copyPrograms = ({ folder, loader }: Installation): void => {
  const mapped = mappedLibraries()
  const libc = mapped.find((path) => /\/libc(?:\.so\.6|-2\.[0-9]+\.so)$/.test(path))
  if (libc === undefined) throw new Error('the image of the agent must have glibc: use an image of Node for Debian')
  const { copy, find } = librariesInto(folder, libc)
  mapped.forEach(copy)
  loadedLater.forEach(find)
  copyProgram(process.execPath, join(folder, 'node'), loader).forEach(find)
  const present = shells.filter(([path]) => existsSync(path))
  if (!present.some(([, name]) => name === 'sh')) throw new Error('the image of the agent must have /bin/dash')
  for (const [path, name] of present) copyProgram(realpathSync(path), join(folder, name), loader).forEach(find)
}

/** Files for one architecture have it in their name: pty.x64.node.gz. */
const unpack = ({ boot, folder }: Installation, names: ReadonlyArray<string>): void => {
  for (const name of names) {
    const [, architecture] = /\.(x64|arm64)\./.exec(name) ?? []
    if (architecture !== undefined && architecture !== process.arch) continue
    const bytes = readFileSync(join(boot, name))
    const plain = name.replace(/\.(?:x64|arm64)\./, '.').replace(/\.gz$/, '')
    place(join(folder, plain), (path) => writeFileSync(path, name.endsWith('.gz') ? gunzipSync(bytes) : bytes))
  }
}

/** ConfigMaps are mounted with files of the kubelet, whose names begin with two dots. */
const bootFiles = (boot: string): ReadonlyArray<string> =>
  readdirSync(boot)
    .filter((name) => !name.startsWith('..'))
    .toSorted()

/** Containers may run as other users than the one that installs. */
const writableByAll = ['home', 'run']

/** Returns whether anything had to be installed. Throws with a reason for people. */
export const install = (installation: Installation): boolean => {
  const { boot, folder } = installation
  const names = bootFiles(boot)
  const hash = createHash('sha256').update(process.version)
  for (const name of names) hash.update(`\0${name}\0`).update(readFileSync(join(boot, name)))
  const content = hash.digest('hex')
  const marker = join(folder, 'installed')
  if (existsSync(marker) && readFileSync(marker, 'utf8') === content) return false
  mkdirSync(folder, { recursive: true })
  copyPrograms(installation)
  unpack(installation, names)
  for (const name of writableByAll) {
    mkdirSync(join(folder, name), { recursive: true })
    chmodSync(join(folder, name), 0o1777)
  }
  place(marker, (path) => writeFileSync(path, content))
  return true
}
