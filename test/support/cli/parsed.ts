/** What the command line parser accepts. */
import { load } from '../../../src/cli/installed.ts'
import { contextOf } from '../../../src/cli/main.ts'
import { parse } from '../../../src/cli/program.ts'
import { commandIn } from '../../../src/cli/registry.ts'
import { worldOf } from './cli.ts'

/** Whether a command accepts words, of which the first are its name. */
export const parser = async (name: string | undefined): Promise<(words: ReadonlyArray<string>) => boolean> => {
  const command = name === undefined ? undefined : await load(name)
  const context = contextOf(worldOf().world)
  return (words) => command !== undefined && parse(command, words, context) !== undefined
}

/** Of words of which the first is `devtool`. */
export const isParsed = async (words: ReadonlyArray<string>): Promise<boolean> => {
  const isAccepted = await parser(commandIn(words.slice(1)))
  return isAccepted(words.slice(1))
}
