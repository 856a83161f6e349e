/**
 * A program in a development container that outlives lost connections: it goes on, and its input and outputs here
 * continue once the same container is connected again.
 */
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { defined } from '../../domain/object/defined.ts'
import type { Link, LinkedProgram, LinkProgram, Links, Received } from '../../ports/link.ts'
import type { DevProgram, ProgramFailure } from './program-failure.ts'
import type { DevSession } from './session.ts'

/** `disconnect`: shows the rest of the output first when the program has ended. */
type Connected = { readonly disconnect: (hasEnded: boolean) => Promise<void> }

/** This process's side of a program: its terminal or its pipes. */
export type Front = {
  readonly terminal: () => LinkProgram['terminal']
  /** `note` is called with the output that has been shown. */
  readonly connect: (program: LinkedProgram, note: (shown: Received) => void) => Connected
  /** Resolves when the user leaves while there is no connection. */
  readonly left: Promise<unknown>
  /** `isCutOff`: the program did not end. */
  readonly release: (isCutOff: boolean) => void
}

/** `received`: the output that was shown, set as soon as it may have been started. `pod`: its uid. */
type Progress = {
  readonly id: string
  received?: Received
  isStarted: boolean
  pod?: string
}

type Attempted = E.Either<ProgramFailure, number> | 'Lost'

/** Until the program ends or the link is lost. */
const follow = async (program: LinkedProgram, progress: Progress, front: Front): Promise<Attempted> => {
  progress.received = program.from
  progress.isStarted = true
  const { disconnect } = front.connect(program, (shown) => {
    progress.received = shown
  })
  const exit = await program.exit()
  await disconnect(E.isRight(exit))
  return E.isLeft(exit) ? 'Lost' : exit
}

const gone = (reason: string): Attempted => E.left({ _tag: 'Gone', reason })

const attempt = async (link: Link, program: DevProgram, progress: Progress, front: Front): Promise<Attempted> => {
  const { id, isStarted, received } = progress
  const session = { id, ...defined({ received }) }
  const running = await link.run({ ...program, ...defined({ terminal: front.terminal() }), session })()
  if (E.isRight(running)) return follow(running.right, progress, front)
  if (running.left._tag === 'Lost') {
    // The program may have been started all the same.
    progress.received ??= { output: 0, errors: 0 }
    return 'Lost'
  }
  if (isStarted) return gone('its container was restarted, or cut off for a minute')
  if (received === undefined) return E.left({ _tag: 'Refused', reason: running.left.reason })
  delete progress.received
  return attempt(link, program, progress, front)
}

export const runKept =
  (
    links: Pick<Links, 'newId'>,
    session: DevSession,
    program: DevProgram,
    front: Front,
  ): TaskEither<ProgramFailure, number> =>
  async () => {
    const progress: Progress = { id: await links.newId(), isStarted: false }
    let isLeft = false
    const run: TaskEither<ProgramFailure, number> = async () => {
      for (let lost: Link | undefined; ; ) {
        const found = await session.link('terminal', lost)()
        if (E.isLeft(found)) return E.left({ _tag: 'Over', reason: found.left.reason })
        const { link, pod } = found.right
        if (isLeft) return E.right(0)
        if (progress.isStarted && progress.pod !== pod.uid)
          return E.left({ _tag: 'Gone', reason: 'its pod was replaced' })
        progress.pod = pod.uid
        const attempted = await attempt(link, program, progress, front)
        if (attempted !== 'Lost') return attempted
        lost = link
      }
    }
    const leave: TaskEither<ProgramFailure, number> = async () => {
      await front.left
      isLeft = true
      return E.left({ _tag: 'Left', reason: 'its terminal was left' })
    }
    let result: E.Either<ProgramFailure, number> | undefined
    try {
      result = await Promise.race([run(), leave()])
      return result
    } finally {
      front.release(result === undefined || E.isLeft(result))
    }
  }
