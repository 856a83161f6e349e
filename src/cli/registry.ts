/** The commands by name. Only the one that is wanted is loaded: clipanion makes one machine of all it knows. */
import { Cli, type CommandClass, type Definition } from 'clipanion'
import type { Context } from './context.ts'
import { platformNames } from './platform-names.ts'

type Loader = () => Promise<CommandClass<Context>>

/** In the order of the help text. */
const loaders: Readonly<Record<string, Loader>> = {
  deploy: async () => (await import('./commands/deploy.ts')).DeployCommand,
  build: async () => (await import('./commands/build.ts')).BuildCommand,
  destroy: async () => (await import('./commands/destroy.ts')).DestroyCommand,
  why: async () => (await import('./commands/why.ts')).WhyCommand,
  list: async () => (await import('./commands/list.ts')).ListCommand,
  logs: async () => (await import('./commands/logs.ts')).LogsCommand,
  endpoints: async () => (await import('./commands/endpoints.ts')).EndpointsCommand,
  doctor: async () => (await import('./commands/doctor.ts')).DoctorCommand,
  init: async () => (await import('./commands/init.ts')).InitCommand,
  validate: async () => (await import('./commands/validate.ts')).ValidateCommand,
  context: async () => (await import('./commands/context.ts')).ContextCommand,
  'context use': async () => (await import('./commands/context-use.ts')).ContextUseCommand,
  'context list': async () => (await import('./commands/context-list.ts')).ContextListCommand,
  'context show': async () => (await import('./commands/context-show.ts')).ContextShowCommand,
  'context delete': async () => (await import('./commands/context-delete.ts')).ContextDeleteCommand,
  namespace: async () => (await import('./commands/namespace.ts')).NamespaceCommand,
  'namespace use': async () => (await import('./commands/namespace-use.ts')).NamespaceUseCommand,
  kubeconfig: async () => (await import('./commands/kubeconfig.ts')).KubeconfigCommand,
  explain: async () => (await import('./commands/explain.ts')).ExplainCommand,
  schema: async () => (await import('./commands/schema.ts')).SchemaCommand,
  completion: async () => (await import('./commands/completion.ts')).CompletionCommand,
  analytics: async () => (await import('./commands/analytics.ts')).AnalyticsCommand,
  version: async () => (await import('./commands/version.ts')).VersionCommand,
  help: async () => (await import('./commands/help.ts')).HelpCommand,
}

export const commandNames: ReadonlyArray<string> = Object.keys(loaders)

/** What only a platform does: it can be typed, and is not in the help. */
const platformLoader: Loader = async () => (await import('./commands/platform.ts')).PlatformCommand

export const isPlatformCommand = (name: string): boolean =>
  !Object.hasOwn(loaders, name) && platformNames.includes(name)

/** The longest command that the words begin with: `context use` before `context`. */
export const commandIn = (words: ReadonlyArray<string>): string | undefined =>
  [words.slice(0, 2).join(' '), words[0] ?? ''].find((name) => Object.hasOwn(loaders, name) || isPlatformCommand(name))

/** Those below a command: `context` has `use`, `list` and so on. */
export const commandsBelow = (name: string): ReadonlyArray<string> =>
  [...commandNames, ...platformNames].filter((other) => other.startsWith(`${name} `))

export const loadCommand = async (name: string): Promise<CommandClass<Context> | undefined> => {
  if (isPlatformCommand(name)) return platformLoader()
  return Object.hasOwn(loaders, name) ? loaders[name]?.() : undefined
}

export const cliOf = (commands: ReadonlyArray<CommandClass<Context>>): Cli<Context> =>
  Cli.from<Context>([...commands], { binaryName: 'devtool', enableColors: false })

/** Of all commands that are not hidden. */
export const allDefinitions = async (): Promise<ReadonlyArray<Definition>> =>
  cliOf(await Promise.all(Object.values(loaders).map((load) => load()))).definitions()
