/** Where variables come from, and the two kinds of files that define them: `.env` and `env_file`. */
import * as E from 'fp-ts/lib/Either.js'
import type { Checked } from '../checked.ts'
import * as C from '../checked.ts'
import { type Diagnostic, error, type Unset, unsetVariables } from '../diagnostic/diagnostic.ts'
import { type Dotenv, type DotenvEntry, readDotenv, readRawEnv } from '../text/dotenv.ts'
import { expandVariables, mostBrought } from '../text/interpolate.ts'
import type { Source, Span } from '../text/source.ts'
import { type Budget, isSpent, spend, textSize } from '../yaml/budget.ts'
import type { Variables } from '../yaml/interpolate.ts'
import { sizeFault } from '../yaml/limits.ts'

/** `value` is absent for a bare name: it is inherited from this machine, or not set at all. */
export type Variable = { readonly name: string; readonly value?: string; readonly at: Span }

/** The first layer that has a name wins. */
export const layered =
  (...layers: ReadonlyArray<Variables>): Variables =>
  (name) => {
    for (const layer of layers) {
      const value = layer(name)
      if (value !== undefined) return value
    }
    return undefined
  }

export const variablesFrom =
  (values: ReadonlyMap<string, string>): Variables =>
  (name) =>
    values.get(name)

/** How much text the variables of one file have expanded to so far. */
type FileBudget = Pick<Budget, 'brought'>

/** What reading a file has come across so far. */
type FileReading = { readonly budget: FileBudget; readonly unset: Array<Unset> }

const expand = (
  entry: DotenvEntry,
  at: Span,
  variables: Variables,
  { budget, unset: all }: FileReading,
): Checked<string> => {
  const text = entry.value ?? ''
  if (!entry.expand || !text.includes('$') || budget.brought > mostBrought) return C.ok(text)
  const expanded = expandVariables(text, variables)
  if (E.isLeft(expanded)) return C.fail(error('DT1027', `${entry.name}: ${expanded.left.message}`, { at }))
  const { value, brought, required, unset } = expanded.right
  budget.brought += brought
  if (budget.brought > mostBrought) {
    const why = `${entry.name}: variables expand to more than ${mostBrought / 1024 / 1024} million characters`
    return C.fail(error('DT1006', why, { at, help: 'check the values of the variables' }))
  }
  for (const { name } of unset) all.push({ name, at })
  return C.note(
    value,
    required.map((r) => error('DT1010', `${r.name}: ${r.message || 'is required'}`, { at })),
  )
}

/** A `.env` or `env_file` whose variables have no values yet. */
export type VariableFile = Dotenv & { readonly source: Source }

/** A file without variables and bare names gives the same values to every service. */
export const isClosed = ({ entries }: VariableFile): boolean =>
  entries.every(({ expand: isExpanded, value }) => value !== undefined && !(isExpanded && value.includes('$')))

/** Fails with DT1006. */
export const readVariableFile = (source: Source, format: 'dotenv' | 'raw' = 'dotenv'): Checked<VariableFile> => {
  const fault = sizeFault(source, '=')
  if (fault !== undefined) return C.fail(fault)
  return C.ok({ source, ...(format === 'raw' ? readRawEnv(source.text) : readDotenv(source.text)) })
}

/**
 * The variables of a file, in order; later ones can refer to `outer`, to earlier ones and to `before`, in this order.
 * Finds DT1006, DT1010, DT1027; warns DT1011.
 */
export const variablesOf = (
  { entries, faults, source }: VariableFile,
  outer: Variables,
  before: Variables = () => undefined,
): Checked<ReadonlyArray<Variable>> => {
  const found: Array<Diagnostic> = faults.map((f) =>
    error('DT1027', f.message, { at: { source, start: f.start, end: f.end }, help: 'write NAME=value' }),
  )
  const met: FileReading = { budget: { brought: 0 }, unset: [] }
  const values = new Map<string, string>()
  const variables = layered(outer, variablesFrom(values), before)
  const read = entries.map((entry): Variable => {
    const at: Span = { source, start: entry.start, end: entry.end }
    const inherited = variables(entry.name)
    const checked = entry.value === undefined ? undefined : expand(entry, at, variables, met)
    if (checked !== undefined) for (const d of C.findings(checked)) found.push(d)
    const value = checked === undefined ? inherited : (C.valueOf(checked) ?? '')
    if (value === undefined) return { name: entry.name, at }
    values.set(entry.name, value)
    return { name: entry.name, value, at }
  })
  return C.note(read, [...found, ...unsetVariables(met.unset)])
}

/** The variables of a file that is read once. */
export const readVariables = (source: Source, outer: Variables, before?: Variables): Checked<ReadonlyArray<Variable>> =>
  C.andThen((file: VariableFile) => variablesOf(file, outer, before))(readVariableFile(source))

/** Counts the variables of a file for each service that names it; none when the project has too many. */
export const countVariables = (
  budget: Budget,
  read: Checked<ReadonlyArray<Variable>>,
  at: Span,
): Checked<ReadonlyArray<Variable>> => {
  if (isSpent(budget)) return C.ok([])
  let size = 0
  for (const { name, value = '' } of C.valueOf(read) ?? []) size += textSize(name) + textSize(value)
  const fault = spend(budget, size, at)
  return fault === undefined ? read : C.fail(fault)
}
