/**
 * A program in a development container without a terminal: its outputs are separate, and it ends with its connection.
 */

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Console } from '../../ports/console.ts'
import type { LinkedProgram, LinkFailure } from '../../ports/link.ts'
import type { DevProgram, ProgramFailure } from './program-failure.ts'
import type { DevSession } from './session.ts'

type Piped = Pick<LinkedProgram, 'stdin' | 'stdout' | 'stderr' | 'signal'> & {
  readonly exit: TE.TaskEither<LinkFailure, number>
}

const failureOf = ({ _tag, reason }: LinkFailure): ProgramFailure => ({ _tag, reason })

/** A reader that closes the pipe (`| head`) ends the program, as it would end a local one. */
const copy = (from: LinkedProgram['stdout'], to: LinkedProgram['stdin'], { signal }: Piped): Promise<void> =>
  new Promise((resolve) => {
    const finish = (): void => {
      to.off('error', leave)
      resolve()
    }
    const leave = (): void => {
      signal('PIPE')
      from.unpipe(to).resume()
      finish()
    }
    to.on('error', leave)
    for (const event of ['end', 'close']) from.once(event, finish)
    from.pipe(to, { end: false })
  })

/** `isTyped`: it gets the input of this process; otherwise its input stays open and empty. */
export const connectPipes =
  (console: Console, program: Piped, isTyped: boolean): TE.TaskEither<ProgramFailure, number> =>
  async () => {
    const stdin = isTyped ? console.stdin() : undefined
    stdin?.pipe(program.stdin)
    const outputs = Promise.all([
      copy(program.stdout, console.stdout(), program),
      copy(program.stderr, console.stderr(), program),
    ])
    const exit = await program.exit()
    stdin?.unpipe(program.stdin).pause()
    if (E.isRight(exit)) await outputs
    return E.mapLeft(failureOf)(exit)
  }

export const runWithPipes = (
  console: Console,
  session: DevSession,
  program: DevProgram,
): TE.TaskEither<ProgramFailure, number> =>
  pipe(
    session.link('terminal'),
    TE.mapLeft(({ reason }): ProgramFailure => ({ _tag: 'Over', reason })),
    TE.chain(({ link }) => TE.mapLeft(failureOf)(link.run(program))),
    TE.chain((running) => connectPipes(console, running, true)),
  )
