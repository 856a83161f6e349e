/** Private temporary folders. Those left behind by a killed run are removed by later ones. */
import { lstat, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { markOf, type Owner, ownerIn, stateOf, thisProcess } from './owner.ts'

const OWNER = '.owner'
const oldMs = 24 * 60 * 60 * 1000

/** Times come from the clock of the file system. */
const isLeftBehind = async (folder: string, own: Owner, nowMs: number): Promise<boolean> => {
  const entry = await lstat(folder)
  if (!entry.isDirectory() || entry.uid !== own.user) return false
  const file = join(folder, OWNER)
  const marked = await lstat(file)
  if (!marked.isFile()) return false
  const owner = ownerIn(await readFile(file, 'utf8'))
  const state = owner === undefined ? 'Unknown' : stateOf(owner, own)
  return state === 'Gone' || (state === 'Unknown' && nowMs - marked.mtimeMs > oldMs)
}

/** A folder that cannot be read or removed is left to the next run. */
const sweep = async (parent: string, prefix: string, own: Owner, nowMs: number): Promise<void> => {
  const names = await readdir(parent).catch(() => [])
  for (const name of names.filter((one) => one.startsWith(prefix))) {
    const folder = join(parent, name)
    const isGone = await isLeftBehind(folder, own, nowMs).catch(() => false)
    if (isGone) await rm(folder, { recursive: true, force: true }).catch(() => {})
  }
}

/** Keyed by path prefix: once per process is enough. */
const swept = new Map<string, Promise<void>>()

export type ScratchFolder = { readonly path: string; readonly remove: () => Promise<void> }

/** Beside others of the same prefix. Rejects when it cannot be created. `remove` never rejects. */
export const makeScratchFolder = async (parent = tmpdir(), prefix = 'devtool-run-'): Promise<ScratchFolder> => {
  const own = thisProcess()
  const start = join(parent, prefix)
  const path = await mkdtemp(start)
  if (own !== undefined) {
    await writeFile(join(path, OWNER), markOf(own), { mode: 0o600 })
    const sweeping = swept.get(start) ?? sweep(parent, prefix, own, (await lstat(path)).mtimeMs)
    swept.set(start, sweeping)
    await sweeping
  }
  return { path, remove: () => rm(path, { recursive: true, force: true }).catch(() => {}) }
}
