/**
 * Walks through a folder and yields what the builder should see, without entries excluded by patterns. Folders come
 * before their contents, entries of a folder in the order of the bytes of their names. Symbolic links are entries and
 * never followed.
 */
import { matchBelow, mayChooseIn, mayTakeBackIn, type Patterns } from '../../../domain/ignore/patterns.ts'
import { entryAt, type FileEntry, type FirstPaths } from './entry.ts'
import { type ListedFiles, listFolder } from './list.ts'
import { isDenied, isGone, type Unsendable, unsendable } from './reason.ts'

/** `include`: limits the walk to these patterns, with their parent folders. */
export type Filter = { readonly include?: Patterns; readonly exclude?: Patterns }

/** Yields `undefined` from time to time when there is nothing to report, so that the caller can do something else. */
export type Walk = Generator<FileEntry | undefined, Unsendable | undefined, void>

type Matched = ReadonlyArray<number>

/** `isOut`: the folder is not reported. `isClosed`: nor is anything in it. */
type Choice = {
  readonly isOut: boolean
  readonly isClosed: boolean
  readonly include: Matched
  readonly exclude: Matched
}

type Frame = {
  readonly at: string
  readonly path: string
  readonly listed: ReadonlyArray<ListedFiles>
  readonly include: Matched
  readonly exclude: Matched
  next: number
  isTold: boolean
}

const none: Matched = []
const closed: Choice = { isOut: true, isClosed: true, include: none, exclude: none }

const choose = ({ include, exclude }: Filter, path: string, isFolder: boolean, above: Frame): Choice => {
  const chosen = include === undefined ? undefined : matchBelow(include, path, above.include)
  const isLeft = chosen?.isMatch === false
  if (include !== undefined && isLeft && isFolder && !mayChooseIn(include, path)) return closed
  const kept = exclude === undefined ? undefined : matchBelow(exclude, path, above.exclude)
  const isKept = kept?.isMatch === true
  if (exclude !== undefined && isKept && isFolder && !mayTakeBackIn(exclude, path)) return closed
  return { isOut: isLeft || isKept, isClosed: false, include: chosen?.matched ?? none, exclude: kept?.matched ?? none }
}

type EntryRead = { readonly _tag: 'Entry'; readonly entry: FileEntry } | { readonly _tag: 'Gone' } | Failed
type Failed = { readonly _tag: 'Failed'; readonly why: Unsendable }

const failed = (path: string, cause: unknown): Failed => ({ _tag: 'Failed', why: unsendable(path, cause) })

const look = (at: string, path: string, seen: FirstPaths): EntryRead => {
  try {
    const entry = entryAt(at, path, seen)
    return entry === undefined ? { _tag: 'Gone' } : { _tag: 'Entry', entry }
  } catch (cause) {
    return isGone(cause) ? { _tag: 'Gone' } : failed(path, cause)
  }
}

type FolderRead = { readonly _tag: 'Frame'; readonly frame: Frame } | { readonly _tag: 'Gone' } | Failed

/** An excluded folder may be unreadable. */
const open = (at: string, path: string, { isOut, include, exclude }: Choice): FolderRead => {
  try {
    const listed = listFolder(at)
    return { _tag: 'Frame', frame: { at, path, listed, include, exclude, next: 0, isTold: !isOut } }
  } catch (cause) {
    return isGone(cause) || (isOut && isDenied(cause)) ? { _tag: 'Gone' } : failed(path, cause)
  }
}

/** Parent folders reported only because of this entry, then the entry. Gone: it or a parent no longer exists. */
const withFolders = (frames: ReadonlyArray<Frame>, last: EntryRead, seen: FirstPaths): ReadonlyArray<EntryRead> => {
  if (last._tag !== 'Entry') return [last]
  const found: Array<EntryRead> = []
  for (const frame of frames) {
    if (frame.isTold) continue
    const looked = look(frame.at, frame.path, seen)
    if (looked._tag !== 'Entry') return [looked]
    if (looked.entry.kind !== 'Folder') return [{ _tag: 'Gone' }]
    frame.isTold = true
    found.push(looked)
  }
  return found.length === 0 ? [last] : [...found, last]
}

const whole: Choice = { isOut: false, isClosed: false, include: none, exclude: none }
const breathEvery = 64

/** `root`: a real path, without symbolic links. Returns why it could not continue. */
export function* walkFolder(root: string, filter: Filter): Walk {
  const seen: FirstPaths = new Map()
  const top = open(root, '', whole)
  if (top._tag !== 'Frame') return top._tag === 'Failed' ? top.why : unsendable('', 'it no longer exists')
  const frames: Array<Frame> = [top.frame]
  for (let count = 1; ; count += 1) {
    const frame = frames.at(-1)
    if (frame === undefined) return undefined
    const listed = frame.listed[frame.next]
    frame.next += 1
    if (listed === undefined) {
      frames.pop()
      continue
    }
    if (count % breathEvery === 0) yield undefined
    const isFolder = listed.isDirectory()
    const path = frame.path === '' ? listed.name : `${frame.path}/${listed.name}`
    const choice = choose(filter, path, isFolder, frame)
    if (choice.isClosed) continue
    const at = `${frame.at}/${listed.name}`
    let isOpen = isFolder
    for (const looked of choice.isOut ? [] : withFolders(frames, look(at, path, seen), seen)) {
      if (looked._tag === 'Failed') return looked.why
      // It may have become a link since the folder was listed.
      isOpen = looked._tag === 'Entry' && looked.entry.kind === 'Folder'
      if (looked._tag === 'Entry') yield looked.entry
    }
    if (!isOpen) continue
    const opened = open(at, path, choice)
    if (opened._tag === 'Failed') return opened.why
    if (opened._tag === 'Frame') frames.push(opened.frame)
  }
}
