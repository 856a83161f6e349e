/** Shell completion: candidates for the word at the cursor. */
import { printable } from '../domain/text/printable.ts'
import { argumentsOf } from './arguments.ts'
import type { CliContext } from './context.ts'
import type { FlagOffer } from './flags/flag.ts'
import { commandIn, commandNames, commandsBelow, flagNamed, rowNamed, takesValue } from './registry.ts'
import type { FlagRow, WordRow } from './row.ts'

/** bash splits words at `=`: `--output`, `=`, `y` stands for `--output=y`, and only the part after `=` is replaced. */
const joined = (words: ReadonlyArray<string>): { readonly words: ReadonlyArray<string>; readonly isSplit: boolean } => {
  const at = words.lastIndexOf('=')
  const isSplit = at > 0 && at >= words.length - 2 && (words[at - 1] ?? '').startsWith('--')
  if (!isSplit) return { words, isSplit }
  return { words: [...words.slice(0, at - 1), `${words[at - 1]}=${words[at + 1] ?? ''}`], isSplit }
}

const offerOf = async ({ cwd, env, ports, separator }: CliContext, before: ReadonlyArray<string>) => {
  const { offered } = await import('../app/project/complete.ts')
  const shell = new Map(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  )
  const files = argumentsOf(before, takesValue()).flatMap((part) =>
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
      return commandNames
    case 'contexts':
      return contextNames(context)
    // The shell completes it.
    case 'files':
      return []
    case 'profiles':
    case 'services':
      return (await offerOf(context, before))[offer]
    case 'topics': {
      const { typedTopics } = await import('../domain/explain/explain.ts')
      return typedTopics()
    }
  }
}

/** The values that a flag or a word takes. */
const valuesOf = async (
  context: CliContext,
  row: FlagRow | WordRow | undefined,
  before: ReadonlyArray<string>,
): Promise<ReadonlyArray<string>> =>
  row?.values ?? (row?.offers === undefined ? [] : candidatesOf(context, row.offers, before))

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
      const values = await valuesOf(context, flagNamed(bound, name), before)
      return isSplit
        ? values.filter((value) => value.startsWith(rest.join('=')))
        : values.map((value) => `${bound}=${value}`)
    }
    if (takesValue(name)(previous)) return valuesOf(context, flagNamed(previous, name), before)
    const { flags, words: places } = (name === undefined ? undefined : rowNamed(name)) ?? { flags: [], words: [] }
    const isLong = (flag: string): boolean => flag.startsWith('--')
    const offered = flags.filter(({ unused }) => unused === undefined)
    if (current.startsWith('-')) return [...offered.flatMap(({ names }) => names.filter(isLong)), '--help']
    if (name === undefined) return commandNames.filter((one) => !one.includes(' '))
    const typed = texts.length - name.split(' ').length
    const place = places[typed] ?? places.findLast(({ arity }) => arity === 'Many')
    const below = commandsBelow(name).filter((other) => commandNames.includes(other))
    const next = typed > 0 ? [] : below.map((other) => other.slice(name.length + 1))
    return [...next, ...(await valuesOf(context, place, before))]
  }
  const found = await candidates()
  const harmless = found.filter((candidate) => candidate === printable(candidate) && !/\s/.test(candidate))
  return isSplit ? harmless : harmless.filter((candidate) => candidate.startsWith(current))
}

/** Called by the scripts of `completion`, with `--` and the words up to the cursor. Never fails. */
export const printCandidates = async (context: CliContext, args: ReadonlyArray<string>): Promise<number> => {
  const words = args[0] === '--' ? args.slice(1) : args
  const candidates = await complete(context, words).catch(() => [])
  await context.stdout(candidates.map((candidate) => `${candidate}\n`).join(''))
  return 0
}
