/**
 * Carries out acts on disk. The current entry is compared with the expected one twice: before anything is prepared, and
 * atomically with the replacement. A reader sees the old content or the new one.
 */
import * as fs from 'node:fs'
import { join } from 'node:path'
import type { ActOutcome, SyncAct } from '../../domain/sync/act.ts'
import type { SeenEntry, TreeEntry } from '../../domain/sync/entry.ts'
import { ancestorsOf, childOf, leadsOut, parentOf } from '../../domain/sync/path.ts'
import type { Clock } from '../../ports/clock.ts'
import { type Content, writeContent } from './content.ts'
import { codeOf, type DiskClock, folderId, isExecutable, type ReadEntry } from './disk.ts'
import { newHolds } from './holds.ts'
import type { Keep } from './kept.ts'
import type { IsIgnored, Memory } from './look.ts'
import { give, giveAs, modeOf } from './mode.ts'
import { isPath } from './names.ts'
import { twinOf } from './naming.ts'
import { placeNew, putBack } from './place.ts'
import { outcomeOf, Trouble, Unexpected } from './refusal.ts'
import { isSame, lasting, tokenAt } from './same.ts'
import { discard, finished, heldIn, unfinishedIn } from './unfinished.ts'

export type Writing = {
  readonly clock: DiskClock & Pick<Clock, 'after'>
  readonly root: string
  readonly read: ReadEntry
  readonly memory: Memory
  readonly isIgnored: IsIgnored
}

/** `keep`: copies files before they are overwritten or deleted. `close`: leaves nothing half done. */
type Writer = {
  readonly write: (act: SyncAct, content: Content, keep: Keep | undefined) => Promise<ActOutcome>
  readonly close: () => void
}

/** Some file systems have no hard links. */
const linked = (path: string, to: string): 'Linked' | 'Gone' | 'Impossible' => {
  try {
    fs.linkSync(path, to)
    return 'Linked'
  } catch (cause) {
    return codeOf(cause) === 'ENOENT' ? 'Gone' : 'Impossible'
  }
}

