/** The pipes of this process, for a program with separate outputs. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Console } from '../../ports/console.ts'
import type { LinkedProgram, LinkFailure } from '../../ports/link.ts'
import type { Front } from './kept.ts'
import { copyOutput } from './output.ts'
import type { DevProgram, ProgramFailure } from './program-failure.ts'
import type { DevSession } from './session.ts'
import { typedKeys } from './typed-keys.ts'

type Piped = Pick<LinkedProgram, 'stdin' | 'stdout' | 'stderr' | 'signal'> & {
  readonly exit: TE.TaskEither<LinkFailure, number>
}

const failureOf = ({ _tag, reason }: LinkFailure): ProgramFailure => ({ _tag, reason })

/** A reader that closes the pipe ends the program, as it would end a local one. */
const brokenPipe = ({ signal }: Pick<Piped, 'signal'>) => ({ closed: () => signal('PIPE') })

/** `isTyped`: it gets the input of this process; otherwise its input stays open and empty. */
export const connectPipes =
  (console: Console, program: Piped, isTyped: boolean): TE.TaskEither<ProgramFailure, number> =>
  async () => {
    const stdin = isTyped ? console.stdin() : undefined
    stdin?.pipe(program.stdin)
    const outputs = [
      copyOutput(program.stdout, console.stdout(), brokenPipe(program)),
      copyOutput(program.stderr, console.stderr(), brokenPipe(program)),
    ]
    const exit = await program.exit()
    stdin?.unpipe(program.stdin).pause()
    if (E.isRight(exit)) await Promise.all(outputs.map(({ ended }) => ended))
    return E.mapLeft(failureOf)(exit)
  }

/** It ends with its connection. */
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

/** Without a connection it is not read. */
const inputOf = (stdin: LinkedProgram['stdout']) => {
  const sent = typedKeys()
  let program: LinkedProgram['stdin'] | undefined
  const goOn = (): void => void stdin.resume()
  const take = (chunk: Buffer): void => {
    sent.send(chunk)
    if (program?.write(chunk) === true) return
    stdin.pause()
    program?.once('drain', goOn)
  }
  const end = (): void => void program?.end()
  const disconnect = (): void => {
    program?.off('drain', goOn)
    program = undefined
    stdin.pause().off('data', take).off('end', end)
  }
  return {
    connect: ({ stdin: to, taken }: Pick<LinkedProgram, 'stdin' | 'taken'>): void => {
      program = to
      for (const chunk of sent.after(taken)) to.write(chunk)
      stdin.on('data', take).on('end', end)
      if (stdin.readableEnded) end()
      else goOn()
    },
    disconnect,
  }
}

/** For a program that outlives lost connections. */
export const pipedFront = (console: Console): Front => {
  const input = inputOf(console.stdin())
  return {
    terminal: () => undefined,
    connect: (program, note) => {
      let shown = program.from
      const count = (of: 'output' | 'errors') => (chunk: Buffer) => {
        shown = { ...shown, [of]: shown[of] + chunk.length }
        note(shown)
        program.received(shown)
      }
      const outputs = [
        copyOutput(program.stdout, console.stdout(), { ...brokenPipe(program), note: count('output') }),
        copyOutput(program.stderr, console.stderr(), { ...brokenPipe(program), note: count('errors') }),
      ]
      input.connect(program)
      return {
        disconnect: async (hasEnded) => {
          input.disconnect()
          if (hasEnded) await Promise.all(outputs.map(({ ended }) => ended))
          for (const { stop } of outputs) stop()
        },
      }
    },
    left: new Promise(() => {}),
    release: () => input.disconnect(),
  }
}
