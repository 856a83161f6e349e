/** A finding, as data. Nothing here prints. */

import type * as t from 'io-ts'
import { defined, ifDefined } from '../object/defined.ts'
import { grouped } from '../object/grouped.ts'
import { bounded } from '../text/bounded.ts'
import { listed } from '../text/listed.ts'
import { withMaskedCredentials } from '../text/public-url.ts'
import { type Place, placeOf, type Span } from '../text/source.ts'
import type * as codec from './codec.ts'
import type { Code } from './codes.ts'

export type Severity = t.TypeOf<typeof codec.Severity>
/** Marks a finding about a setting without any effect. A symbol, so it is never printed. */
export const lost = Symbol('lost')

/** `key` of a mapping, and `why`: keys that are ignored for the same reason are reported together. */
type Lost = { readonly key?: string; readonly why?: string }

export type Diagnostic = t.TypeOf<typeof codec.Diagnostic> & { readonly [lost]?: Lost | undefined }

/**
 * `path` is where the finding is in the document (`services.web.ports[0]`); `help` says what to do next. Help that is costly
 * to find is a function, called when the help is read: of a hundred thousand findings only the first ones are shown.
 */
type More = {
  readonly at?: Span | undefined
  readonly path?: string | undefined
  readonly help?: string | (() => string) | undefined
  readonly related?: ReadonlyArray<{ readonly at: Span; readonly message: string }>
  readonly [lost]?: Lost
}

/** Findings quote files and programs, so every text of a finding loses the credentials of its URLs, and its length, here. */
const shared = (text: string): string => bounded(withMaskedCredentials(text))

const make =
  (severity: Severity) =>
  (code: Code, message: string, { at, path, help, related, [lost]: without }: More = {}): Diagnostic => {
    const made: Diagnostic = {
      severity,
      code,
      message: shared(path === undefined ? message : `${path}: ${message}`),
      ...defined({
        help: typeof help === 'function' ? '' : ifDefined(help, shared),
        at: ifDefined(at, placeOf),
        related: related?.map((r) => ({ at: placeOf(r.at), message: shared(r.message) })),
        path: ifDefined(path, withMaskedCredentials),
      }),
      [lost]: without,
    }
    return typeof help === 'function' ? Object.defineProperty(made, 'help', { get: () => shared(help()) }) : made
  }

export const error = make('error')
export const warning = make('warning')
export const remark = make('note')

/** A variable without a value, and where it is used. */
export type Unset = { readonly name: string; readonly at: Span }

/** DT1011, once for all variables of a Compose file, or of a file of variables. */
export const unsetVariables = (all: ReadonlyArray<Unset>): ReadonlyArray<Diagnostic> => {
  const distinct = new Map(all.map((one) => [`${one.name} ${one.at.start} ${one.at.end}`, one]))
  const [first, ...others] = distinct.values()
  if (first === undefined) return []
  const names = new Set(all.map(({ name }) => name))
  const isOne = names.size === 1
  const message = isOne
    ? `the variable ${first.name} is not set, so an empty string is used`
    : `the variables ${listed([...names])} are not set, so empty strings are used`
  const help = isOne
    ? `set it in the environment or in .env, or write \${${first.name}:-} if it may be empty, or $$ for a dollar sign`
    : 'set them in the environment or in .env, or write ${NAME:-} where one may be empty, or $$ for a dollar sign'
  const related = others.map(({ at }) => ({ at, message: 'here too' }))
  return [warning('DT1011', message, { at: first.at, help, ...(related.length === 0 ? {} : { related }) })]
}

const lineBreak = /[\r\n]/

const withoutBreaks = (text: string): string => text.replace(/\r/g, '\\r').replace(/\n/g, '\\n')

/** What a finding quotes from a file may have line breaks, and then looks like several findings. */
export const inOneLine = (d: Diagnostic): Diagnostic =>
  lineBreak.test(d.message) || lineBreak.test(d.help ?? '')
    ? { ...d, message: withoutBreaks(d.message), ...defined({ help: ifDefined(d.help, withoutBreaks) }) }
    : d

/** The finding with a place that only the caller knows; unchanged without one. */
export const placed = (at: Place | undefined, found: Diagnostic): Diagnostic =>
  at === undefined ? found : { ...found, at }

