/**
 * A program in a development container with a terminal. When the connection is lost the program goes on, and its
 * terminal here continues once the same container is connected again.
 */
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { afterOutput, noFullScreen } from '../../domain/dev/full-screen.ts'
import { defined } from '../../domain/object/defined.ts'
import type { Console, ConsoleTerminal } from '../../ports/console.ts'
import type { Link, LinkedProgram } from '../../ports/link.ts'
import type { Ports } from '../../ports/ports.ts'
import { type Keyboard, keyboardOf } from './keyboard.ts'
import type { DevProgram, ProgramFailure } from './program-failure.ts'
import type { DevSession } from './session.ts'

/** Tells the console whether the program uses the whole screen, which its output shows. */
const screenWatch = (console: Console): ((output: Buffer) => void) => {
  let screen = noFullScreen
  return (output) => {
    const was = screen
    screen = afterOutput(screen, output.toString('latin1'))
    if (screen.isFull !== was.isFull) console.setFullScreen(screen.isFull)
  }
}

/** `ended` resolves at the end of the output, unless `stop` comes first. `note` gets what is shown. */
const show = ({ stderr, stdout }: LinkedProgram, console: Console, note: (shown: Buffer) => void) => {
  const screen = console.stdout()
  const take = (chunk: Buffer): void => {
    const isTaken = screen.write(chunk)
    note(chunk)
    if (isTaken) return
    stdout.pause()
    screen.once('drain', () => stdout.resume())
  }
  stderr.resume()
  stdout.on('data', take)
  const ended = new Promise<void>((resolve) => {
    for (const event of ['end', 'close']) stdout.once(event, () => resolve())
  })
  return { ended, stop: () => void stdout.off('data', take).resume() }
}

/** `received`: the bytes of its output that were shown, set as soon as it may have been started. `pod`: its uid. */
type Progress = {
  readonly id: string
  readonly see: (output: Buffer) => void
  received?: number
  isStarted: boolean
  pod?: string
}

type Attempted = E.Either<ProgramFailure, number> | 'Lost'

/** Until the program ends or the link is lost. */
const follow = async (
  program: LinkedProgram,
  progress: Progress,
  console: Console,
  keyboard: Keyboard,
): Promise<Attempted> => {
  let shown = program.from
  const count = (bytes: number): void => {
    shown += bytes
    progress.received = shown
  }
  count(0)
  progress.isStarted = true
  const stopResizing = console.onResize(() => {
    const size = console.terminal()
    if (size !== undefined) program.resize(size)
  })
  const output = show(program, console, (chunk) => {
    count(chunk.length)
    progress.see(chunk)
  })
  keyboard.connect(program)
  const exit = await program.exit()
  keyboard.disconnect()
  stopResizing()
  if (E.isRight(exit)) await output.ended
  output.stop()
  return E.isLeft(exit) ? 'Lost' : exit
}

const gone = (reason: string): Attempted => E.left({ _tag: 'Gone', reason })

const attempt = async (
  link: Link,
  program: DevProgram,
  progress: Progress,
  {
    console,
    keyboard,
    size,
  }: { readonly console: Console; readonly keyboard: Keyboard; readonly size: ConsoleTerminal },
): Promise<Attempted> => {
  const { id, isStarted, received } = progress
  const terminal = { ...size, ...console.terminal(), session: { id, ...defined({ received }) } }
  const running = await link.run({ ...program, terminal })()
  if (E.isRight(running)) return follow(running.right, progress, console, keyboard)
  if (running.left._tag === 'Lost') {
    // The program may have been started all the same.
    progress.received ??= 0
    return 'Lost'
  }
  if (isStarted) return gone('its container was restarted, or cut off for a minute')
  if (received === undefined) return E.left({ _tag: 'Refused', reason: running.left.reason })
  delete progress.received
  return attempt(link, program, progress, { console, keyboard, size })
}

export const runInTerminal =
  (
    { console, links }: Pick<Ports, 'console' | 'links'>,
    session: DevSession,
    program: DevProgram,
    size: ConsoleTerminal,
  ): TaskEither<ProgramFailure, number> =>
  async () => {
    const keyboard = keyboardOf(console)
    const progress: Progress = { id: await links.newId(), see: screenWatch(console), isStarted: false }
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
        const attempted = await attempt(link, program, progress, { console, keyboard, size })
        if (attempted !== 'Lost') return attempted
        lost = link
      }
    }
    const leave: TaskEither<ProgramFailure, number> = async () => {
      await keyboard.left
      isLeft = true
      return E.left({ _tag: 'Left', reason: 'its terminal was left' })
    }
    let result: E.Either<ProgramFailure, number> | undefined
    try {
      result = await Promise.race([run(), leave()])
      return result
    } finally {
      keyboard.release(result === undefined || E.isLeft(result))
    }
  }
