/** Changes to a synchronised folder. Each act states what it expects to find, and otherwise does nothing. */
import type { SeenEntry, TreeEntry, TreeFile, TreeLink } from './entry.ts'

/** `here`: this machine, where everything is decided. `there`: the development container. */
export type SyncEnd = 'here' | 'there'

/** `push`: changes there are not taken over; `pull`: changes here are not. */
export type SyncMode = 'two-way' | 'push' | 'pull'

/**
 * `expect`: the entry at the path, undefined for none; checked again right before it is replaced or removed. `keep`:
 * the name in the same folder under which the current entry is kept first; the name must be free, and without the copy
 * nothing else is done.
 */
type At<Expected> = { readonly end: SyncEnd; readonly path: string; readonly expect: Expected; readonly keep?: string }

/**
 * Write: a file with the content of `file.hash`, which the other end has at the same path. Remove: for folders, only
 * empty ones.
 */
export type SyncAct =
  | (At<TreeFile | TreeLink | undefined> & { readonly _tag: 'Write'; readonly file: TreeFile })
  | (At<TreeFile | TreeLink | undefined> & { readonly _tag: 'MakeLink'; readonly target: string })
  | (At<undefined> & { readonly _tag: 'MakeFolder' })
  | (At<TreeEntry> & { readonly _tag: 'Remove' })
  | (At<TreeFile> & { readonly _tag: 'SetExecutable'; readonly isExecutable: boolean })

/** NoSource: the other end no longer has the content. */
export type ActTrouble = 'NoSpace' | 'ReadOnly' | 'Forbidden' | 'NameTooLong' | 'KeptNameTaken' | 'NoSource' | 'Other'

/**
 * Done: `entry` is now at the path. Refused: `found` was there instead of the expected entry, and nothing was changed.
 * Lost: the link broke, so it is unknown whether it was done; `ticket` is for asking over the next link.
 */
export type ActOutcome =
  | { readonly _tag: 'Done'; readonly entry: TreeEntry | undefined }
  | { readonly _tag: 'Refused'; readonly found: SeenEntry | undefined }
  | { readonly _tag: 'Failed'; readonly trouble: ActTrouble; readonly reason: string }
  | { readonly _tag: 'Lost'; readonly reason: string; readonly ticket?: string }
