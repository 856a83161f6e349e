/** Unpacks a tar stream into a folder, and never outside of it: links that are there are not followed. */
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { extract, type Header } from 'tar-stream'

const isInside = (name: string): boolean => !name.startsWith('/') && !name.split('/').includes('..')

/** Makes the folders above, each of which has to be one already or not to exist. */
const makeFolders = async (root: string, parts: ReadonlyArray<string>): Promise<void> => {
  let path = root
  for (const part of parts) {
    path = join(path, part)
    await fs.mkdir(path).catch(async (cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'EEXIST' || !(await fs.lstat(path)).isDirectory()) throw cause
    })
  }
}

const place = async (root: string, { linkname, mode, mtime, name, type }: Header, content: Readable): Promise<void> => {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.')
  const path = join(root, ...parts)
  if (type === 'directory') return makeFolders(root, parts)
  await makeFolders(root, parts.slice(0, -1))
  const unfinished = `${path}.devtool-new`
  await fs.rm(unfinished, { force: true })
  if (type === 'symlink') await fs.symlink(linkname, unfinished)
  else {
    await fs.writeFile(unfinished, content, { mode, flag: 'wx' })
    await fs.chmod(unfinished, mode)
    await fs.utimes(unfinished, mtime, mtime)
  }
  await fs.rename(unfinished, path).catch(async (cause: unknown) => {
    await fs.rm(unfinished, { force: true })
    throw cause
  })
}

/** Returns the paths that could not be unpacked, with the reason. */
export const unpack = async (stream: Readable, root: string): Promise<ReadonlyArray<string>> => {
  await fs.mkdir(root, { recursive: true })
  const left: Array<string> = []
  const entries = extract()
  stream.on('error', (cause) => entries.destroy(cause))
  stream.pipe(Object(entries))
  for await (const entry of entries) {
    const { header } = entry
    const content: Readable = Object(entry)
    try {
      const isKnown = header.type === 'file' || header.type === 'symlink' || header.type === 'directory'
      if (!isKnown || !isInside(header.name)) throw new Error('it would be outside of the folder')
      await place(root, header, content)
    } catch (cause) {
      left.push(`${header.name}: ${cause instanceof Error ? cause.message : String(cause)}`)
    }
    content.resume()
  }
  return left
}
