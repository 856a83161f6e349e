/** Files that store data about a synchronised folder. */
import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf } from './disk.ts'

export const readOrNothing = async (path: string): Promise<Uint8Array | undefined> => {
  try {
    return await fs.readFile(path)
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined
    throw cause
  }
}

/** Flushes the file or folder, so that it survives a power cut. Windows cannot flush folders. */
export const syncToDisk = async (path: string): Promise<void> => {
  const file = await fs.open(path, 'r')
  try {
    await file.sync()
  } catch (cause) {
    if (codeOf(cause) !== 'EPERM') throw cause
  } finally {
    await file.close()
  }
}

const temporaryForm = /^(?:base|root)\.[0-9a-f-]{36}\.tmp$/

/** Files left by a process that was killed. Nobody else may write in the folder meanwhile. */
export const sweepStore = async (folder: string): Promise<void> => {
  const names = await fs.readdir(folder).catch(() => [])
  for (const name of names) if (temporaryForm.test(name)) await fs.rm(join(folder, name), { force: true })
}

/** All or nothing, readable by this user only. */
export const replaceFile = async (path: string, bytes: Uint8Array): Promise<void> => {
  await fs.mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${randomUUID()}.tmp`
  const file = await fs.open(temporary, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await fs.rename(temporary, path)
}
