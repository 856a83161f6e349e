/** The port `SyncJournal`: one file. */
import * as fs from 'node:fs/promises'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type JournalWrite, journalHeadLength } from '../../domain/sync/journal.ts'
import type { SyncJournal } from '../../ports/sync-journal.ts'
import { reasonOf } from './disk.ts'
import { readOrNothing, replaceFile } from './store.ts'

/** Writes all of `bytes`: a single write may stop short. */
const writeAt = async (file: fs.FileHandle, bytes: Uint8Array, position: number): Promise<void> => {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done)
    done += bytesWritten
  }
}

/** The head is written after the bytes that it counts. */
const add = async (path: string, length: number, { bytes, head }: JournalWrite): Promise<void> => {
  const file = await fs.open(path, 'r+')
  try {
    await writeAt(file, bytes, journalHeadLength + length)
    await writeAt(file, head, 0)
  } finally {
    await file.close()
  }
}

export const fileJournal = (path: string): SyncJournal => ({
  read: TE.tryCatch(() => readOrNothing(path), reasonOf),
  replace: (write) => TE.tryCatch(() => replaceFile(path, Buffer.concat([write.head, write.bytes])), reasonOf),
  add: (length, write) => TE.tryCatch(() => add(path, length, write), reasonOf),
})
