/** The port `Progress` over the standard streams: chooses how progress is shown. */
import { scrolledText } from '../../domain/progress/lines.ts'
import { marksFor } from '../../domain/text/marks.ts'
import { withoutCommands } from '../../domain/text/printable.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Progress } from '../../ports/progress.ts'
import { jsonProgress } from './json.ts'
import { liveProgress } from './live.ts'
import { plainProgress } from './plain.ts'
import type { ScreenFrame } from './screen.ts'

type Mode = 'auto' | 'tty' | 'plain' | 'json' | 'quiet'

/**
 * `onExit`: to be called when the process exits before `end`. `hasEnd`: JSON ends with an event that tells how the run
 * ended.
 */
export type ProgressOptions = {
  readonly stdout: ScreenFrame
  readonly stderr: ScreenFrame
  readonly mode: Mode
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Pick<Clock, 'every' | 'now'>
  readonly hasEnd?: boolean
  readonly onExit?: (f: (status: number) => void) => void
}

/** Only a live region is repainted. */
const modeOf = ({ env, mode, stderr }: ProgressOptions): Exclude<Mode, 'auto'> => {
  if (mode !== 'auto') return mode
  const isWatched = stderr.isTerminal && (env['CI'] ?? '') === '' && env['TERM'] !== 'dumb'
  return isWatched ? 'tty' : 'plain'
}

/** A finding is reported only once, so it must not be lost here. */
const silent = ({ stderr, stdout }: ProgressOptions): Progress => ({
  tell: (event) => {
    if (event._tag === 'Output') stdout.screen.write(scrolledText(event, stdout.color))
    if (event._tag === 'Found') stderr.screen.write(scrolledText(event, stderr.color))
  },
  end: () => {},
})

/** No line may be taken for a command of a code host. */
const inert = ({ screen, ...frame }: ScreenFrame): ScreenFrame => ({
  ...frame,
  screen: { write: (text) => screen.write(withoutCommands(text)) },
})

const withMarks = ({ screen, ...frame }: ScreenFrame, env: ProgressOptions['env']): ScreenFrame => {
  const marked = marksFor(env)
  return {
    ...frame,
    screen: {
      write: (text) => screen.write(marked(text)),
      get columns() {
        return screen.columns
      },
      get rows() {
        return screen.rows
      },
    },
  }
}

/**
 * Progress goes to stderr; output of commands is data and goes to stdout, except with JSON, where it is part of the
 * events. Quiet: only that output, and findings.
 */
export const ttyProgress = (options: ProgressOptions): Progress => {
  const { clock, onExit = (f) => process.once('exit', f), stdout } = options
  const mode = modeOf(options)
  const stderr = mode === 'json' ? options.stderr : withMarks(options.stderr, options.env)
  switch (mode) {
    case 'tty':
      return liveProgress({ clock, onExit, stderr, stdout })
    case 'plain':
      return plainProgress({ clock, stderr: inert(stderr), stdout: inert(stdout) })
    case 'json':
      return jsonProgress({ clock, onExit: options.hasEnd === true ? onExit : () => {}, stderr })
    case 'quiet':
      return silent({ ...options, stderr: inert(stderr), stdout: inert(stdout) })
  }
}
