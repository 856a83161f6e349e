/** A program in a development container, with this process's terminal or pipes. */
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Ports } from '../../ports/ports.ts'
import { runKept } from './kept.ts'
import type { Leaving } from './keyboard.ts'
import { pipedFront, runWithPipes } from './pipes.ts'
import type { DevProgram, ProgramFailure } from './program-failure.ts'
import type { DevSession } from './session.ts'
import { terminalFront } from './terminal.ts'

export type ProgramNeeds = Pick<Ports, 'console' | 'links'> & { readonly leaving?: Leaving }

type RunProgram = (session: DevSession, program: DevProgram) => TaskEither<ProgramFailure, number>

/** The exit status; 128 + n when signal n ended it. The program outlives a lost connection. */
export const runLastingProgram =
  ({ console, leaving, links }: ProgramNeeds): RunProgram =>
  (session, program) =>
  () => {
    const size = console.terminal()
    const front = size === undefined ? pipedFront(console) : terminalFront(console, size, leaving)
    return runKept(links, session, program, front)()
  }

/** Without a terminal it ends with its connection: a process that holds it would take longer to start than most. */
export const runProgram =
  (needs: ProgramNeeds): RunProgram =>
  (session, program) =>
    needs.console.terminal() === undefined
      ? runWithPipes(needs.console, session, program)
      : runLastingProgram(needs)(session, program)