const comparePlaces = (rank: ReadonlyMap<string, number>, a: Place, b: Place): number =>
  (rank.get(a.file) ?? 0) - (rank.get(b.file) ?? 0) || a.line - b.line || a.col - b.col

/**
 * In order of the files, then of the places. Files that are not listed (Dockerfiles, env files) come after the others,
 * in order of appearance; findings without a place come last, in their own order.
 */
export const inFileOrder = (
  files: ReadonlyArray<string>,
  found: ReadonlyArray<Diagnostic>,
): ReadonlyArray<Diagnostic> => {
  const rank = new Map(files.map((file, index) => [file, index]))
  for (const { at } of found) if (at !== undefined && !rank.has(at.file)) rank.set(at.file, rank.size)
  const inFiles = found.flatMap((d) => (d.at === undefined ? [] : [{ d, at: d.at }]))
  inFiles.sort((a, b) => comparePlaces(rank, a.at, b.at))
  const seen = new Set<string>()
  return [...inFiles.map(({ d }) => d), ...found.filter((d) => d.at === undefined)].filter((d) => {
    const key = `${d.code} ${d.at?.file} ${d.at?.line} ${d.at?.col} ${d.message}`
    return !seen.has(key) && seen.add(key)
  })
}

const isWithin = (inner: Place, outer: Place): boolean =>
  inner.file === outer.file &&
  inner.line === outer.line &&
  outer.line === outer.endLine &&
  outer.col <= inner.col &&
  inner.endCol <= outer.endCol

/** Nobody writes a line with more variables by hand. */
const mostInLine = 100

/** A text that is wrong and has a variable without a value is one finding: the error, which says that it is not set. */
const withUnset = (found: ReadonlyArray<Diagnostic>): ReadonlyArray<Diagnostic> => {
  const placesOf = ({ at, related = [] }: Diagnostic): ReadonlyArray<Place> =>
    at === undefined ? [] : [at, ...related.map((one) => one.at)]
  const unset = grouped(
    found.filter(({ code }) => code === 'DT1011').flatMap(placesOf),
    ({ file, line }) => `${file} ${line}`,
  )
  if (unset.size === 0) return found
  const told = new Set<Place>()
  const errors = found.map((d) => {
    const { at } = d
    if (d.severity !== 'error' || at === undefined) return d
    const own = (unset.get(`${at.file} ${at.line}`) ?? []).slice(0, mostInLine).filter((place) => isWithin(place, at))
    for (const place of own) told.add(place)
    const notes = own.map((place) => ({ at: place, message: 'this variable is not set' }))
    return own.length === 0 ? d : { ...d, related: [...(d.related ?? []), ...notes] }
  })
  return errors.flatMap((d) => {
    if (d.code !== 'DT1011') return [d]
    const [at, ...others] = placesOf(d).filter((place) => !told.has(place))
    const { related: _related, ...rest } = d
    if (at === undefined) return []
    const related = others.map((place) => ({ at: place, message: 'here too' }))
    return [{ ...rest, at, ...(related.length === 0 ? {} : { related }) }]
  })
}

/**
 * Drops errors that merely follow from others: those in a text whose variables could not be replaced, and "no services"
 * for a broken file.
 */
export const withoutConsequences = (found: ReadonlyArray<Diagnostic>): ReadonlyArray<Diagnostic> => {
  const isCause = ({ code }: Diagnostic): boolean => code === 'DT1009' || code === 'DT1010'
  const key = ({ file, line }: Place): string => `${file} ${line}`
  const causes = grouped(
    found.flatMap((d) => (isCause(d) && d.at !== undefined ? [d.at] : [])),
    key,
  )
  const isConsequence = ({ at }: Diagnostic): boolean =>
    at !== undefined &&
    (causes.get(key(at)) ?? []).slice(0, mostInLine).some((cause) => at.col <= cause.endCol && cause.col <= at.endCol)
  const hasOther = found.some((d) => d.severity === 'error' && d.code !== 'DT1044')
  return withUnset(found.filter((d) => isCause(d) || (!isConsequence(d) && !(hasOther && d.code === 'DT1044'))))
}

/** `--strict`: warnings become errors. */
export const strict = (found: ReadonlyArray<Diagnostic>): ReadonlyArray<Diagnostic> =>
  found.map((d) => (d.severity === 'warning' ? { ...d, severity: 'error' } : d))
