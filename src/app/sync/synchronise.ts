/** Runs the synchronisation engine: carries out its commands, and returns the results as events. */
import { zip } from 'fp-ts/lib/Array.js'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Task } from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { defined } from '../../domain/object/defined.ts'
import type { SyncAct, SyncEnd } from '../../domain/sync/act.ts'
import { emptyBase } from '../../domain/sync/base.ts'
import { cycleStep } from '../../domain/sync/cycle.ts'
import {
  type CycleCommand,
  type CycleEvent,
  type CycleState,
  type Deletions,
  isAtRest,
  newCycle,
  type SyncNotice,
} from '../../domain/sync/cycle-state.ts'
import { isOpenQuestion } from '../../domain/sync/deletions.ts'
import type { Clock } from '../../ports/clock.ts'
import type { TreeEndpoint } from '../../ports/tree.ts'
import { begin, type FirstTransfer, type SyncBeginning, type SyncIdentity } from './begin.ts'
import type { BaseKeeper } from './keep-base.ts'

export type SyncRequest = SyncIdentity & {
  readonly here: TreeEndpoint
  readonly keeper: BaseKeeper
  readonly modeOf: CycleState['modeOf']
  readonly say: (notice: SyncNotice) => void
  /** Called after every event. */
  readonly see?: () => void
  /** Discards the stored state. */
  readonly isReset?: boolean
}

export type Synchronisation = {
  /** Starts with the folder there, or continues with it over a new link. Left: why that is impossible. */
  readonly link: (there: TreeEndpoint, first?: FirstTransfer) => TE.TaskEither<string, void>
  /** False: there is no such question, or not any more. */
  readonly answer: (deletions: Deletions, answer: 'Carry' | 'Restore') => boolean
  readonly state: () => CycleState
  /** Waits for acts that are being carried out, and stores their results. */
  readonly stop: Task<void>
}

/** More would not be faster, but hold more file contents in memory. */
const mostAtOnce = 32

/** Begun: there was no contact with the other end since. Linked: the state of the engine is newer. */
type KnownStart =
  | { readonly _tag: 'Begun'; readonly begun: SyncBeginning }
  | { readonly _tag: 'Linked'; readonly marker: string | undefined }

type Without<A> = A extends unknown ? Omit<A, 'nowMs'> : never
type Happening = Without<CycleEvent>

