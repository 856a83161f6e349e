/** Programs in a development container as `up` and `exec` run them, with a console in memory. */
import type * as E from 'fp-ts/lib/Either.js'
import { runLastingProgram } from '../../../src/app/dev/program.ts'
import type { DevProgram, ProgramFailure } from '../../../src/app/dev/program-failure.ts'
import { type MemoryConsole, memoryConsole } from '../../memory/console.ts'
import { until } from '../process/until.ts'
import type { Started } from './agent.ts'
import { type SessionWorld, sessionWith } from './dev-session.ts'
import { realLinks } from './links.ts'

export const closed = { _tag: 'Closed', reason: 'done' } as const

export type ProgramOptions = {
  readonly program: DevProgram
  readonly console?: MemoryConsole
  readonly run?: typeof runLastingProgram
}

type Ran = {
  readonly result: E.Either<ProgramFailure, number>
  readonly console: MemoryConsole
  readonly world: SessionWorld
}

/** Runs the program while `during` happens. */
export const running = async (
  started: Started,
  { console = memoryConsole(), program, run = runLastingProgram }: ProgramOptions,
  during: (console: MemoryConsole, world: SessionWorld) => Promise<unknown> = async ({ keys }) => keys.end(),
): Promise<Ran> => {
  const world = sessionWith(started)
  const [result] = await Promise.all([
    run({ console, links: realLinks })(world.session, program)(),
    during(console, world),
  ])
  world.session.end(closed)
  return { result, console, world }
}

export const untilShown = async (console: MemoryConsole, text: string, times = 1): Promise<void> => {
  await until(
    () => `${text} in ${console.shown()}`,
    () => console.shown().split(text).length > times,
  )
}
