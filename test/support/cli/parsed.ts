/** Whether the command line parser accepts these words, of which the first is `devtool`. */
import { load } from '../../../src/cli/installed.ts'
import { parse } from '../../../src/cli/program.ts'
import { commandIn } from '../../../src/cli/registry.ts'
import { worldOf } from './cli.ts'

export const isParsed = async (words: ReadonlyArray<string>): Promise<boolean> => {
  const name = commandIn(words.slice(1))
  const command = name === undefined ? undefined : await load(name)
  const context = {
    ...worldOf().world,
    terminalSize: () => ({ columns: 80, rows: 24 }),
    interruption: () => new AbortController().signal,
    computing: <A>(run: () => Promise<A>) => run(),
    help: () => Promise.resolve({ findings: [] }),
  }
  return command !== undefined && parse(command, words.slice(1), context) !== undefined
}
