/**
 * The port `FileReader` over node:fs. It uses synchronous calls: the files are small, and starting asynchronous ones
 * costs more than reading.
 */
import { closeSync, constants, fstatSync, readdirSync, readSync, statSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import type { Readable } from 'node:stream'

import type { EntryKind, FileContent } from '../../domain/compose/file-content.ts'
import type { HostEntry } from '../../domain/compose/files.ts'
import { fileErrorText } from '../../domain/text/file-errors.ts'
import { STDIN } from '../../domain/text/source.ts'
import type { FileReader } from '../../ports/files.ts'
import { openWithin, realPathWithin } from '../paths/within.ts'

const limitBytes = 16 * 1024 * 1024

/** A Compose file of some forty services. */
const largeBytes = 20_000

/** Opening a pipe without a writer would block otherwise; Windows has no such flag. */
const readOnly = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

export const errorCode = (cause: unknown): string | undefined =>
  typeof cause === 'object' && cause !== null && 'code' in cause && typeof cause.code === 'string'
    ? cause.code
    : undefined

export const reasonOf = (cause: unknown): string => {
  const code = errorCode(cause)
  return code === undefined ? String(cause) : fileErrorText(code)
}

const toContent = (cause: unknown): FileContent => {
  const code = errorCode(cause)
  if (code === 'ENOENT' || code === 'ENOTDIR') return { _tag: 'Missing' }
  // ENXIO: a socket; EISDIR: a folder on Windows.
  if (code === 'ENXIO' || code === 'EISDIR') return { _tag: 'NotAFile' }
  return { _tag: 'Unreadable', reason: reasonOf(cause) }
}

/** The content of the descriptor, at most `limitBytes`. `sizeBytes` is only a hint: files in /proc have none. */
const readAll = (fd: number, sizeBytes: number): FileContent => {
  let bytes = new Uint8Array(sizeBytes + 1)
  let length = 0
  for (;;) {
    const count = readSync(fd, bytes, length, bytes.length - length, null)
    length += count
    if (length > limitBytes) return { _tag: 'TooLarge' }
    if (count === 0) return { _tag: 'File', bytes: bytes.subarray(0, length) }
    if (length < bytes.length) continue
    const larger = new Uint8Array(Math.max(4096, bytes.length * 2))
    larger.set(bytes)
    bytes = larger
  }
}

const readRegular = (path: string, root: string | undefined): FileContent => {
  const fd = openWithin(root, path, readOnly)
  if (fd === undefined) return { _tag: 'Outside' }
  try {
    const stat = fstatSync(fd)
    if (!stat.isFile()) return { _tag: 'NotAFile' }
    return stat.size > limitBytes ? { _tag: 'TooLarge' } : readAll(fd, stat.size)
  } finally {
    closeSync(fd)
  }
}

const readFile = (cwd: string, path: string, root: string | undefined): FileContent => {
  try {
    const full = resolve(cwd, path)
    const within = root === undefined ? undefined : resolve(cwd, root)
    // Opening a device can have side effects, so the path is checked first; the descriptor is checked again.
    const isFile = statSync(full).isFile()
    if (within !== undefined && realPathWithin(within, full) === undefined) return { _tag: 'Outside' }
    return isFile ? readRegular(full, within) : { _tag: 'NotAFile' }
  } catch (cause) {
    return toContent(cause)
  }
}

const isInside = (root: string, path: string): boolean => {
  try {
    return realPathWithin(root, path) !== undefined
  } catch {
    return false
  }
}

const readStream = async (stream: Readable): Promise<FileContent> => {
  const chunks: Array<Uint8Array> = []
  let length = 0
  try {
    for await (const chunk of stream) {
      const bytes: Uint8Array = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk
      length += bytes.length
      if (length > limitBytes) return { _tag: 'TooLarge' }
      chunks.push(bytes)
    }
  } catch (cause) {
    return toContent(cause)
  }
  const all = new Uint8Array(length)
  let at = 0
  for (const bytes of chunks) {
    all.set(bytes, at)
    at += bytes.length
  }
  return { _tag: 'File', bytes: all }
}

const kindOf = (path: string): EntryKind => {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return 'Missing'
    if (stat.isFile()) return 'File'
    return stat.isDirectory() ? 'Folder' : 'Other'
  } catch (cause) {
    const content = toContent(cause)
    return content._tag === 'Missing' ? 'Missing' : 'Other'
  }
}

const lookAt = (full: string, root: string): HostEntry => {
  try {
    const stat = statSync(full, { throwIfNoEntry: false })
    if (stat === undefined) return { _tag: 'Missing' }
    const real = realPathWithin(root, full)
    if (real === undefined) return { _tag: 'Outside' }
    const place = real.replaceAll(sep, '/')
    if (stat.isDirectory()) return { _tag: 'Folder', real: place, names: readdirSync(real).toSorted() }
    if (!stat.isFile()) return { _tag: 'Other' }
    return { _tag: 'File', real: place, isExecutable: (stat.mode & 0o111) !== 0, sizeBytes: stat.size }
  } catch (cause) {
    return toContent(cause)._tag === 'Missing' ? { _tag: 'Missing' } : { _tag: 'Other' }
  }
}

/** `stdin` is a thunk: merely touching the standard input opens it. */
export const nodeFiles = (cwd: string, stdin: () => Readable, onLargeInput: () => void = () => {}): FileReader => {
  let length = 0
  const read = async (path: string, root: string | undefined): Promise<FileContent> => {
    const content = path === STDIN ? await readStream(stdin()) : readFile(cwd, path, root)
    if (content._tag === 'File') length += content.bytes.length
    if (length > largeBytes) onLargeInput()
    return content
  }
  return {
    read:
      (path, { root }) =>
      () =>
        read(path, root),
    kind: (path) => () => Promise.resolve(kindOf(resolve(cwd, path))),
    look: (path, root) => () => Promise.resolve(lookAt(resolve(cwd, path), resolve(cwd, root))),
    isInside: (path, root) => () => Promise.resolve(isInside(resolve(cwd, root), resolve(cwd, path))),
  }
}
