/** The command of a session in the background, in this terminal or on its pipes, until it ends or the user leaves. */
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Console } from '../../ports/console.ts'
import type { LinkFailure } from '../../ports/link.ts'
import type { AttachedConsole } from '../../ports/shared-consoles.ts'
import { interrupted } from '../concurrency/interrupted.ts'
import { pipedFront } from './pipes.ts'
import type { ProgramFailure } from './program-failure.ts'
import { terminalFront } from './terminal.ts'

/** The exit status of the command; 0 when the user has left, which `left` tells first. */
export const runAttached =
  (
    console: Console,
    { close, program }: AttachedConsole,
    { left, signal }: { readonly left: () => void; readonly signal: AbortSignal },
  ): TaskEither<ProgramFailure, number> =>
  async () => {
    const size = console.terminal()
    const front = size === undefined ? pipedFront(console) : terminalFront(console, size, 'Detached')
    const { disconnect } = front.connect(program, () => {})
    const leaving = Promise.race([front.left, interrupted(signal)]).then(() => undefined)
    const exit = await Promise.race([program.exit(), leaving])
    const hasEnded = exit !== undefined && E.isRight(exit)
    await disconnect(hasEnded)
    front.release(!hasEnded)
    close()
    if (exit !== undefined)
      return E.mapLeft(({ reason }: LinkFailure): ProgramFailure => ({ _tag: 'Over', reason }))(exit)
    left()
    return E.right(0)
  }
