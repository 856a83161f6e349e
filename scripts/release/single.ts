/**
 * A single executable: Node with the files of dist/ inside. The order of the files and their bytes are the same in
 * every run, so the result is too.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { binPath, root, runNode } from '../command.ts'
import { fetchedFile } from '../fetched.ts'
import { makeCaches } from './caches.ts'
import { peUnsigned } from './formats.ts'
import { withoutSymbols } from './symbols.ts'
import { hostName, nodeVersion, type Target, targetNamed } from './targets.ts'

/** The name under which Node looks for the blob, and the marker that a blob exists. */
export const blobName = 'NODE_SEA_BLOB'
export const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

export const nodeLicense = (): string => fetchedFile({ ...targetNamed('linux-x64'), version: nodeVersion }, 'LICENSE')

const nodeOf = (target: Target): string => fetchedFile({ ...target, version: nodeVersion }, target.node)

const dist = join(root, 'dist')
/** Folders with files that other programs read. */
const folders = ['agent', 'platform']

const filesBelow = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(dist, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dist, join(entry.parentPath, entry.name)))

/**
 * Files that the program writes to disk when other programs need them: the image of the platform contains the command
 * as well.
 */
export const filesInside = (): ReadonlyArray<string> => {
  const files = readdirSync(dist).filter((name) => name.endsWith('.cjs') && name !== 'single.cjs')
  return [...files, ...folders.flatMap(filesBelow), 'help.json', 'NOTICES.txt'].toSorted()
}

/** By the names under which the program requests them. */
const assetsIn = (work: string): Readonly<Record<string, string>> => {
  const names = filesInside()
  const list = join(work, 'files.json')
  writeFileSync(list, JSON.stringify(names))
  return { ...Object.fromEntries(names.map((name) => [name, join(dist, name)])), 'files.json': list }
}

/** `caches`: a folder with code caches, NAME.bin, which only the same Node on the same architecture accepts. */
const writeBlob = (work: string, caches: string | undefined): string => {
  const blob = join(work, 'blob')
  const compiled = caches === undefined ? [] : readdirSync(caches).map((name) => [name, join(caches, name)])
  const config = {
    // Kept in the blob as it is written here.
    main: 'single.cjs',
    output: blob,
    disableExperimentalSEAWarning: true,
    useCodeCache: caches !== undefined,
    assets: { ...assetsIn(work), ...Object.fromEntries(compiled) },
  }
  writeFileSync(join(work, 'config.json'), JSON.stringify(config))
  // Node reads only blobs of its own version. The seed is that of the hashes in the code cache.
  const args = ['--random-seed=1', '--experimental-sea-config', join(work, 'config.json')]
  execFileSync(nodeOf(targetNamed(hostName)), args, { cwd: dist, stdio: 'pipe' })
  return blob
}

/** postject itself takes the signature of macOS away. */
const prepared = ({ name }: Target, node: Buffer): Buffer => {
  if (name.startsWith('linux-')) return withoutSymbols(node)
  return name.startsWith('win32-') ? peUnsigned(node) : node
}

const makeSingle = async (target: Target, blob: string, out: string): Promise<void> => {
  writeFileSync(out, prepared(target, readFileSync(nodeOf(target))))
  chmodSync(out, 0o755)
  const segment = target.name.startsWith('darwin-') ? ['--macho-segment-name', 'NODE_SEA'] : []
  const injected = await runNode([binPath('postject'), out, blobName, blob, '--sentinel-fuse', fuse, ...segment])
  if (injected.status !== 0) throw new Error(`nothing can be put into the Node of ${target.name}\n${injected.output}`)
}

/** `made` is called with each executable when it is ready, and may move it. */
export const makeSingles = async (
  wanted: ReadonlyArray<Target>,
  work: string,
  made: (target: Target, program: string) => void,
): Promise<void> => {
  const caches = join(work, 'caches')
  makeCaches(nodeOf(targetNamed(hostName)), caches)
  for (const target of wanted) {
    const program = join(work, target.program)
    await makeSingle(target, writeBlob(work, target.name === hostName ? caches : undefined), program)
    made(target, program)
    rmSync(program, { force: true })
  }
}

const hashOfDist = (): string => {
  const hash = createHash('sha256').update(nodeVersion)
  const files = readdirSync(dist, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  for (const path of files.map((entry) => join(entry.parentPath, entry.name)).toSorted()) {
    hash.update(path.slice(dist.length)).update(readFileSync(path))
  }
  return hash.digest('hex').slice(0, 16)
}

/** The path of the executable for this machine, built from dist/ and kept until that changes. */
export const hostSingle = async (): Promise<string> => {
  const cache = join(root, '.cache')
  const folder = join(cache, `single-${hashOfDist()}`)
  const target = targetNamed(hostName)
  const program = join(folder, target.program)
  if (existsSync(program)) return program
  const work = mkdtempSync(join(tmpdir(), 'devtool-single-'))
  try {
    await makeSingles([target], work, (_, made) => {
      for (const old of readdirSync(cache)) {
        if (old.startsWith('single-')) rmSync(join(cache, old), { recursive: true, force: true })
      }
      mkdirSync(`${folder}.${process.pid}`)
      copyFileSync(made, join(`${folder}.${process.pid}`, target.program))
      renameSync(`${folder}.${process.pid}`, folder)
    })
    return program
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
