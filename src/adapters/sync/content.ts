/** Writes the content of a new file. */
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import type { TreeFile } from '../../domain/sync/entry.ts'
import { predate } from './disk.ts'
import { Trouble } from './refusal.ts'

export type Content = AsyncIterable<Uint8Array>

/** Each byte equals the one before it. */
const isZero = (bytes: Uint8Array): boolean =>
  bytes[0] === 0 && Buffer.compare(bytes.subarray(1), bytes.subarray(0, -1)) === 0

/**
 * Fails unless it is the content of the file. Zeros are left out, so that a sparse file stays sparse. True: every later
 * change will show in its metadata.
 */
export const writeContent = async (full: string, file: TreeFile, content: Content): Promise<boolean> => {
  // What is written comes after the holes that were made before it.
  const opened = fs.openSync(full, 'ax', 0o600)
  try {
    const hash = createHash('sha256')
    let size = 0
    for await (const bytes of content) {
      size += bytes.length
      if (size > file.size) break
      hash.update(bytes)
      if (isZero(bytes)) fs.ftruncateSync(opened, size)
      else fs.writeFileSync(opened, bytes)
    }
    if (size !== file.size || hash.digest('hex') !== file.hash) {
      throw new Trouble('NoSource', 'the other end no longer has this content')
    }
    return predate(opened)
  } finally {
    fs.closeSync(opened)
  }
}
