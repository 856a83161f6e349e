/** What `devtool sync` prints as data. */
import * as t from 'io-ts'
import { type DataOf, document, keys } from '../print/document.ts'

const place = {
  dev: [t.string, 'the development container'],
  folder: [t.string, 'the folder of this machine that is synchronised'],
} as const

const KeptFile = keys({
  ...place,
  path: [t.string, 'where the file was, in the folder'],
  name: [t.string, 'name of this copy, for `devtool sync restore`'],
  when: [t.string, 'when it was overwritten or deleted'],
  size: [t.number, 'bytes'],
})

export const KeptList = document('sync kept', 'Copies of files from before they were overwritten or deleted.', {
  kept: [t.readonlyArray(KeptFile), 'newest first'],
})
export type KeptList = DataOf<typeof KeptList>

const RestoredFile = keys({
  ...place,
  path: [t.string, 'the file, in the folder'],
  name: [t.string, 'name of the copy'],
})

export const RestoredFiles = document('sync restore', 'Files that were given back.', {
  restored: [t.readonlyArray(RestoredFile), 'files that are there again'],
  same: [t.readonlyArray(RestoredFile), 'files that had this content'],
  left: [t.readonlyArray(RestoredFile), 'files that were left as they are, since they have another content'],
})
export type RestoredFiles = DataOf<typeof RestoredFiles>

const ConflictCopy = keys({
  ...place,
  path: [t.string, 'the file that was changed at both ends'],
  copy: [t.string, 'the copy of the one that lost, which is still there'],
})

export const ConflictList = document('sync conflicts', 'Files that were changed at both ends.', {
  conflicts: [t.readonlyArray(ConflictCopy), 'conflict copies, by path'],
})
export type ConflictList = DataOf<typeof ConflictList>

export const PathExplanation = document(
  'sync explain',
  'Whether a path is synchronised, and which rule says so.',
  {
    ...place,
    path: [t.string, 'the path, in the folder'],
    ignored: [t.boolean, 'whether it is left out'],
  },
  {
    above: [t.string, 'the folder above it that is left out'],
    file: [
      t.string,
      'the file with the rule; default: one of devtool itself; mount: something else is mounted there in the container',
    ],
    line: [t.number, 'its line'],
    pattern: [t.string, 'the rule'],
  },
)
export type PathExplanation = DataOf<typeof PathExplanation>
