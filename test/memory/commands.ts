/** The port `Commands` for tests: the effect of each script is given. */
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { error } from '../../src/domain/diagnostic/diagnostic.ts'
import type { CommandLine, Commands } from '../../src/ports/commands.ts'

/** `exports` is appended to $DEVTOOL_ENV. `missing`: the program does not exist. `endless`: runs until the signal. */
export type CommandScript = {
  readonly status?: number
  readonly output?: string
  readonly exports?: string
  readonly missing?: 'bash' | 'folder' | 'scratch'
  readonly endless?: boolean
}

export const textOf = (line: CommandLine): string => (line._tag === 'Shell' ? line.text : line.argv.join(' '))

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve())
  })

const noBash = 'install bash, or use --no-bash to run commands with the default shell'
const noScratch = 'check the folder for temporary files, /tmp'

/** `*` applies to all other scripts; without it they do nothing and succeed. */
export const memoryCommands = (script: ReadonlyMap<string, CommandScript>): Commands => {
  let exported = ''
  return {
    run:
      ({ folder, line }, onOutput, signal) =>
      async () => {
        const scripted = script.get(textOf(line)) ?? script.get('*') ?? {}
        if (scripted.missing === 'bash' && line._tag === 'Shell' && line.isBash) {
          return E.left(error('DT3502', 'bash is not on the PATH', { help: noBash }))
        }
        if (scripted.missing === 'folder') return E.left(error('DT3503', `the folder ${folder} does not exist`))
        onOutput(scripted.output ?? '')
        exported += scripted.exports ?? ''
        if (scripted.endless === true) await untilAborted(signal)
        return E.right(scripted.endless === true ? 130 : (scripted.status ?? 0))
      },
    scratch: () => {
      if ([...script.values()].some(({ missing }) => missing === 'scratch')) {
        return TE.left(error('DT3504', 'the file of $DEVTOOL_ENV: no space left on device', { help: noScratch }))
      }
      return TE.right({
        path: '/memory/env',
        read: () => () => Promise.resolve(E.right(exported)),
        remove: () => Promise.resolve(),
      })
    },
  }
}
