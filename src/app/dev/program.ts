/** A program in a development container, with this process's terminal or pipes. */
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Ports } from '../../ports/ports.ts'
import { runWithPipes } from './pipes.ts'
import type { DevProgram, ProgramFailure } from './program-failure.ts'
import type { DevSession } from './session.ts'
import { runInTerminal } from './terminal.ts'

export type ProgramNeeds = Pick<Ports, 'console' | 'links'>

/** The exit status; 128 + n when signal n ended it. Only a program with a terminal outlives a lost connection. */
export const runProgram =
  (needs: ProgramNeeds) =>
  (session: DevSession, program: DevProgram): TaskEither<ProgramFailure, number> => {
    const size = needs.console.terminal()
    return size === undefined
      ? runWithPipes(needs.console, session, program)
      : runInTerminal(needs, session, program, size)
  }
