/** Creates many files where there are none, in bulk: without looking at the folder first. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import type { FillAct } from '../../domain/sync/act.ts'
import type { TreeFile } from '../../domain/sync/entry.ts'
import { ancestorsOf, leadsOut, parentOf } from '../../domain/sync/path.ts'
import { predate, signatureOf } from './disk.ts'
import type { IsIgnored, Memory } from './look.ts'
import { give } from './mode.ts'
import { isPath } from './names.ts'

type Filling = {
  readonly root: string
  readonly memory: Memory
  readonly isIgnored: IsIgnored
}

/** A program may have changed it before it was dated. */
const isStill = (file: number, content: Uint8Array): boolean => {
  const found = Buffer.allocUnsafe(content.length)
  return fs.readSync(file, found, 0, found.length, 0) === found.length && found.equals(content)
}

/** Returns the indexes of acts that were not carried out. */
export const filling = ({ isIgnored, memory, root }: Filling) => {
  /** A link would lead elsewhere. */
  const isFolder = (path: string): boolean =>
    fs.lstatSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() === true

  const write = (path: string, file: TreeFile, content: Uint8Array): void => {
    const full = join(root, path)
    const opened = fs.openSync(full, 'wx+', file.isExecutable ? 0o777 : 0o666)
    try {
      fs.writeFileSync(opened, content)
      give(full, join(root, parentOf(path)))
      const isYoung = !predate(opened)
      const signature = signatureOf(fs.fstatSync(opened, { bigint: true }))
      memory.put(path, isStill(opened, content) ? { entry: file, signature, isYoung } : undefined)
    } catch (cause) {
      fs.rmSync(full, { force: true })
      throw cause
    } finally {
      fs.closeSync(opened)
    }
  }

  const make = (act: FillAct, content: Uint8Array): void => {
    const full = join(root, act.path)
    if (act._tag === 'Write') return write(act.path, act.file, content)
    if (act._tag === 'MakeFolder') fs.mkdirSync(full)
    else fs.symlinkSync(act.target, full)
    give(full, join(root, parentOf(act.path)))
  }

  return (acts: ReadonlyArray<FillAct>, contents: Uint8Array): ReadonlyArray<number> => {
    const left: Array<number> = []
    const folders = new Map<string, boolean>([['', true]])
    const mayHold = (folder: string): boolean => {
      const known = folders.get(folder)
      if (known !== undefined) return known
      const may = [...ancestorsOf(folder), folder].every((one) => isFolder(one) && !isIgnored(one, true))
      folders.set(folder, may)
      return may
    }
    let at = 0
    for (const [index, act] of acts.entries()) {
      const size = act._tag === 'Write' ? act.file.size : 0
      const content = contents.subarray(at, at + size)
      at += size
      const { path } = act
      const isRight =
        isPath(path) && content.length === size && !(act._tag === 'MakeLink' && leadsOut(path, act.target))
      try {
        if (!isRight || !mayHold(parentOf(path)) || isIgnored(path, act._tag === 'MakeFolder')) left.push(index)
        else make(act, content)
      } catch {
        // The comparison that follows finds out what is there instead, and why.
        left.push(index)
      }
    }
    return left
  }
}
