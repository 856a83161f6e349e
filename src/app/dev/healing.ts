/** A link to the current pod of the development container, which is restored whenever it is lost. */
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import {
  beginning,
  step as decide,
  type LinkedPod,
  type SessionCommand,
  type SessionEnd,
  type SessionEvent,
  type SessionNotice,
} from '../../domain/dev/session.ts'
import type { Link } from '../../ports/link.ts'
import type { DialFailure, DialNeeds } from './dial.ts'

/** A link, and the pod that it leads to. */
export type PodLink = { readonly link: Link; readonly pod: LinkedPod }

export type Healing = {
  readonly send: (event: SessionEvent) => void
  /** The current link, or the next one. `not`: a link that is known to be lost. Waits until the signal is aborted. */
  readonly next: (not?: Link, signal?: AbortSignal) => TaskEither<SessionEnd, PodLink>
  readonly ended: Promise<SessionEnd>
}

/** `patienceMs`: how long there may be no pod. */
type Healed = {
  readonly dial: (pod: string, signal: AbortSignal) => TaskEither<DialFailure, Link>
  readonly patienceMs: number
}

/** `step`: decides what is done about events. */
export type HealingNeeds = Pick<DialNeeds, 'clock'> & { readonly step?: typeof decide }

/** How long programs may take to hear that their client has left. */
const goodbyeMs = 1000

export const healing = (
  { clock, step = decide }: HealingNeeds,
  { dial, patienceMs }: Healed,
  tell: (notice: SessionNotice) => void,
): Healing => {
  let state = beginning(patienceMs)
  let current: PodLink | undefined
  let drop = (_isForGood: boolean): void => {}
  let isOver: SessionEnd | undefined
  const waiting = new Set<() => void>()
  let over = (_end: SessionEnd): void => {}
  const ended = new Promise<SessionEnd>((resolve) => {
    over = resolve
  })
  const wake = (): void => {
    for (const look of [...waiting]) look()
  }

  const connect = async (pod: LinkedPod, attempt: number): Promise<void> => {
    const given = new AbortController()
    drop = () => given.abort()
    const dialled = await dial(pod.name, given.signal)()
    if (E.isLeft(dialled)) {
      const { isForbidden, reason } = dialled.left
      return send(
        isForbidden
          ? { _tag: 'End', end: { _tag: 'Forbidden', reason } }
          : { _tag: 'NotLinked', attempt, reason, atMs: clock.now() },
      )
    }
    const link = dialled.right
    if (given.signal.aborted) return link.close()
    current = { link, pod }
    drop = (isForGood) => {
      current = undefined
      if (!isForGood) return link.drop()
      link.close()
      const stop = clock.after(goodbyeMs, link.drop)
      void link.closed().then(stop)
    }
    send({ _tag: 'Linked', attempt, atMs: clock.now() })
    const reason = await link.closed()
    if (current?.link === link) current = undefined
    send({ _tag: 'Lost', attempt, reason: reason ?? 'it was closed', atMs: clock.now() })
  }

  const carryOut = (command: SessionCommand): void => {
    switch (command._tag) {
      case 'Dial':
        return void connect(command.pod, command.attempt)
      case 'Pause':
        drop = clock.after(command.ms, () => send({ _tag: 'PauseOver', attempt: command.attempt }))
        return
      case 'Wait':
        drop = clock.after(command.ms, () => send({ _tag: 'WaitOver', attempt: command.attempt }))
        return
      case 'Drop':
        return drop(false)
      case 'Tell':
        return tell(command.notice)
      case 'Over':
        drop(true)
        isOver = command.end
        over(command.end)
        return wake()
    }
  }

  const send = (event: SessionEvent): void => {
    const [next, commands] = step(state, event)
    state = next
    commands.forEach(carryOut)
    if (current !== undefined && state.phase === 'Linked') wake()
  }

  return {
    send,
    next: (not, signal) => () =>
      new Promise((resolve) => {
        const settle = (found: E.Either<SessionEnd, PodLink>): void => {
          waiting.delete(look)
          signal?.removeEventListener('abort', giveUp)
          resolve(found)
        }
        const giveUp = (): void => settle(E.left({ _tag: 'Interrupted', reason: 'nobody waits for it' }))
        const look = (): void => {
          if (isOver !== undefined) return settle(E.left(isOver))
          if (state.phase === 'Linked' && current !== undefined && current.link !== not) settle(E.right(current))
        }
        if (signal?.aborted === true) return giveUp()
        waiting.add(look)
        signal?.addEventListener('abort', giveUp, { once: true })
        look()
      }),
    ended,
  }
}
