/** The commands by name. Only the one that is wanted is loaded: clipanion makes one machine of all it knows. */
import { Cli, type CommandClass, type Definition } from 'clipanion'
import type { Context } from './context.ts'

type Loader = () => Promise<CommandClass<Context>>

/** In the order of the help text. */
const loaders: Readonly<Record<string, Loader>> = {
  deploy: async () => (await import('./commands/deploy.ts')).DeployCommand,
  validate: async () => (await import('./commands/validate.ts')).ValidateCommand,
  explain: async () => (await import('./commands/explain.ts')).ExplainCommand,
  schema: async () => (await import('./commands/schema.ts')).SchemaCommand,
  completion: async () => (await import('./commands/completion.ts')).CompletionCommand,
  version: async () => (await import('./commands/version.ts')).VersionCommand,
  help: async () => (await import('./commands/help.ts')).HelpCommand,
}

export const commandNames: ReadonlyArray<string> = Object.keys(loaders)

export const loadCommand = async (name: string): Promise<CommandClass<Context> | undefined> => {
  const known = name === '--version' ? 'version' : name
  return Object.hasOwn(loaders, known) ? loaders[known]?.() : undefined
}

export const cliOf = (commands: ReadonlyArray<CommandClass<Context>>): Cli<Context> =>
  Cli.from<Context>([...commands], { binaryName: 'devtool', enableColors: false })

/** Of all commands that are not hidden. */
export const allDefinitions = async (): Promise<ReadonlyArray<Definition>> =>
  cliOf(await Promise.all(Object.values(loaders).map((load) => load()))).definitions()
