/** An end of a synchronisation in memory: it takes its time, and can be cut off at any moment. */
import * as E from 'fp-ts/lib/Either.js'
import type { ActOutcome } from '../../../src/domain/sync/act.ts'
import type { TreeMarker } from '../../../src/domain/sync/folder.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { TreeEndpoint, TreeEvent, TreeFailure } from '../../../src/ports/tree.ts'
import type { Random } from './random.ts'
import type { UserTree } from './user-tree.ts'

/** The disk of a container, or of a machine. */
/**
 * `kept`: contents before they were overwritten or deleted. `acts`: outcomes that the program at this end remembers, by
 * ticket, until it ends.
 */
export type Disk = {
  tree: UserTree
  marker: TreeMarker | undefined
  readonly kept: Set<string>
  acts: Map<string, ActOutcome> | undefined
}

export type MemoryEnd = TreeEndpoint & { readonly cut: () => void }

type Faults = { readonly random: Random; readonly losesEvents: boolean }

const lost: TreeFailure = { _tag: 'Lost', reason: 'it was cut' }

let lastTicket = 0

/** Looks and acts are sequential, so that no look is older than an act that was answered. */
export const memoryEnd = (clock: Clock, disk: Disk, { losesEvents, random }: Faults): MemoryEnd => {
  let isCut = false
  let queue: Promise<unknown> = Promise.resolve()
  const listeners = new Set<(event: TreeEvent) => void>()
  const takeTime = (): Promise<void> => (random.chance(0.5) ? Promise.resolve() : clock.sleep(random.below(6)))
  const inTurn = <A>(run: () => Promise<A>): Promise<A> => {
    const result = queue.then(run)
    queue = result
    return result
  }
  const unlessCut = async <A>(run: () => A): Promise<E.Either<TreeFailure, A>> => {
    await takeTime()
    if (isCut) return E.left(lost)
    const result = run()
    await takeTime()
    return isCut ? E.left(lost) : E.right(result)
  }
  const tellLook = async (folders: ReadonlyArray<string>): Promise<void> => {
    const look = await inTurn(() => unlessCut(() => disk.tree.look(folders)))
    if (E.isRight(look)) for (const tell of listeners) tell({ _tag: 'Looked', look: look.right })
  }
  const isKnown = disk.acts !== undefined
  const remembered = disk.acts ?? new Map<string, ActOutcome>()
  disk.acts = remembered
  const dirty = new Set<string>()
  const report = (): void => {
    const folders = [...dirty]
    dirty.clear()
    if (folders.length === 0 || (losesEvents && random.chance(0.1))) return
    if (random.chance(0.02)) for (const tell of listeners) tell({ _tag: 'Overflow' })
    else void tellLook(folders)
  }
  const stopWatching = disk.tree.watch((folder) => {
    dirty.add(folder)
    if (dirty.size > 1) return
    clock.after(3, () => {
      if (!isCut) report()
    })
  })
  return {
    look: (folders) => () => inTurn(() => unlessCut(() => disk.tree.look(folders))),
    watch: (onEvent) => {
      listeners.add(onEvent)
      return () => listeners.delete(onEvent)
    },
    read: async function* read(path) {
      await takeTime()
      const node = disk.tree.node(path)
      if (isCut || node?._tag !== 'File') throw new Error('it is not there')
      yield Buffer.from(node.content)
    },
    act: (act, content) => () =>
      inTurn(async () => {
        lastTicket += 1
        const ticket = String(lastTicket)
        let text: string | undefined
        try {
          if (content !== undefined) text = ''
          for await (const bytes of content ?? []) text = `${text ?? ''}${Buffer.from(bytes).toString()}`
        } catch {
          text = undefined
        }
        const done = await unlessCut(() => {
          const before = disk.tree.node(act.path)
          const outcome = disk.tree.act(act, text)
          if (outcome._tag === 'Done' && before?._tag === 'File') disk.kept.add(before.content)
          remembered.set(ticket, outcome)
          return outcome
        })
        return E.isRight(done) ? done.right : { _tag: 'Lost', reason: done.left.reason, ticket }
      }),
    outcomes: (tickets) => () =>
      inTurn(() =>
        unlessCut(() =>
          isKnown
            ? tickets.map(
                (ticket) => remembered.get(ticket) ?? { _tag: 'Failed', trouble: 'Other', reason: 'it did not arrive' },
              )
            : undefined,
        ),
      ),
    marker: () => inTurn(() => unlessCut(() => disk.marker)),
    mark: (marker) => () =>
      inTurn(() =>
        unlessCut(() => {
          disk.marker = marker
        }),
      ),
    cut: () => {
      isCut = true
      stopWatching()
      for (const tell of listeners) tell({ _tag: 'Lost', reason: lost.reason })
    },
  }
}