export const synchronise = (clock: Clock, request: SyncRequest): Synchronisation => {
  const { here, keeper, say } = request
  let state = newCycle(request.modeOf)
  let there: TreeEndpoint | undefined
  let start: KnownStart | undefined
  let isStopping = false
  let isStopped = false
  const beginning = begin(clock, keeper, request, (begun) => {
    start = { _tag: 'Begun', begun }
  })
  /** Acts whose outcome was lost with a link, by ticket. */
  const outstanding = new Map<string, { readonly act: SyncAct; readonly run: number }>()
  let carrying: Promise<unknown> = Promise.resolve()
  const unsent = new Set<SyncAct>()
  let isChosen = false
  let wake: { readonly atMs: number; readonly cancel: () => void } | undefined
  let unwatch: () => void = () => {}

  const feed = (happening: Happening): void => {
    if (isStopped) return
    const [next, commands] = cycleStep(state, { ...happening, nowMs: clock.now() })
    state = next
    for (const command of commands) run(command)
    forgetChoice()
    request.see?.()
  }

  const lose = (lost: TreeEndpoint, end: SyncEnd): void => {
    if (end === 'here' || lost !== there) return
    unwatch()
    there = undefined
    const never = [...unsent]
    unsent.clear()
    feed({ _tag: 'LinkLost', unsent: never })
  }

  const isOpen = (end: SyncEnd, tree: TreeEndpoint): boolean => end === 'here' || tree === there

  /** Ends that are being looked at as a whole. True: once more after that, however often it was requested. */
  const wholes = new Map<TreeEndpoint, boolean>()

  const look = async (command: Extract<CycleCommand, { _tag: 'Look' }>): Promise<void> => {
    const { end, folders, isSecond = false } = command
    const tree = end === 'here' ? here : there
    if (tree === undefined || isStopping) return
    if (folders === undefined) {
      const isLooking = wholes.has(tree)
      wholes.set(tree, isLooking)
      if (isLooking) return
    }
    const found = await tree.look(folders)()
    const isRepeated = folders === undefined && wholes.get(tree) === true
    if (isRepeated) queueMicrotask(() => void look(command))
    if (folders === undefined) wholes.delete(tree)
    if (!isOpen(end, tree)) return
    pipe(
      found,
      E.match(
        ({ _tag, reason }) => (_tag === 'Lost' ? lose(tree, end) : feed({ _tag: 'NotLooked', end, reason })),
        (seen) => feed({ _tag: 'Looked', end, look: seen, isSecond, isRepeated }),
      ),
    )
  }

  const carryOut = async (
    run: number,
    act: SyncAct,
    [tree, source]: readonly [TreeEndpoint, TreeEndpoint],
  ): Promise<void> => {
    unsent.delete(act)
    const content = act._tag === 'Write' ? source.read(act.path, act.file) : undefined
    const outcome = await tree.act(act, content)()
    feed({ _tag: 'ActOver', run, act, outcome })
    if (outcome._tag !== 'Lost') return
    if (outcome.ticket !== undefined) outstanding.set(outcome.ticket, { act, run })
    lose(tree, act.end)
  }

  /** Each end carries out acts in the order in which they are sent, so several can be under way at once. */
  const carryAll = async (run: number, acts: ReadonlyArray<SyncAct>, far: TreeEndpoint): Promise<void> => {
    const queue = acts.values()
    const work = async (): Promise<void> => {
      for (const act of queue) {
        if (isStopping || there !== far) return
        await carryOut(run, act, act.end === 'here' ? [here, far] : [far, here])
      }
    }
    await Promise.all(Array.from({ length: Math.min(mostAtOnce, acts.length) }, work))
  }

  const carry = async ({ acts, changes, run }: Extract<CycleCommand, { _tag: 'Carry' }>): Promise<void> => {
    const far = there
    const stored = pipe(
      keeper.store(changes, () => state.base),
      TE.match(
        (reason) => {
          for (const act of acts) unsent.delete(act)
          feed({ _tag: 'NotStored', run, reason })
          return []
        },
        () => acts,
      ),
    )
    const allowed = await stored()
    if (far === undefined || allowed.length === 0) return
    const of = (end: SyncEnd): ReadonlyArray<SyncAct> => allowed.filter((act) => act.end === end)
    await Promise.all([carryAll(run, of('here'), far), carryAll(run, of('there'), far)])
  }

  /** Everything was taken over from there, so from now on neither end is preferred. */
  const forgetChoice = (): void => {
    const { machine, user } = request
    if (!isChosen || !isAtRest(state) || there === undefined || start?._tag !== 'Linked' || start.marker === undefined)
      return
    isChosen = false
    void there.mark({ id: start.marker, machine, user, atMs: clock.wallMs() })()
  }

  const tickAt = (atMs: number): void => {
    if (wake !== undefined && wake.atMs <= atMs) return
    wake?.cancel()
    const cancel = clock.after(Math.max(0, atMs - clock.now()), () => {
      wake = undefined
      feed({ _tag: 'Tick' })
    })
    wake = { atMs, cancel }
  }

  const run = (command: CycleCommand): void => {
    switch (command._tag) {
      case 'Look':
        void look(command)
        return
      case 'Carry':
        for (const act of command.acts) unsent.add(act)
        if (!isStopping) carrying = carrying.then(() => carry(command))
        return
      case 'Wake':
        if (!isStopping) tickAt(command.atMs)
        return
      case 'TellSync':
        say(command.notice)
    }
  }

  const watch = (end: SyncEnd, tree: TreeEndpoint): (() => void) =>
    tree.watch((event) => {
      if (!isOpen(end, tree)) return
      if (event._tag === 'Looked') feed({ _tag: 'Looked', end, look: event.look })
      else if (event._tag === 'Overflow') feed({ _tag: 'Overflow', end })
      else lose(tree, end)
    })

  /** Whether acts of the last link were carried out. If nobody knows, they count as changes at both ends. */
  const learn = (tree: TreeEndpoint): TE.TaskEither<string, void> => {
    if (outstanding.size === 0) return TE.right(undefined)
    return pipe(
      tree.outcomes([...outstanding.keys()]),
      TE.bimap(
        ({ reason }) => reason,
        (outcomes = []) => {
          for (const [act, outcome] of zip([...outstanding.values()], [...outcomes])) {
            feed({ _tag: 'ActOver', ...act, outcome })
          }
          outstanding.clear()
        },
      ),
    )
  }

  /** The stored state is used once; afterwards, the state in memory. */
  const known: TE.TaskEither<string, SyncBeginning> = async () => {
    if (start?._tag === 'Begun') return E.right(start.begun)
    const { base, meeting } = state
    if (start !== undefined || request.isReset === true) return E.right({ marker: start?.marker, base, meeting })
    return pipe(
      keeper.read,
      TE.map((stored) => ({ marker: stored?.marker, base: stored?.base ?? emptyBase, meeting: undefined })),
    )()
  }

  const go = (tree: TreeEndpoint, { base, marker, meeting }: SyncBeginning): void => {
    start = { _tag: 'Linked', marker }
    unwatch()
    there = tree
    isChosen = meeting?.preferred === 'there'
    unwatch = watch('there', tree)
    feed({ _tag: 'Linked', base, ...defined({ meeting }) })
  }

  const watchHere = watch('here', here)
  const ticking = clock.every(1000, () => feed({ _tag: 'Tick' }))

  return {
    link: (tree, first) =>
      pipe(
        TE.fromTask(() => carrying),
        TE.flatMap(() => learn(tree)),
        TE.flatMap(() => known),
        TE.flatMap((before) => beginning(tree, before, first)),
        TE.map((begun) => go(tree, begun)),
      ),
    answer: (deletions, answer) => {
      const isAsked = !isStopped && isOpenQuestion(state, deletions)
      if (isAsked) feed({ _tag: 'DeletionsAnswered', deletions, answer })
      return isAsked
    },
    state: () => state,
    stop: async () => {
      isStopping = true
      ticking()
      wake?.cancel()
      watchHere()
      unwatch()
      await carrying
      feed({ _tag: 'LinkLost', unsent: [...unsent] })
      isStopped = true
      // Otherwise the acts that were not sent would count as changes at both ends.
      if (start?._tag === 'Linked' && start.marker !== undefined) {
        await keeper.begin({ marker: start.marker, base: state.base })()
      }
    },
  }
}
