/** The first transfer: sends missing files at the full speed of the link, before anything is compared. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { FillAct } from '../../domain/sync/act.ts'
import { baseOfImage, filledBase, fillOf, partsOf } from '../../domain/sync/fill.ts'
import type { OpenTree, TreeEndpoint, TreeFailure } from '../../ports/tree.ts'
import type { FirstTransfer } from './begin.ts'

export type Filled = { readonly bytes: number; readonly total: number }

/** How many parts are sent before the first of them is answered. */
const mostAhead = 8

const sizeOf = (act: FillAct): number => (act._tag === 'Write' ? act.file.size : 0)

const contentOf = async (here: TreeEndpoint, act: FillAct): Promise<Uint8Array | undefined> => {
  if (act._tag !== 'Write') return new Uint8Array()
  const parts: Array<Uint8Array> = []
  try {
    for await (const part of here.read(act.path, act.file)) parts.push(part)
  } catch {
    return undefined
  }
  return parts.length === 1 ? parts[0] : Buffer.concat(parts)
}

/** Leaves out files that have changed meanwhile: they are compared later. */
const packed = async (
  here: TreeEndpoint,
  part: ReadonlyArray<FillAct>,
): Promise<{ readonly acts: ReadonlyArray<FillAct>; readonly bytes: Uint8Array }> => {
  const acts: Array<FillAct> = []
  const contents: Array<Uint8Array> = []
  for (const act of part) {
    const content = await contentOf(here, act)
    if (content === undefined) continue
    acts.push(act)
    contents.push(content)
  }
  return { acts, bytes: Buffer.concat(contents) }
}

const sendAll =
  (
    here: TreeEndpoint,
    there: Pick<OpenTree, 'makeAll'>,
    all: ReadonlyArray<FillAct>,
    made: Array<FillAct>,
    see: (filled: Filled) => void,
  ): TaskEither<TreeFailure, void> =>
  async () => {
    const total = all.reduce((sum, act) => sum + sizeOf(act), 0)
    let bytes = 0
    let failure: TreeFailure | undefined
    const take = async (acts: ReadonlyArray<FillAct>, sending: ReturnType<OpenTree['makeAll']>): Promise<void> => {
      const sent = await sending()
      if (E.isLeft(sent)) {
        failure = sent.left
        return
      }
      const isLeft = new Set(sent.right)
      for (const [index, act] of acts.entries()) {
        bytes += sizeOf(act)
        if (!isLeft.has(index)) made.push(act)
      }
      see({ bytes, total })
    }
    const ahead: Array<Promise<void>> = []
    for (const part of partsOf(all)) {
      const { acts, bytes: contents } = await packed(here, part)
      if (ahead.length >= mostAhead) await ahead.shift()
      if (failure !== undefined) break
      ahead.push(take(acts, there.makeAll(acts, contents)))
    }
    await Promise.all(ahead)
    return failure === undefined ? E.right(undefined) : E.left(failure)
  }

/** A partial transfer counts, too: the next link sends the rest. */
export const fill =
  (here: TreeEndpoint, there: OpenTree, see: (filled: Filled) => void): FirstTransfer =>
  ({ base, isNew }, agree) =>
    pipe(
      TE.Do,
      TE.apS('ours', here.look()),
      TE.apS('theirs', there.look()),
      TE.flatMap(({ ours, theirs }) => {
        const known = isNew ? baseOfImage(ours.listings, theirs.listings) : base
        agree(known)
        const made: Array<FillAct> = []
        return pipe(
          sendAll(here, there, fillOf(ours.listings, theirs.listings, known), made, see),
          T.tapIO(() => () => agree(filledBase(known, made))),
        )
      }),
    )
