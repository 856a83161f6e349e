/** Whether an entry is unchanged: by its content, or by its metadata alone. */
import { lstatSync } from 'node:fs'
import type { SeenEntry } from '../../domain/sync/entry.ts'
import { folderId, signatureOf } from './disk.ts'

export const isSame = (one: SeenEntry | undefined, other: SeenEntry | undefined): boolean => {
  if (one === undefined || other === undefined) return one === other
  if (one._tag === 'File') {
    return other._tag === 'File' && one.hash === other.hash && one.isExecutable === other.isExecutable
  }
  if (one._tag === 'Folder') return other._tag === 'Folder' && one.id === other.id
  return one._tag === 'Link' && other._tag === 'Link' && one.target === other.target
}

/** The metadata that shows whether an entry is unchanged. */
export const tokenAt = (full: string): string => {
  const stat = lstatSync(full, { bigint: true, throwIfNoEntry: false })
  if (stat === undefined) return ''
  return stat.isDirectory() ? folderId(stat) : signatureOf(stat)
}

/** Renaming, and links to it, change only the last part. */
export const lasting = (token: string): string => token.slice(0, token.lastIndexOf(' '))