export const writing = ({ clock, isIgnored, memory, read, root }: Writing): Writer => {
  const at = (path: string): string => join(root, path)
  const holds = newHolds(clock)
  const unfinishedFor = unfinishedIn(root)
  const heldFor = heldIn(root)

  /** Every folder above has to be a real one: a link would lead elsewhere. */
  const checkPath = (path: string): void => {
    if (!isPath(path)) throw new Trouble('Forbidden', 'it is outside of the folder')
    for (let folder = parentOf(path); folder !== ''; folder = parentOf(folder)) {
      const stat = fs.lstatSync(at(folder), { throwIfNoEntry: false })
      if (stat?.isDirectory() !== true) throw new Unexpected(undefined)
    }
  }

  /** The other end may have other rules, or none: ignored paths are not written either. */
  const checkRules = ({ _tag, path }: SyncAct): void => {
    const isBelow = ancestorsOf(path).some((folder) => isIgnored(folder, true))
    if (isBelow || isIgnored(path, _tag === 'MakeFolder')) throw new Trouble('Forbidden', 'it is ignored at this end')
  }

  const unexpected = async (path: string): Promise<Unexpected> => new Unexpected((await read(path))?.entry)

  /** Returns a token that shows whether the entry is still the same. */
  const expected = async ({ expect, path }: SyncAct): Promise<string> => {
    const token = tokenAt(at(path))
    const found = await read(path, memory.at(path))
    if (isSame(expect, found?.entry)) return token
    const twin = expect === undefined ? twinOf(at(path)) : undefined
    if (twin !== undefined) throw new Trouble('KeptNameTaken', `${twin} has the same name to this file system`)
    throw new Unexpected(found?.entry)
  }
  const check = async ({ path }: SyncAct, token: string): Promise<void> => {
    if (tokenAt(at(path)) !== token) throw await unexpected(path)
  }

  /** Prepares an entry for the path, and deletes it in the end unless it was placed. */
  const beside = async (path: string, run: (unfinished: string) => Promise<void>): Promise<void> => {
    const unfinished = unfinishedFor(path)
    try {
      await run(unfinished)
    } finally {
      discard(root, unfinished)
    }
  }

  const copyTo = async (path: string, to: string, found: SeenEntry | undefined): Promise<void> => {
    checkPath(to)
    await beside(to, async (unfinished) => {
      if (found?._tag === 'Link') fs.symlinkSync(found.target, at(unfinished))
      else {
        fs.copyFileSync(at(path), at(unfinished), fs.constants.COPYFILE_EXCL)
        const copied = await read(unfinished)
        if (!isSame(found, copied?.entry)) throw await unexpected(path)
      }
      giveAs(at(unfinished), at(path))
      // A copy may be left by an interrupted act.
      if (!placeNew(at(unfinished), at(to)) && !isSame((await read(to))?.entry, found)) {
        throw new Trouble('KeptNameTaken', `${to} exists`)
      }
    })
  }

  const settleLater = (held: string, token: string, path: string, from: number): void =>
    holds.add(held, () => {
      finished(held)
      if (lasting(tokenAt(at(held))) === lasting(token)) fs.rmSync(at(held), { force: true })
      else putBack(root, held, path, from)
    })

  const replace = async (act: SyncAct, token: string, unfinished: string, keep: Keep | undefined): Promise<void> => {
    const [path, next] = [at(act.path), at(unfinished)]
    await check(act, token)
    if (act.expect === undefined) {
      if (!placeNew(next, path)) throw await unexpected(act.path)
      return
    }
    keep?.(act.path, path)
    const held = heldFor(act.path, token)
    const aside = at(held)
    try {
      if (lasting(tokenAt(path)) !== lasting(token)) throw await unexpected(act.path)
      // What a program saves after this check is held as well, and given back: nothing may come between these two.
      const hold = linked(path, aside)
      if (hold === 'Gone') throw await unexpected(act.path)
      fs.renameSync(next, path)
      if (hold === 'Linked') settleLater(held, token, act.path, 1)
      else finished(held)
    } catch (cause) {
      discard(root, held)
      throw cause
    }
  }

  /** The outcome for an entry that was just written, which need not be read again if the token still matches. */
  const written = (path: string, entry: TreeEntry, token: string): ActOutcome => {
    const signature = tokenAt(at(path))
    const isKnown = token !== '' && lasting(signature) === lasting(token)
    memory.put(path, isKnown ? { entry, signature, isYoung: false } : undefined)
    return { _tag: 'Done', entry }
  }

  const removed = (path: string): ActOutcome => {
    memory.put(path, undefined)
    return { _tag: 'Done', entry: undefined }
  }

  const folderEntry = (path: string): TreeEntry => ({
    _tag: 'Folder',
    id: folderId(fs.lstatSync(at(path), { bigint: true })),
  })

  const write = async (
    act: Extract<SyncAct, { readonly _tag: 'Write' }>,
    token: string,
    content: Content,
    keep: Keep | undefined,
  ): Promise<ActOutcome> => {
    const { expect, file, path } = act
    let filled = ''
    await beside(path, async (unfinished) => {
      const isPredated = await writeContent(at(unfinished), file, content)
      if (expect === undefined) give(at(unfinished), at(parentOf(path)))
      else giveAs(at(unfinished), at(path))
      fs.chmodSync(at(unfinished), modeOf(at(path), file.isExecutable))
      filled = isPredated ? tokenAt(at(unfinished)) : ''
      await replace(act, token, unfinished, keep)
    })
    return written(path, file, filled)
  }

  const makeLink = async (
    act: Extract<SyncAct, { readonly _tag: 'MakeLink' }>,
    token: string,
    keep: Keep | undefined,
  ): Promise<ActOutcome> => {
    const { path, target } = act
    if (leadsOut(path, target)) throw new Trouble('Forbidden', 'the link leads out of the folder')
    await beside(path, async (unfinished) => {
      fs.symlinkSync(target, at(unfinished))
      give(at(unfinished), at(parentOf(path)))
      await replace(act, token, unfinished, keep)
    })
    return { _tag: 'Done', entry: { _tag: 'Link', target } }
  }

  const removeFolder = (path: string, folder: SeenEntry): void => {
    try {
      fs.rmdirSync(at(path))
    } catch (cause) {
      throw codeOf(cause) === 'ENOTEMPTY' ? new Unexpected(folder) : cause
    }
  }

  const remove = async (act: SyncAct, token: string, keep: Keep | undefined): Promise<ActOutcome> => {
    const { path } = act
    await check(act, token)
    if (act.expect?._tag === 'Folder') {
      removeFolder(path, act.expect)
      return removed(path)
    }
    const aside = heldFor(path, token)
    fs.renameSync(at(path), at(aside))
    try {
      if (lasting(tokenAt(at(aside))) !== lasting(token)) throw new Unexpected((await read(aside))?.entry)
      keep?.(path, at(aside))
    } catch (cause) {
      finished(aside)
      putBack(root, aside, path, 0)
      throw cause
    }
    settleLater(aside, token, path, 0)
    return removed(path)
  }

  const carryOut = async (act: SyncAct, content: Content, keep: Keep | undefined): Promise<ActOutcome> => {
    const { path } = act
    checkPath(path)
    if (act.expect === undefined) checkRules(act)
    const token = await expected(act)
    if (act.keep !== undefined) await copyTo(path, childOf(parentOf(path), act.keep), act.expect)
    switch (act._tag) {
      case 'Write':
        return write(act, token, content, keep)
      case 'MakeLink':
        return makeLink(act, token, keep)
      case 'Remove':
        return remove(act, token, keep)
      case 'MakeFolder':
        fs.mkdirSync(at(path))
        give(at(path), at(parentOf(path)))
        return { _tag: 'Done', entry: folderEntry(path) }
      case 'SetExecutable':
        await check(act, token)
        fs.chmodSync(at(path), modeOf(at(path), act.isExecutable))
        return written(
          path,
          { ...act.expect, isExecutable: isExecutable(fs.lstatSync(at(path), { bigint: true })) },
          '',
        )
    }
  }

  return {
    write: async (act, content, keep) => {
      try {
        return await carryOut(act, content, keep)
      } catch (cause) {
        return outcomeOf(cause)
      }
    },
    close: holds.close,
  }
}
