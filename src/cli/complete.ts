/** Shell completion: candidates for the word at the cursor. */
import type { WantedNames } from '../app/inspect/offered.ts'
import { defined } from '../domain/object/defined.ts'
import { printable } from '../domain/text/printable.ts'
import { argumentsOf } from './arguments.ts'
import type { CliContext } from './context.ts'
import type { FlagOffer } from './flags/flag.ts'
import { helpTopics } from './help-topics.ts'
import { commandIn, commandNames, commandsBelow, firstWords, flagNamed, rowNamed, takesValue } from './registry.ts'
import type { FlagRow, WordRow } from './row.ts'

/** Printed instead of candidates where a file is expected: the shell completes it. */
const FILES = ':files'

/** bash splits words at `=`: `--output`, `=`, `y` stands for `--output=y`, and only the part after `=` is replaced. */
const joined = (words: ReadonlyArray<string>): { readonly words: ReadonlyArray<string>; readonly isSplit: boolean } => {
  const at = words.lastIndexOf('=')
  const isSplit = at > 0 && at >= words.length - 2
  if (!isSplit) return { words, isSplit }
  return { words: [...words.slice(0, at - 1), `${words[at - 1]}=${words[at + 1] ?? ''}`], isSplit }
}

/** The values given for a flag so far. */
const givenFor = (before: ReadonlyArray<string>, ...names: ReadonlyArray<string>): ReadonlyArray<string> =>
  argumentsOf(before, takesValue()).flatMap((part) =>
    part._tag === 'Flag' && names.includes(part.name) && part.value !== undefined ? [part.value] : [],
  )

const fromCluster = async (
  { env, ports }: CliContext,
  what: WantedNames['what'],
  before: ReadonlyArray<string>,
): Promise<ReadonlyArray<string>> => {
  const { namesInCluster } = await import('../app/inspect/offered.ts')
  const [context, namespace, kubeconfig, name] = [
    ['--context'],
    ['-n', '--namespace'],
    ['--kubeconfig'],
    ['--name'],
  ].map((names) => givenFor(before, ...names).at(-1))
  const reach = { ...defined({ context, namespace, kubeconfig }), isYes: false }
  const environment = name ?? env['DEVTOOL_NAME'] ?? env['COMPOSE_PROJECT_NAME']
  return namesInCluster(await ports(), { what, reach, env, environment })
}

const offerOf = async ({ cwd, env, ports, separator }: CliContext, before: ReadonlyArray<string>) => {
  const { offered } = await import('../app/project/complete.ts')
  const shell = new Map(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  )
  const files = givenFor(before, '-f', '--file').filter((file) => file !== '-')
  const given = new Map<string, string>()
  const wanted = { cwd, files, given, shell, separator, services: [], settings: {}, isConfined: false, isStrict: false }
  return offered(await ports())(wanted)
}

const contextNames = async ({ ports }: CliContext): Promise<ReadonlyArray<string>> => {
  const { knownContexts } = await import('../app/context/contexts.ts')
  return knownContexts(await ports())
}

const candidatesOf = async (
  context: CliContext,
  offer: FlagOffer,
  before: ReadonlyArray<string>,
): Promise<ReadonlyArray<string>> => {
  switch (offer) {
    case 'commands':
      return [...commandNames, ...helpTopics.keys()]
    case 'contexts':
      return contextNames(context)
    case 'containers':
    case 'environments':
    case 'namespaces':
      return fromCluster(context, offer, before)
    case 'files':
      return [FILES]
    case 'devs':
      return (await offerOf(context, before)).devs
    case 'images':
      return (await offerOf(context, before)).images
    case 'profiles':
      return (await offerOf(context, before)).profiles
    case 'services': {
      const ofFiles = async () => (await offerOf(context, before)).services
      const ofCluster = () => fromCluster(context, offer, before)
      // An environment that is named need not be that of the files here, except for what deploys them.
      const isNamed = before[0] !== 'deploy' && givenFor(before, '--name').length > 0
      const [first, second] = isNamed ? [ofCluster, ofFiles] : [ofFiles, ofCluster]
      const services = await first()
      return services.length > 0 ? services : second()
    }
    case 'topics': {
      const { typedTopics } = await import('../domain/explain/explain.ts')
      return typedTopics()
    }
  }
}

/** The values of a flag or word; after `sarif=` a file is expected. */
const valuesOf = async (
  context: CliContext,
  row: FlagRow | WordRow | undefined,
  before: ReadonlyArray<string>,
  typed: string,
): Promise<ReadonlyArray<string>> => {
  if (row?.values?.some((value) => value.endsWith('=') && typed.startsWith(value)) === true) return [FILES]
  return row?.values ?? (row?.offers === undefined ? [] : candidatesOf(context, row.offers, before))
}

/** `words`: those after `devtool`, the last one incomplete. Candidates begin with it. */
const complete = async (context: CliContext, given: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const { isSplit, words } = joined(given)
  const current = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const texts = argumentsOf(before, takesValue()).flatMap((part) => (part._tag === 'Word' ? [part.text] : []))
  const name = commandIn(texts)
  const previous = before.at(-1) ?? ''
  const [bound = '', ...rest] = current.split('=')
  const candidates = async (): Promise<ReadonlyArray<string>> => {
    if (current.startsWith('--') && rest.length > 0) {
      const values = await valuesOf(context, flagNamed(bound, name), before, rest.join('='))
      if (values.includes(FILES)) return values
      return isSplit
        ? values.filter((value) => value.startsWith(rest.join('=')))
        : values.map((value) => `${bound}=${value}`)
    }
    if (takesValue(name)(previous)) return valuesOf(context, flagNamed(previous, name), before, current)
    const { flags, words: places } = (name === undefined ? undefined : rowNamed(name)) ?? { flags: [], words: [] }
    const isLong = (flag: string): boolean => flag.startsWith('--')
    const offered = flags.filter(({ unused }) => unused === undefined)
    if (current.startsWith('-')) return [...offered.flatMap(({ names }) => names.filter(isLong)), '--help']
    if (name === undefined) {
      const group = texts[0] ?? ''
      return texts.length === 0 ? firstWords : commandsBelow(group).map((other) => other.slice(group.length + 1))
    }
    const typed = texts.length - name.split(' ').length
    const place = places[typed] ?? places.findLast(({ arity }) => arity === 'Many')
    const below = commandsBelow(name).filter((other) => commandNames.includes(other))
    const next = typed > 0 ? [] : below.map((other) => other.slice(name.length + 1))
    return [...next, ...(await valuesOf(context, place, before, current))]
  }
  const found = await candidates()
  const harmless = found.filter((candidate) => candidate === printable(candidate) && !/\s/.test(candidate))
  return isSplit ? harmless : harmless.filter((candidate) => candidate === FILES || candidate.startsWith(current))
}

/** Called by the scripts of `completion`, with `--` and the words up to the cursor. Never fails. */
export const printCandidates = async (context: CliContext, args: ReadonlyArray<string>): Promise<number> => {
  const words = args[0] === '--' ? args.slice(1) : args
  const candidates = await complete(context, words).catch(() => [])
  await context.stdout(candidates.map((candidate) => `${candidate}\n`).join(''))
  context.abandoned?.()
  return 0
}
