/**
 * The commands: the exports of the files in `commands/`. From source the folder is listed; the build replaces this file
 * by a table that loads a command when it is run.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type CliCommand, groups } from './command.ts'
import { type Row, rowOf } from './row.ts'

type Module = Readonly<Record<string, CliCommand | ReadonlyArray<CliCommand>>>

const folder = join(import.meta.dirname, 'commands')
const files = readdirSync(folder).filter((file) => file.endsWith('.ts'))

const found = await Promise.all(
  files.map(async (file) => {
    const module: Module = await import(`./commands/${file}`)
    return Object.values(module)
      .flat()
      .map((command) => ({ file, command }))
  }),
)

const rank = ({ command }: { readonly command: CliCommand }): number => groups.indexOf(command.group)

/** By group, then by name. */
export const installed: ReadonlyArray<{ readonly file: string; readonly command: CliCommand }> = found
  .flat()
  .toSorted((a, b) => rank(a) - rank(b) || (a.command.name < b.command.name ? -1 : 1))

export const rows: ReadonlyArray<Row> = installed.map(({ command }) => rowOf(command))

export const load = (name: string): Promise<CliCommand | undefined> =>
  Promise.resolve(installed.find(({ command }) => command.name === name)?.command)
