/** What may stand at the cursor. */
import type { Definition } from 'clipanion'
import type { Context } from './context.ts'
import { argumentsOf, flagOf, schemaForms, shells } from './flags.ts'
import { nameOf, namesOf } from './help.ts'
import { commandIn, commandsBelow } from './registry.ts'
import { write } from './terminal.ts'

/** bash splits words at `=`: `--output`, `=`, `y` is `--output=y`, of which only what follows `=` is replaced. */
const joined = (words: ReadonlyArray<string>): { readonly words: ReadonlyArray<string>; readonly isSplit: boolean } => {
  const at = words.lastIndexOf('=')
  const isSplit = at > 0 && at >= words.length - 2 && (words[at - 1] ?? '').startsWith('--')
  if (!isSplit) return { words, isSplit }
  return { words: [...words.slice(0, at - 1), `${words[at - 1]}=${words[at + 1] ?? ''}`], isSplit }
}

const valuesOf = async (
  context: Context,
  command: string | undefined,
  flag: string,
  before: ReadonlyArray<string>,
): Promise<ReadonlyArray<string>> => {
  const known = flagOf(flag, command)
  if (known?.values !== undefined) return known.values
  if (known?.offers === 'contexts') return contextNames(context)
  return known?.offers === 'profiles' ? (await offerOf(context, before)).profiles : []
}

const offerOf = async ({ cwd, env, ports, separator }: Context, before: ReadonlyArray<string>) => {
  const { offered } = await import('../app/project/complete.ts')
  const shell = new Map(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  )
  const files = argumentsOf(before).flatMap((part) =>
    part._tag === 'Flag' &&
    (part.name === '-f' || part.name === '--file') &&
    part.value !== undefined &&
    part.value !== '-'
      ? [part.value]
      : [],
  )
  const given = new Map<string, string>()
  const wanted = { cwd, files, given, shell, separator, services: [], settings: {}, isConfined: false, isStrict: false }
  return offered(await ports())(wanted)
}

const contextNames = async ({ ports }: Context): Promise<ReadonlyArray<string>> => {
  const { knownContexts } = await import('../app/context/contexts.ts')
  return knownContexts(await ports())
}

const wordsFor = async (
  context: Context,
  command: string,
  before: ReadonlyArray<string>,
): Promise<ReadonlyArray<string>> => {
  switch (command) {
    case 'build':
    case 'deploy':
      return (await offerOf(context, before)).services
    case 'explain': {
      const { typedTopics } = await import('../domain/explain/explain.ts')
      return typedTopics()
    }
    case 'context use':
    case 'context delete':
      return contextNames(context)
    case 'schema':
      return schemaForms
    case 'completion':
      return shells
    case 'help':
      return (await context.definitions()).map(nameOf)
    default:
      return []
  }
}

const flagsFor = (definition: Definition | undefined): ReadonlyArray<string> => [
  ...(definition?.options ?? []).flatMap(({ definition: names }) =>
    namesOf(names).filter((name) => name.startsWith('--')),
  ),
  '--help',
]

/** `words` are those after `devtool`, the last one unfinished. Candidates begin with it. */
const complete = async (context: Context, given: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const { isSplit, words } = joined(given)
  const current = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const definitions = await context.definitions()
  const names = definitions.map(nameOf)
  const texts = argumentsOf(before).flatMap((part) => (part._tag === 'Word' ? [part.text] : []))
  const name = commandIn(texts)
  const below = name === undefined ? [] : commandsBelow(name).filter((other) => names.includes(other))
  const previous = before.at(-1) ?? ''
  const [bound, ...rest] = current.split('=')
  const candidates = async (): Promise<ReadonlyArray<string>> => {
    if (current.startsWith('--') && rest.length > 0) {
      const values = await valuesOf(context, name, bound ?? '', before)
      return isSplit
        ? values.filter((value) => value.startsWith(rest.join('=')))
        : values.map((value) => `${bound}=${value}`)
    }
    if (previous.startsWith('-') && flagOf(previous) !== undefined) return valuesOf(context, name, previous, before)
    if (current.startsWith('-')) return flagsFor(definitions.find((definition) => nameOf(definition) === name))
    if (name === undefined) return names.filter((one) => !one.includes(' '))
    const next = below.map((other) => other.slice(name.length + 1))
    return [...next, ...(await wordsFor(context, name, before))]
  }
  const found = await candidates()
  const harmless = found.filter((candidate) => !/[\p{Cc}\s]/u.test(candidate))
  return isSplit ? harmless : harmless.filter((candidate) => candidate.startsWith(current))
}

/** What the scripts of `completion` call, with `--` and the words up to the cursor. Never fails. */
export const printCandidates = async (context: Context, args: ReadonlyArray<string>): Promise<number> => {
  const words = args[0] === '--' ? args.slice(1) : args
  const candidates = await complete(context, words).catch(() => [])
  await write(context.stdout, candidates.map((candidate) => `${candidate}\n`).join(''))
  return 0
}
